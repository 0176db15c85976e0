import { expect, it } from 'vitest';
import { agreement, agreementText, type Figures } from '../../../scripts/bench/agreement.js';
import { noiseOf, overLaunches, sample } from '../../../scripts/bench/samples.js';

/** A run of three launches with these times. */
const run = (...launches: number[][]): Figures => ({
  demo: {
    interactive: overLaunches(launches.map(sample)),
    longSession: overLaunches([[800], [800], [800]].map(sample)),
    messages: 10_000,
  },
});

it('is the median of the launches, and their spread is its noise', () => {
  const over = overLaunches([sample([1, 2, 30]), sample([3, 4, 5]), sample([7, 8, 9])]);
  expect(over).toEqual({ median: 4, best: 1, worst: 30, p95: 9, count: 9, noise: 6 });
  expect(noiseOf(over)).toBe(6);
});

it('assumes a twentieth where launches are nearly equal, and the spread of rounds for a single launch', () => {
  expect(noiseOf(overLaunches([sample([100]), sample([101])]))).toBeCloseTo(100.5 / 20);
  expect(noiseOf(sample([90, 100, 115]))).toBe(25);
});

it('lists only differences above the noise of both runs', () => {
  const one = run([100], [110], [120]);
  expect(agreement(one, run([130], [140], [150])).outside).toEqual([]);
  const { compared, outside } = agreement(one, run([140], [151], [160]));
  expect(compared).toBe(2);
  expect(outside).toEqual([{ what: 'demo: interactive', one: 110, other: 151, noise: 40 }]);
  expect(agreementText({ compared, outside })).toBe(
    '1 of 2 figures agree within the noise of both runs.\n  outside: demo: interactive: 110 and 151; they differ by 41, the noise is 40',
  );
});

it('compares only what both have measured', () => {
  expect(agreement(run([1]), {})).toEqual({ compared: 0, outside: [] });
});
