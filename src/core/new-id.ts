import { hexOfWords } from './bytes.js';

/**
 * Returns a random id of 32 hexadecimal characters (128 bits). Works on plain `http://` pages too, where `crypto.randomUUID` is missing.
 * For ids that a resumed run must repeat, use `Runtime.newId` instead.
 */
export function newId(): string {
  return hexOfWords(crypto.getRandomValues(new Uint32Array(4)));
}
