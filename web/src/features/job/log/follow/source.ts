/** Where the bytes of a log come from. */
import { API_ROOT, fetchRaw } from "@/lib/api/client";
import { live } from "@/lib/live/connection";
import type { ReadPiece } from "../text/pieces";
import type { OpenStream } from "./follow";

export interface LogName {
  ref: string;
  attempt: number;
  /** Which task of an attempt over several nodes. */
  rank: number;
  stream: "stdout" | "stderr";
}

function pathOf(
  { ref, attempt, rank, stream }: LogName,
  what: string,
  more: Record<string, string | number> = {},
): string {
  const query = new URLSearchParams({ attempt: String(attempt), rank: String(rank), stream });
  for (const [key, value] of Object.entries(more)) query.set(key, String(value));
  return `/jobs/${encodeURIComponent(ref)}/log${what}?${query}`;
}

export function downloadAddress(name: LogName): string {
  return `${API_ROOT}${pathOf(name, "/download")}`;
}

export function readFrom(name: LogName): ReadPiece {
  return async (offset, limit) => {
    const response = await fetchRaw(pathOf(name, "", { offset, limit }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const told = (header: string) => Number(response.headers.get(header));
    const [from, to] = (response.headers.get("X-Log-Cut") ?? "").split("-").map(Number);
    const cut = from !== undefined && to !== undefined ? ([from, to] as const) : null;
    return { offset: told("X-Log-Offset"), bytes, size: told("X-Log-Size"), cut };
  };
}

export function streamOf({ ref, ...name }: LogName): OpenStream {
  return (offset, signal) => live().followLog({ kind: "log", job: ref, ...name, offset }, signal);
}
