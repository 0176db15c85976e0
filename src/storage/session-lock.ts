import { storageError } from './storage-error.js';

/** A session's Web Lock while it is held. It ends when it is released, when it is stolen, or with its tab or worker. */
export interface SessionLock {
  /** Aborted when another writer stole the lock; never otherwise. */
  readonly stolen: AbortSignal;
  /** Resolves when the lock is free again. Idempotent. */
  release(): Promise<void>;
}

export interface HowToTake {
  steal: boolean;
  /** Milliseconds. */
  waitMs: number;
  wait?: AbortSignal | undefined;
}

/**
 * Takes a lock; null when somebody else holds it and still does after `waitMs` (0: does not wait), or when `wait`, which comes in its
 * place, aborts.
 *
 * Where there are no Web Locks (an insecure context) everybody gets one: it keeps nobody out, and the epoch alone protects the session.
 */
export function takeLock(name: string, how: HowToTake): Promise<SessionLock | null> {
  const locks = (navigator as { locks?: LockManager }).locks;
  const stolen = new AbortController();
  if (locks === undefined) {
    return Promise.resolve({ stolen: stolen.signal, release: () => Promise.resolve() });
  }
  return new Promise((resolve, reject) => {
    let granted = false;
    let free = () => {};
    const freed = new Promise<void>((done) => (free = done));
    const request = locks.request(name, lockOptions(how), async (lock) => {
      if (lock === null) {
        resolve(null);
        return;
      }
      granted = true;
      resolve({
        stolen: stolen.signal,
        release() {
          free();
          return ended;
        },
      });
      await freed;
    });
    const ended = request.catch((error: unknown) => {
      if (granted) stolen.abort();
      else if (isRefusal(error)) resolve(null);
      else reject(storageError(error, 'open'));
    });
  });
}

function lockOptions({ steal, waitMs, wait }: HowToTake): LockOptions {
  if (steal) return { steal };
  if (wait !== undefined) return { signal: wait };
  return waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
}

/** The wait timed out or was given up, or another writer stole the lock before we were told that it was ours. */
function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
