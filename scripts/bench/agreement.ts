import type { Measured } from './report.js';
import { noiseOf, type Sample } from './samples.js';

/** What one run, or a part of one, has measured. */
export type Figures = Partial<Pick<Measured, 'loops' | 'page' | 'demo'>>;

/** A figure of two runs that is further apart than the noise that both state. */
interface Outside {
  what: string;
  one: number;
  other: number;
  /** Noise of the one and of the other. */
  noise: number;
}

export interface Agreement {
  /** How many figures both have. */
  compared: number;
  outside: Outside[];
}

/**
 * Compares what two runs have both measured. Each states the distance between its slowest and its fastest launch as its noise; two figures
 * agree when they are no further apart than both noises together (with three launches each, about one in seventy pairs of the same are not).
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

/** As lines to read. */
export function agreementText({ compared, outside }: Agreement): string {
  const digits = (value: number): string => String(Number(value.toPrecision(3)));
  return [
    `${compared - outside.length} of ${compared} figures agree within the noise that both runs state.`,
    ...outside.map(
      ({ what, one, other, noise }) =>
        `  outside: ${what}: ${digits(one)} and ${digits(other)}, ${digits(Math.abs(one - other))} apart where ${digits(noise)} are noise`,
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
