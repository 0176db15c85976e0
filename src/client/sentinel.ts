import { RoleZeroError } from '../core/error.js';
import type { SessionPosition } from '../core/store.js';
import type { SessionView } from '../wire/protocol.js';

/**
 * Positions of sessions that the page stores in `localStorage`. The browser does not delete that together with databases and files. A
 * storage that was emptied is therefore not mistaken for a new one. Without `localStorage`, nothing is stored.
 */

export function knownPositions(session: string): SessionPosition[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(positionsKey(session)) ?? '[]');
    return Array.isArray(known) ? known.filter(isPosition) : [];
  } catch {
    return [];
  }
}

export function rememberPosition(session: string, position: SessionPosition): void {
  const others = knownPositions(session).filter(({ place }) => place !== position.place);
  try {
    localStorage.setItem(positionsKey(session), JSON.stringify([position, ...others.slice(0, 3)]));
  } catch {
    // full or denied: the only effect is that a loss would not be noticed
  }
}

export function forgetPositions(session: string): void {
  try {
    localStorage.removeItem(positionsKey(session));
    localStorage.removeItem(triesKey(session));
  } catch {
    // denied: then nothing is stored
  }
}

/** Number of times in a row that interrupted work may crash its tab or worker at the same place. */
const MAX_TRIES = 3;

/**
 * Records an attempt to continue interrupted work, if there is any, before it starts.
 * @throws RoleZeroError `step-poisoned` after too many in a row; the next attempt is then allowed again.
 */
export function checkTries(session: string, { position, running, resumable }: SessionView): void {
  if (!resumable || running !== null || position === null) return;
  if (countTry(session, position.head) <= MAX_TRIES) return;
  forgetTries(session);
  throw new RoleZeroError(
    'step-poisoned',
    `The interrupted step ended its tab or worker ${MAX_TRIES} times in a row. Send a different message, or resume again.`,
    { session },
  );
}

/**
 * Records an attempt to continue interrupted work at `head`, before it starts. Returns the number of attempts in a row at that position,
 * this one included. A commit, the end of a run, or leaving the page resets the count.
 */
function countTry(session: string, head: number): number {
  const key = triesKey(session);
  try {
    const [place, count] = (localStorage.getItem(key) ?? '').split(' ').map(Number);
    const tries = place === head && count !== undefined && count > 0 ? count + 1 : 1;
    localStorage.setItem(key, `${head} ${tries}`);
    return tries;
  } catch {
    return 1; // without storage there is no count
  }
}

/** Resets the count: the run ended, the page was left while it worked, or the user wants another attempt. */
export function forgetTries(session: string): void {
  try {
    localStorage.removeItem(triesKey(session));
  } catch {
    // denied: then nothing is stored
  }
}

function triesKey(session: string): string {
  return `rolezero-tries:${session}`;
}

function isPosition(value: unknown): value is SessionPosition {
  const { place, id, head } = (value ?? {}) as Record<string, unknown>;
  return typeof place === 'string' && typeof id === 'string' && typeof head === 'number';
}

function positionsKey(session: string): string {
  return `rolezero:${session}`;
}
