import { RoleZeroError } from '../../core/error.js';

/**
 * Yields the chunks that `work` emits, then ends or throws as `work` does. `work` is not slowed down by a slow consumer.
 *
 * On abort, throws `aborted` immediately and yields nothing more. On abort or early exit of the consumer, the signal of `work` aborts;
 * `work` is not awaited.
 */
export async function* streamProgress<Chunk>(
  work: (emit: (chunk: Chunk) => void, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void> {
  const left = new AbortController();
  const pending: Chunk[] = [];
  let wake: () => void = () => undefined;
  const state: { ended: boolean; failures: unknown[] } = { ended: false, failures: [] };
  const end = (...failures: unknown[]) => {
    Object.assign(state, { ended: true, failures });
    wake();
  };
  const emit = (chunk: Chunk) => {
    pending.push(chunk);
    wake();
  };
  const stop = () => {
    left.abort(signal.reason);
    wake();
  };
  throwIfStopped(signal);
  signal.addEventListener('abort', stop, { once: true });
  void work(emit, left.signal).then(
    () => end(),
    (error: unknown) => end(error),
  );
  try {
    for (;;) {
      throwIfStopped(signal);
      const chunk = pending.shift();
      if (chunk !== undefined) {
        yield chunk;
        continue;
      }
      if (state.ended) {
        for (const failure of state.failures) throw failure;
        return;
      }
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', stop);
    left.abort(new RoleZeroError('aborted', 'The reader of the stream has stopped.'));
  }
}

function throwIfStopped({ aborted, reason }: AbortSignal): void {
  if (aborted) throw new RoleZeroError('aborted', 'Stopped.', {}, reason);
}
