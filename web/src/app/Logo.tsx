import { BASE } from "@/lib/api/client";

export function Logo({ size }: { size: number }) {
  return <img src={new URL("danlu.svg", BASE).href} width={size} height={size} alt="" className="logo" />;
}
