import type { Measured } from './report.js';
import { noiseOf, type Sample } from './samples.js';

/** Figures of one run, or of a part of one. */
export type Figures = Partial<Pick<Measured, 'loops' | 'page' | 'demo'>>;

/** A figure that differs between two runs by more than the noise of both. */
interface Outside {
  what: string;
  one: number;
  other: number;
  /** Noise of each run. */
  noise: number;
}

export interface Agreement {
  /** Number of figures in both runs. */
  compared: number;
  outside: Outside[];
}

/**
 * Compares the figures that two runs have in common. The noise of a run is the distance between its slowest and its
 * fastest launch. Two figures agree when they differ by no more than the noise of both. With three launches each,
 * about one in seventy pairs of equal code does not agree.
 */
export function agreement(one: Figures, other: Figures): Agreement {
  const others = samplesOf(other);
  const pairs = [...samplesOf(one)].flatMap(([what, sample]) => {
    const second = others.get(what);
    return second === undefined ? [] : [{ what, one: sample, other: second }];
  });
  const compared = pairs.map((pair): Outside => ({
    what: pair.what,
    one: pair.one.median,
    other: pair.other.median,
    noise: noiseOf(pair.one) + noiseOf(pair.other),
  }));
  return {
    compared: compared.length,
    outside: compared.filter((row) => Math.abs(row.one - row.other) > row.noise),
  };
}

/** Formats the comparison as lines of text. */
export function agreementText({ compared, outside }: Agreement): string {
  const digits = (value: number): string => String(Number(value.toPrecision(3)));
  return [
    `${compared - outside.length} of ${compared} figures agree within the noise of both runs.`,
    ...outside.map(
      ({ what, one, other, noise }) =>
        `  outside: ${what}: ${digits(one)} and ${digits(other)}; they differ by ${digits(Math.abs(one - other))}, the noise is ${digits(noise)}`,
    ),
  ].join('\n');
}

function samplesOf({ loops = [], page, demo }: Figures): Map<string, Sample> {
  const found = new Map<string, Sample>();
  for (const { name, variant, times } of loops)
    for (const { steps, perStep } of times) found.set(`${name}, ${variant}, ${steps} steps`, perStep);
  for (const [part, samples] of Object.entries({ page, demo }))
    for (const [what, sample] of Object.entries(samples ?? {}))
      if (typeof sample === 'object') found.set(`${part}: ${what}`, sample as Sample);
  return found;
}
