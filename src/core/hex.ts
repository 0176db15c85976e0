const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns the 32 bits of an integer as eight hexadecimal digits. Uses a lookup table because every id and hash calls it. */
export function hex32(word: number): string {
  return byte(word >>> 24) + byte(word >>> 16) + byte(word >>> 8) + byte(word);
}

/** Returns bytes as two hexadecimal digits each. */
export function hexOf(bytes: Uint8Array): string {
  let digits = '';
  for (const each of bytes) digits += byte(each);
  return digits;
}

function byte(word: number): string {
  return BYTES[word & 255] ?? '';
}
