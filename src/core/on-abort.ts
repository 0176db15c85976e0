import { stoppedError } from './error.js';

/** The listeners of each signal. Each of the many calls of a run listens to the same signal, one after the other. */
const listenersBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `then` once when the signal aborts, or immediately when it is already aborted. Returns a function that removes the listener. For
 * signals with many short-lived listeners: adds one platform listener per signal instead of one per call.
 */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) {
    then();
    return () => {};
  }
  const others = listenersBySignal.get(signal) ?? listenersOf(signal);
  // A new function, because the same callback may be registered twice.
  const listener = (): void => then();
  others.add(listener);
  return () => others.delete(listener);
}

/** Waits for `work`. Rejects with `aborted` as soon as the signal aborts, whatever `work` does. */
export async function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let forget = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => reject(stoppedError(signal)));
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    forget();
  }
}

function listenersOf(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersBySignal.set(signal, listeners);
  signal.addEventListener('abort', () => listeners.forEach((listener) => listener()), { once: true });
  return listeners;
}
