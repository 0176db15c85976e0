import { storageError } from './storage-error.js';

/** The Web Lock of a session while it is held. It ends when it is released or stolen, or with its tab or worker. */
export interface SessionLock {
  /** Aborted when another writer stole the lock; never otherwise. */
  readonly stolen: AbortSignal;
  /** No other writer can have the lock, or remove the session, before it is stolen. False without Web Locks. */
  readonly isExclusive: boolean;
  /** Resolves when the lock is free. Idempotent. */
  release(): Promise<void>;
}

export interface HowToTake {
  steal: boolean;
  /** Milliseconds. */
  waitMs: number;
  wait?: AbortSignal | undefined;
}

/**
 * Takes a lock. Returns null when another holder still has it after `waitMs` (0: does not wait). With `wait`, waits until that signal
 * aborts instead.
 *
 * Without Web Locks (an insecure context) every caller gets a lock that excludes no one: only the epoch protects the session.
 */
export function takeLock(name: string, how: HowToTake): Promise<SessionLock | null> {
  const locks = (navigator as { locks?: LockManager }).locks;
  const stolen = new AbortController();
  if (locks === undefined) {
    return Promise.resolve({
      stolen: stolen.signal,
      isExclusive: false,
      release: () => Promise.resolve(),
    });
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
        isExclusive: true,
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

/** The wait timed out or was aborted, or another writer stole the lock before it was reported as granted. */
function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
