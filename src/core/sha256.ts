import { hash } from '@stablelib/sha256';
import { hexOf } from './bytes.js';

/**
 * Returns the SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hexadecimal digits. Synchronous and, unlike `crypto.subtle`, available
 * outside secure contexts.
 */
export function sha256(content: string | Uint8Array): string {
  return hexOf(hash(typeof content === 'string' ? new TextEncoder().encode(content) : content));
}
