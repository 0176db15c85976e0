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
  } catch {
    // forbidden: then there is none
  }
}

function isPosition(value: unknown): value is SessionPosition {
  const { place, id, head } = (value ?? {}) as Record<string, unknown>;
  return typeof place === 'string' && typeof id === 'string' && typeof head === 'number';
}

function keyOf(session: string): string {
  return `rolezero:${session}`;
}
