/** What a person may do, as far as a page has to know: the server decides anyway. Pure. */
import type { Me } from "@/lib/api/schema";

/** Viewers only look: they are offered no form that the server would refuse. */
export function maySubmit(me: Pick<Me, "role">): boolean {
  return me.role !== "viewer";
}
