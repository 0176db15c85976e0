import { RoleZeroError } from '../../core/error.js';
import { onAbort } from '../../core/on-abort.js';

/**
 * Passes each chunk of a stream to `take` until it returns false. Ends as soon as the signal aborts, even if the model ignores it. A stream
 * that is not read to its end is closed.
 */
export async function readStream<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
  take: (item: Item) => boolean,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  // Not awaited: a model that hangs must not delay the stop.
  const close = (): void => void Promise.resolve(iterator.return?.()).catch(() => {});
  let forget: () => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => reject(new RoleZeroError('aborted', 'Stopped.', {}, signal.reason)));
  });
  const read = async (): Promise<void> => {
    for (;;) {
      const next = await iterator.next();
      if (next.done || signal.aborted) return;
      if (!take(next.value)) {
        close();
        return;
      }
    }
  };
  try {
    // One race for the whole stream, so that it does not hold on to the chunks.
    await Promise.race([stopped, read()]);
  } catch (error) {
    close();
    throw error;
  } finally {
    forget();
  }
}
