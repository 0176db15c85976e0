const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The 32 bits of a whole number as eight hexadecimal digits. Looked up: every id and hash is made of it. */
export function hex32(word: number): string {
  return byte(word >>> 24) + byte(word >>> 16) + byte(word >>> 8) + byte(word);
}

function byte(word: number): string {
  return BYTES[word & 255] ?? '';
}
