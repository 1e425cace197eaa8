/** For the server: a language, read on the page. Its sentences then name fields by their labels, not as options. */
export function asRead(language: string): string {
  return `${language}-x-page`;
}
