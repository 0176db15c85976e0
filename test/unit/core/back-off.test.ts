import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_WAIT_MS, backOff, retryAfter } from '../../../src/core/back-off.js';

const almostOne = () => 1 - 2 ** -32;

test('doubles the delay with each failure, up to a minute', () => {
  const longest = [1, 2, 3, 4, 5, 8, 9].map((failures) => Math.round(backOff(failures, almostOne, null)));
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 60_000, 60_000]);
});

test('waits longer for a rate limit, up to a minute', () => {
  const longest = [1, 2, 3, 4, 5].map((failures) => Math.round(backOff(failures, almostOne, null, true)));
  expect(longest).toEqual([4_000, 8_000, 16_000, 32_000, 60_000]);
});

test('picks a delay between zero and the maximum', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(chance, fc.integer({ min: 1, max: 2000 }), (random, failures) => {
      const wait = backOff(failures, () => random, null);
      return wait >= 0 && wait <= backOff(failures, () => 1, null) && wait <= LONGEST_WAIT_MS;
    }),
  );
});

test('respects the delay of the server, up to a minute', () => {
  const never = () => {
    throw new Error('no chance is needed');
  };
  expect([0, 1500, 3_600_000].map((asked) => backOff(1, never, asked))).toEqual([0, 1500, 60_000]);
});

test.each<[Record<string, string>, number | null]>([
  [{}, null],
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, 30_000],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' }, 0], // Already over.
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '-3' }, null],
  [{ 'retry-after': '7', 'retry-after-ms': '250' }, 250],
])('%j requests a delay of %s ms', (headers, expected) => {
  expect(retryAfter(new Headers(headers), Date.UTC(2026, 9, 21, 7, 28, 0))).toBe(expected);
});
