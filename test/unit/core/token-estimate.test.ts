import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { expect, it } from 'vitest';
import { estimateTokens } from '../../../src/core/token-estimate.js';

const isTheSame = (text: string): void => {
  expect(estimateTokens(text)).toBe(estimateTokenCount(text));
};
const plain = fc.string({
  unit: fc.constantFrom(
    'a',
    'Z',
    '09',
    '\n',
    ' ',
    '\t',
    '\r',
    '\v',
    '_-',
    '."',
    "'",
    '{[',
    '/',
    '\0\x7f',
    'word',
    'Word',
    '1234',
    '\n    ',
  ),
});

it('estimates the tokens of a plain text as tokenx does', () => {
  fc.assert(fc.property(plain, isTheSame), { numRuns: 2_000 });
});

it('estimates the tokens of any other text as tokenx does', () => {
  const any = fc.string({ unit: fc.oneof(plain, fc.string({ unit: 'grapheme' })) });
  fc.assert(fc.property(any, isTheSame));
});
