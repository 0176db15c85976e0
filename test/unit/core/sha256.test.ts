import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/sha256.js';

test('matches the digests of the standard', () => {
  const standard = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 100_000]) {
    const text = 'ä'.repeat(length % 3) + 'a'.repeat(length);
    expect(sha256(text)).toBe(standard(text));
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => sha256(text) === standard(text)),
  );
});
