import type { SessionPosition } from '../base/store.js';

/**
 * What the page remembers of its sessions, in `localStorage`: the browser does not throw that away together with databases and files,
 * so a storage that was emptied cannot pass for a new one. Where there is no `localStorage`, nothing is remembered.
 */

export function knownPositions(session: string): SessionPosition[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(keyOf(session)) ?? '[]');
    return Array.isArray(known) ? known.filter(isPosition) : [];
  } catch {
    return [];
  }
}

export function rememberPosition(session: string, position: SessionPosition): void {
  const others = knownPositions(session).filter(({ place }) => place !== position.place);
  try {
    localStorage.setItem(keyOf(session), JSON.stringify([position, ...others.slice(0, 3)]));
  } catch {
    // it is full or forbidden: a loss would go unnoticed, no more
  }
}

export function forgetPositions(session: string): void {
  try {
    localStorage.removeItem(keyOf(session));
    localStorage.removeItem(triesKeyOf(session));
  } catch {
    // forbidden: then there is none
  }
}

/**
 * Notes that interrupted work is about to be gone on with at `head`, before it is; how often in a row that has happened there, this time
 * included, with no commit since, no end of a run and no leaving of the page in between.
 */
export function countTry(session: string, head: number): number {
  const key = triesKeyOf(session);
  try {
    const [place, count] = (localStorage.getItem(key) ?? '').split(' ').map(Number);
    const tries = place === head && count !== undefined && count > 0 ? count + 1 : 1;
    localStorage.setItem(key, `${head} ${tries}`);
    return tries;
  } catch {
    return 1; // nobody counts where nothing can be kept
  }
}

/** The run has come to an end by itself, the page was left while it was well, or somebody wants another try. */
export function forgetTries(session: string): void {
  try {
    localStorage.removeItem(triesKeyOf(session));
  } catch {
    // forbidden: then there is none
  }
}

function triesKeyOf(session: string): string {
  return `rolezero-tries:${session}`;
}

function isPosition(value: unknown): value is SessionPosition {
  const { place, id, head } = (value ?? {}) as Record<string, unknown>;
  return typeof place === 'string' && typeof id === 'string' && typeof head === 'number';
}

function keyOf(session: string): string {
  return `rolezero:${session}`;
}
