import { newId } from '../core/new-id.js';

/** False outside of a secure context. */
export function hasWebLocks(): boolean {
  return (navigator as { locks?: LockManager }).locks !== undefined;
}

/** A lock that a worker holds until it is released. */
export interface AliveLock {
  /** Null where there are no Web Locks, or where the browser blocks them: the page has its heartbeats. */
  readonly name: string | null;
  release(): void;
}

/** Holds a lock: another request for it is granted when this worker ends, for whatever reason, or releases it. */
export async function holdAliveLock(): Promise<AliveLock> {
  let release: () => void = () => {};
  if (!hasWebLocks()) return { name: null, release };
  const name = `rolezero-alive:${newId()}`;
  try {
    await new Promise<void>((held, refused) => {
      const holding = navigator.locks.request(name, () => {
        held();
        return new Promise<void>((resolve) => (release = resolve));
      });
      holding.catch(refused);
    });
    return { name, release };
  } catch {
    return { name: null, release };
  }
}
