import { expect, it } from 'vitest';
import fc from 'fast-check';
import { CutAtStop } from '../../../src/providers/local/thoughts.js';

function cut(pieces: readonly string[], stops: readonly string[]): string {
  const text = new CutAtStop(stops);
  return pieces.map((piece) => text.add(piece)).join('') + text.end();
}

it('ends a text at the first stop string, wherever the chunks split it', () => {
  expect(cut(['abc', 'dEN', 'Dx'], ['END'])).toBe('abcd');
  expect(cut(['abc', 'dEN'], ['END'])).toBe('abcdEN');
  expect(cut(['aXbYc'], ['Y', 'X'])).toBe('a');
  expect(cut(['a', 'b'], [])).toBe('ab');
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
  const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 6 }), stops, (pieces, of) => {
      const whole = pieces.join('');
      const ends = of.map((stop) => whole.indexOf(stop)).filter((at) => at >= 0);
      // A stop string takes effect with the chunk that completes it: a longer one that began earlier is then
      // incomplete.
      const completed = of
        .map((stop) => whole.indexOf(stop) + stop.length)
        .filter((_, at) => whole.includes(of[at] ?? ''));
      const answers = cut(pieces, of);
      expect(whole.startsWith(answers)).toBe(true);
      if (ends.length === 0) expect(answers).toBe(whole);
      else expect(answers.length).toBeLessThan(Math.min(...completed));
    }),
  );
});
