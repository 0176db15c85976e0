import { RoleZeroError } from '../../core/error.js';

/**
 * Returns the result of `work` within a time limit, even if `work` ignores its signal.
 *
 * @throws RoleZeroError `tool-timeout` after `milliseconds`; the reason of `stop` if that aborts; any error of `work`.
 */
export async function withTimeLimit<T>(
  milliseconds: number,
  what: string,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  stop.throwIfAborted();
  const deadline = new AbortController();
  const signal = AbortSignal.any([stop, deadline.signal]);
  const late = new RoleZeroError('tool-timeout', `${what} did not answer within ${milliseconds / 1000} s.`, {
    milliseconds,
  });
  const timer = setTimeout(() => deadline.abort(late), milliseconds);
  try {
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    const result = (async () => work(signal))();
    result.catch(() => {}); // ignores a failure after a timeout or an abort
    return await Promise.race([ended, result]);
  } finally {
    clearTimeout(timer);
  }
}
