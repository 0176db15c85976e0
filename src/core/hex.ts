const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns the 32 bits of an integer as eight hexadecimal digits. Uses a lookup table because every id and hash calls it. */
export function hex32(word: number): string {
  return `${BYTES[word >>> 24]}${BYTES[(word >>> 16) & 255]}${BYTES[(word >>> 8) & 255]}${BYTES[word & 255]}`;
}

/** Returns bytes as two hexadecimal digits each. */
export function hexOf(bytes: Uint8Array): string {
  let digits = '';
  for (const byte of bytes) digits += BYTES[byte] ?? '';
  return digits;
}
