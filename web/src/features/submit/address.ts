/** What of the form stands in the address. */
export interface SubmitSearch {
  /** The job whose fields the form begins with. */
  like?: string;
}

export function readSubmitSearch(raw: Record<string, unknown>): SubmitSearch {
  const like = String(raw.like ?? "");
  return /^\d+(\[\d+\])?$/.test(like) ? { like } : {};
}
