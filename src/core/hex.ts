const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns integers of 32 bits as eight hexadecimal digits each. Uses a lookup table because every id and hash calls it. */
export function hexOfWords(words: Iterable<number>): string {
  let digits = '';
  for (const word of words)
    digits += `${BYTES[word >>> 24]}${BYTES[(word >>> 16) & 255]}${BYTES[(word >>> 8) & 255]}${BYTES[word & 255]}`;
  return digits;
}

/** Returns bytes as two hexadecimal digits each. */
export function hexOf(bytes: Uint8Array): string {
  let digits = '';
  for (const byte of bytes) digits += BYTES[byte] ?? '';
  return digits;
}
