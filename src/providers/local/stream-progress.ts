import { RoleZeroError, throwIfStopped } from '../../core/error.js';
import type { ChatChunk } from '../../core/model.js';

/** Passes a chunk on. */
export type Emit<Chunk = ChatChunk> = (chunk: Chunk) => void;

/**
 * Yields the chunks that `work` emits, then ends or throws as `work` does. `work` is not slowed down by a slow consumer.
 *
 * On abort, throws `aborted` immediately and yields nothing more. On abort or early exit of the consumer, the signal of `work` aborts;
 * `work` is not awaited.
 */
export async function* streamProgress<Chunk>(
  work: (emit: Emit<Chunk>, signal: AbortSignal) => Promise<void>,
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

/** Passes chunks to one reader. It never slows the writer down. */
export class ChunkQueue<Chunk> {
  readonly #chunks: Chunk[] = [];
  #isOver = false;
  #wake = (): void => {};

  add(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.#wake();
  }

  /** Ends the iteration after the chunks that were added. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Ends when `work` settles. Returns the same promise. */
  until<Value>(work: Promise<Value>): Promise<Value> {
    const end = (): void => this.end();
    work.then(end, end);
    return work;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, void> {
    for (;;) {
      const next = this.#chunks.shift();
      if (next !== undefined) yield next;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
