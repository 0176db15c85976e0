import type { ProgressChunk } from '../../core/model.js';

/** Tokens of a prompt that have been read. */
export interface PromptProgress {
  /** Tokens of the prompt. */
  total: number;
  /** Tokens read, with those in the cache. */
  processed: number;
}

const MIN_PIECE = 8;
const MAX_PIECE = 512;

/** Returns how many tokens to read at a time: about one second of them, so that progress and a stop take effect soon. */
export function pieceSize(tokensPerSecond: number): number {
  const size = 2 ** Math.round(Math.log2(Math.max(1, tokensPerSecond)));
  return Math.min(MAX_PIECE, Math.max(MIN_PIECE, size));
}

/**
 * Returns a function that reports the progress of one prompt, with the time left at the speed since its first call; null for a prompt that is
 * read.
 */
export function readingProgress(
  now: () => number = () => performance.now(),
): (read: PromptProgress) => ProgressChunk | null {
  let first: { at: number; processed: number } | null = null;
  return ({ total, processed }) => {
    first ??= { at: now(), processed };
    if (processed >= total) return null;
    const done = processed - first.processed;
    const secondsLeft = done > 0 ? (((now() - first.at) / 1000) * (total - processed)) / done : null;
    const left = secondsLeft === null ? '' : `, about ${timeText(secondsLeft)} left`;
    const text = `Reading the prompt, ${processed} of ${total} tokens${left}.`;
    return { type: 'progress', phase: 'reading', loaded: processed, total, text };
  };
}

function timeText(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.round(seconds / 60)} min`;
}
