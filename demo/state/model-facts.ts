/** How fast and how able a model in this browser is, as far as its size says: nothing here was measured on this machine. */
export interface ModelFacts {
  speed: 'fast' | 'medium' | 'slow' | 'very-slow';
  quality: 'tiny' | 'small' | 'medium' | 'large' | 'unknown';
}

/** The name of a model for users: `Qwen3-4B-q4f16_1-MLC` is `Qwen3 4B`. */
export function friendlyName(id: string): string {
  const name = id.replace(/-q\d+f\d+(_\d+)?(-MLC)?(-\w+)?$/i, '').replace(/[-_.]q\d(_\w+)*$/i, '');
  return name.replace(/[-_ ]instruct\b/i, '').replaceAll(/[-_]+/g, ' ');
}

/** The facts about a model in this browser. `onProcessor`: without a GPU. */
export function factsOf(id: string, onProcessor: boolean): ModelFacts {
  const billions = Number(/(\d+(?:\.\d+)?)\s?b\b/i.exec(id.replaceAll(/[-_]/g, ' '))?.[1] ?? Number.NaN);
  const quality = Number.isNaN(billions)
    ? 'unknown'
    : billions < 1.4
      ? 'tiny'
      : billions < 3
        ? 'small'
        : billions < 6
          ? 'medium'
          : 'large';
  if (onProcessor) return { speed: 'very-slow', quality };
  const speeds = { tiny: 'fast', small: 'fast', medium: 'medium', large: 'slow', unknown: 'medium' } as const;
  return { speed: speeds[quality], quality };
}

/** Tokens of the first prompt of a small model, with a short request. */
const FIRST_PROMPT_TOKENS = 1_000;
/** Seconds after which waiting for the first words of every visit is not worth it. */
export const TOO_SLOW_S = 240;

/**
 * Estimates how long a model on the processor reads before its first words; the real time may be half or twice as long.
 *
 * @param bytes Size of its file.
 * @param readingSpeed Tokens per second for a file of a gigabyte.
 */
export function secondsToFirstWords(bytes: number, readingSpeed: number): number {
  return (FIRST_PROMPT_TOKENS * bytes) / (readingSpeed * 1e9);
}
