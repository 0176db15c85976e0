import { RoleZeroError } from '../base/error.js';

/** Milliseconds. A vector that arrives later does not help the current step. */
const PATIENCE = 5_000;

/** Runs work of an embedder with a time limit. @throws RoleZeroError `tool-timeout` after it, and aborts the signal. */
export async function patiently<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new RoleZeroError('tool-timeout', `The embedder did not answer within ${PATIENCE} ms.`);
      controller.abort(error);
      reject(error);
    }, PATIENCE);
  });
  const working = work(controller.signal);
  working.catch(() => {}); // it may fail when nobody waits any more
  try {
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
  }
}
