import { hash } from '@stablelib/sha256';

/** Two hexadecimal digits for each byte. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Returns the SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hexadecimal digits. Synchronous and, unlike `crypto.subtle`, available
 * outside secure contexts.
 */
export function sha256(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  let digits = '';
  for (const byte of hash(bytes)) digits += DIGITS[byte] ?? '';
  return digits;
}
