import { CopyButton } from "@/ui/value/CopyButton";

/** Something to be typed elsewhere. */
export function Command({ text }: { text: string }) {
  return (
    <div className="admin-command">
      <pre className="mono">{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}
