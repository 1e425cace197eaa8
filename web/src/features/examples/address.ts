/** What of the examples stands in the address: those that were started, to be watched. */
export interface ExampleSearch {
  started?: string;
}

export function readExampleSearch(raw: Record<string, unknown>): ExampleSearch {
  const started = String(raw.started ?? "");
  return /^\d+(,\d+)*$/.test(started) ? { started } : {};
}
