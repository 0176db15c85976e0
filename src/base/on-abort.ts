/** What waits for the abort of a signal; a signal of a run is waited for by each of its many calls, one after the other. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `then` once when the signal aborts, at once when it has; the function it gives ends that. For signals that many short pieces of work
 * listen to in turn: the platform is asked to listen once a signal, and not at every piece.
 */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) {
    then();
    return () => {};
  }
  const others = waiting.get(signal) ?? listenersOf(signal);
  // Of its own: the same function may wait twice.
  const listener = (): void => then();
  others.add(listener);
  return () => others.delete(listener);
}

function listenersOf(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  waiting.set(signal, listeners);
  signal.addEventListener('abort', () => listeners.forEach((listener) => listener()), { once: true });
  return listeners;
}
