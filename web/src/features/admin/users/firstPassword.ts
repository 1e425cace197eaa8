/** Letters and digits that are not taken for each other when they are read out or typed. */
const SIGNS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 16;

/** A password for another user, who has to change it: 16 signs, 92 bits of chance. */
export function makeFirstPassword(): string {
  // Bytes beyond the last whole round of signs would make the first signs more likely.
  const fair = 256 - (256 % SIGNS.length);
  let made = "";
  while (made.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (byte < fair && made.length < LENGTH) made += SIGNS[byte % SIGNS.length];
  }
  return made;
}
