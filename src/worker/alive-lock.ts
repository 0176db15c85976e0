import { newId } from '../core/new-id.js';

/** False outside of a secure context. */
export function hasWebLocks(): boolean {
  return (navigator as { locks?: LockManager }).locks !== undefined;
}

/**
 * Holds a lock for the lifetime of this worker: another request for it is granted when the worker ends, for whatever reason. Returns its
 * name; null where there are no Web Locks, or where the browser blocks them.
 */
export async function holdAliveLock(): Promise<string | null> {
  if (!hasWebLocks()) return null;
  const name = `rolezero-alive:${newId()}`;
  try {
    await new Promise<void>((held, refused) => {
      const holding = navigator.locks.request(name, () => {
        held();
        return new Promise(() => {});
      });
      holding.catch(refused);
    });
    return name;
  } catch {
    return null; // the page has its heartbeats
  }
}
