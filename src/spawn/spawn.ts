import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import { connect } from '../client/connect.js';
import type { ClientSession } from '../client/session.js';
import type { SpawnConfig, SpawnOptions } from './settings.js';
import { loadInlineWorker, shellAddress, workerFromFile, workerFromUrl } from './start-worker.js';

/** What `frame()` of `rolezero/tools/frame` is called: the page's half of the Browser. */
const BROWSER_PART = 'Browser.frame';

/**
 * Opens a session in the ready-made worker: a RoleZero with the Editor on a model behind the OpenAI protocol or on one of the page's
 * `models`, with the Browser where `tools` holds `frame()`, and with a shell where `terminal` says so, without a worker file to write. The same session as `connect` gives; its
 * worker ends with `session.close()`. The worker is loaded as a file where the bundler ships it, else from text (a
 * Content-Security-Policy must then allow `worker-src blob:`).
 *
 * @example const session = await spawn({ model: { baseURL: 'http://localhost:11434/v1', model: 'qwen3' } })
 * @example const session = await spawn({ model: { provider: 'page', name: 'chrome' }, models: { chrome: chrome() } })
 * @throws RoleZeroError what `connect` throws, `not-found` naming the model that `models` lacks, and `invalid` naming the option that does not exist or is not plain data.
 */
export async function spawn(options: SpawnOptions): Promise<ClientSession> {
  const { model, role = {}, terminal = false, worker, workerUrl, ...rest } = options;
  const browser = rest.tools?.some(({ descriptor }) => descriptor.name === BROWSER_PART) ?? false;
  const shell = await addressOf(terminal);
  const config = plainData({
    model,
    role,
    ...defined({ browser: browser || undefined, shell: shell ?? undefined }),
  });
  const open = (from: Worker | (() => Worker)): Promise<ClientSession> => connect(from, { ...rest, config });
  if (worker !== undefined) return open(worker);
  if (workerUrl !== undefined) return open(() => workerFromUrl(workerUrl));
  try {
    return await open(workerFromFile);
  } catch (error) {
    if (!didNotStart(error)) throw error;
    return open(await loadInlineWorker());
  }
}

/** Of the shell's worker; null where none is wanted. */
async function addressOf(terminal: NonNullable<SpawnOptions['terminal']>): Promise<string | null> {
  if (terminal === false) return null;
  return terminal === true ? shellAddress() : new URL(terminal.workerUrl, location.href).href;
}

/** Returns true when the script did not load or sent no message, false when the worker replied with its own error. */
function didNotStart(error: unknown): boolean {
  if (error instanceof RoleZeroError) return error.code === 'worker-start';
  return error instanceof DOMException && error.name === 'SecurityError';
}

/** A copy as the worker will get it. */
function plainData(config: SpawnConfig): SpawnConfig {
  try {
    return structuredClone(config);
  } catch (error) {
    throw new RoleZeroError(
      'invalid',
      'spawn() takes plain data for `model` and `role`: functions and objects with methods cannot go into its worker. Give a model that runs on the page in `models` and name it as `model`. For the rest write a worker file of your own (see `serve` in rolezero/worker).',
      {},
      error,
    );
  }
}
