import type { ConnectOptions, ConnectOptionsFor } from './connect-options.js';
import { ClientSession } from './session.js';

/**
 * Opens a session in a worker whose file calls `serve`. When the page enters the back/forward cache, a worker created by the given function
 * is terminated. A new one is created when the page returns. A given worker stays alive and only releases the session meanwhile.
 *
 * @example
 * const session = await connect(new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }), { session: 'game' })
 * @throws RoleZeroError `worker-start` when the worker does not load or answer, `worker-lost` when it dies or hangs while opening,
 * `session-busy` when another tab owns the session, `storage-…` when it cannot be read, `invalid` for an option that does not exist or is
 * not a page tool or model, and any error that `serve`'s function throws.
 */
export function connect(worker: Worker | (() => Worker), options?: ConnectOptions): Promise<ClientSession>;
/**
 * The same with the type of `config` that the worker file declares, where that file ends in `export default serve<Config>(…)`.
 *
 * @example const session = await connect<typeof import('./agent.worker')>(makeWorker, { config: { apiKey } })
 */
export function connect<WorkerFile>(
  worker: Worker | (() => Worker),
  options: ConnectOptionsFor<WorkerFile>,
): Promise<ClientSession>;
export function connect(
  worker: Worker | (() => Worker),
  options: ConnectOptions = {},
): Promise<ClientSession> {
  return ClientSession.open(worker, options);
}
