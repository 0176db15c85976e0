/** Bytes per call of `btoa`: a multiple of three, so that the pieces join to one base64 text, and few enough for an argument list. */
const pieceLength = 3 * 8192;

/** Encodes bytes as base64. The built-in `Uint8Array.prototype.toBase64` is newer than the supported browsers and Node versions. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += pieceLength) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + pieceLength))));
  }
  return pieces.join('');
}

/** Decodes base64; returns null when the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Returns whether two contents are equal. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

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
