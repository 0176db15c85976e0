import { RoleZeroError } from '../core/error.js';
import { inTime } from '../core/in-time.js';

/** In ms. A vector or rating that arrives later does not help the current step. */
const MODEL_TIMEOUT_MS = 5_000;

/**
 * Runs `work` of an embedder or of `rerank` with a time limit of 5 s.
 * @throws RoleZeroError `tool-timeout` after the limit; the signal is aborted too.
 */
export function withTimeLimit<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  return inTime(work(controller.signal), MODEL_TIMEOUT_MS, () => {
    const error = new RoleZeroError(
      'tool-timeout',
      `The model did not answer within ${MODEL_TIMEOUT_MS} ms.`,
    );
    controller.abort(error);
    throw error;
  });
}
