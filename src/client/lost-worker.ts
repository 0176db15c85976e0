/** Workers that are created, lost, and replaced. */
import { describeAsSentence, RoleZeroError } from '../core/error.js';
import type { AgentEvent } from '../core/events.js';

/**
 * @param restarts number of replacements in a row that were lost, too
 * @param last why the last one could not be used; null when it was lost like the first worker
 */
export function workerLost(session: string, restarts = 0, last: RoleZeroError | null = null): RoleZeroError {
  const isReplaced =
    restarts > 0
      ? ` ${restarts === 1 ? 'Its replacement was' : `${restarts} replacements were`} lost, too.`
      : '';
  const reason = last === null ? '' : ` The last one: ${last.message}`;
  return new RoleZeroError(
    'worker-lost',
    `The agent worker is gone: it was terminated, or it crashed.${isReplaced}${reason} Nothing committed is lost; connect again and resume.`,
    { session, restarts },
    last ?? undefined,
  );
}

/** @param restarts number of replacements in a row, with this one */
export function workerRestarted(session: string, restarts: number): Omit<AgentEvent<'warning'>, 'type'> {
  const message = 'The agent worker was lost or hung. A new one continues from the stored state.';
  return { code: 'worker-restarted', message, detail: { session, restarts } };
}

/** In ms. Time limit for the start of a replacement: the file of the worker has been loaded before. The last one has the usual limit. */
export const REPLACEMENT_START_MS = 5_000;

/** Returns whether a worker was lost, or may have been while it started. */
export function isWorkerLost({ code, detail }: RoleZeroError): boolean {
  return code === 'worker-lost' || (code === 'worker-start' && detail['retryable'] === true);
}

/** Returns the milliseconds to wait before a replacement: none before the first one, then 1 s, 2 s, 4 s …, at most 30 s. */
export function restartDelay(restarts: number): number {
  return restarts < 2 ? 0 : Math.min(1_000 * 2 ** (restarts - 2), 30_000);
}

/** Creates a worker. @throws RoleZeroError `worker-start` when the browser refuses, as in a frame without an origin; other errors as they are. */
export function makeWorker(make: () => Worker): Worker {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new RoleZeroError(
      'worker-start',
      `The browser refused to create the agent worker: ${describeAsSentence(error)} A sandboxed frame needs allow-same-origin, and the script must be of the page's origin.`,
      {},
      error,
    );
  }
}
