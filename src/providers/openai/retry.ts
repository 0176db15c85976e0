import { backOff } from '../../core/back-off.js';
import { type RoleZeroError, sentences } from '../../core/error.js';
import type { ChatChunk } from '../../core/model.js';
import type { Patience } from './patience.js';

/** Milliseconds between two chunks of a countdown. */
const TICK = 1_000;

/** The failures of one call so far, and the limit of its retries. */
interface Attempts {
  attempt: number;
  most: number;
  random: () => number;
}

/** Waits before the next attempt. Yields a countdown: a `progress` chunk at once and each second, with the reason. */
export async function* waitToRetry(
  error: RoleZeroError,
  { attempt, most, random }: Attempts,
  patience: Patience,
): AsyncGenerator<ChatChunk, void> {
  const { retryAfterMs, status } = error.detail;
  const asked = typeof retryAfterMs === 'number' ? retryAfterMs : null;
  for (let left = backOff(attempt, random, asked, status === 429); ; left -= TICK) {
    const text = sentences(`Trying again in ${seconds(left)} (${attempt} of ${most})`, error.message);
    yield { type: 'progress', phase: 'waiting', loaded: attempt, total: most, text, retryInMs: left };
    await patience.pause(Math.min(left, TICK));
    if (left <= TICK) return;
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
