import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Factor of the length of series: 0.3 in `npm run test:long`, less in the gate, 2 in the nightly run, more with `--size`. */
    size: number;
  }
}

/**
 * Returns the length of a series at the size of this run.
 *
 * @param standard the length at size 1.
 * @param least the length below which the series proves nothing.
 */
export function sized(standard: number, least = 1): number {
  return Math.max(least, Math.round(standard * inject('size')));
}

/**
 * Returns the interval between the points of a series at the size of this run.
 *
 * @param standard the interval at size 1.
 */
export function spaced(standard: number): number {
  return Math.max(1, Math.round(standard / inject('size')));
}

/**
 * Returns a part of a list of examples that is as large as the size of this run allows.
 *
 * @param standard the interval between them at size 1. Default: all of them only at size 2, with which the nightly run works.
 */
export function sampled<Item>(items: readonly Item[], standard = 2): readonly Item[] {
  const every = spaced(standard);
  return items.filter((_, at) => at % every === 0);
}

/** Returns the first items of a list as large a part as the size of this run: all of them from size 1. Put first what is to be tried in each run. */
export function firstOf<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice(0, sized(items.length));
}
