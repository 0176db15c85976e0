import { RoleZeroError } from '../core/error.js';

/** In ms. A vector or rating that arrives later does not help the current step. */
const PATIENCE = 5_000;

/**
 * Runs `work` of an embedder or of `rerank` with a time limit of 5 s.
 * @throws RoleZeroError `tool-timeout` after the limit; the signal is aborted too.
 */
export async function withTimeLimit<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new RoleZeroError('tool-timeout', `The model did not answer within ${PATIENCE} ms.`);
      controller.abort(error);
      reject(error);
    }, PATIENCE);
  });
  const working = work(controller.signal);
  working.catch(() => {}); // prevents an unhandled rejection after the timeout
  try {
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
  }
}
