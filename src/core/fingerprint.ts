import { hexOfWords } from './bytes.js';

/**
 * Returns a short hash of an earlier fingerprint and one more text: equal sequences of texts have equal fingerprints. For comparing texts,
 * not for security. Takes time linear in the new text only.
 */
export function fingerprint(text: string, before = ''): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const part of [before, '\n', text]) {
    for (let index = 0; index < part.length; index++) {
      const code = part.charCodeAt(index);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return hexOfWords([low, high]);
}
