import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Returns the SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hexadecimal digits. Synchronous and, unlike `crypto.subtle`, available
 * outside secure contexts.
 */
export function sha256(content: string | Uint8Array): string {
  return bytesToHex(hash(typeof content === 'string' ? utf8ToBytes(content) : content));
}
