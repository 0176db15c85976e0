import type { State } from './app-state.js';

/** In ms, the time after which a server that limits requests is asked again. It seldom lets a page read its own request. */
const RATE_LIMIT_WAIT = 30_000;

/** Returns the ms until a run that a rate limit ended can be continued; 0 when it can be now. */
export function retryWait(
  { paused, conversation }: Pick<State, 'paused' | 'conversation'>,
  now: number,
): number {
  if (paused?.why !== 'failed' || paused.at === null) return 0;
  if (conversation.failure?.advice !== 'rate-limit') return 0;
  return Math.max(0, paused.at + RATE_LIMIT_WAIT - now);
}
