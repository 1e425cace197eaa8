/** The server lets in only those style sheets that carry the number it gave this page. */
export const nonce =
  document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content || undefined;

/** Some libraries make style sheets and know of no number. Scripts are all ours, so what they make is ours too. */
if (nonce) {
  const make = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const made = make(name, options);
    if (made instanceof HTMLStyleElement) made.nonce = nonce;
    return made;
  };
}
