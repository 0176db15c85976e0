import { RoleZeroError } from '../../core/error.js';
import { ChunkQueue } from './chunk-queue.js';

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
  const queue = new ChunkQueue<Chunk>();
  const stop = () => {
    left.abort(signal.reason);
    queue.end();
  };
  throwIfStopped(signal);
  signal.addEventListener('abort', stop, { once: true });
  const ended = queue.until(work((chunk) => queue.add(chunk), left.signal));
  try {
    for await (const chunk of queue) {
      throwIfStopped(signal);
      yield chunk;
    }
    throwIfStopped(signal);
    await ended;
  } finally {
    signal.removeEventListener('abort', stop);
    left.abort(new RoleZeroError('aborted', 'The reader of the stream has stopped.'));
  }
}

function throwIfStopped({ aborted, reason }: AbortSignal): void {
  if (aborted) throw new RoleZeroError('aborted', 'Stopped.', {}, reason);
}
