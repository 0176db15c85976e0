import { describeValue, isPromise } from '../base/describe-value.js';
import { RoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import type { ChatModel } from '../base/model.js';
import type { PageTool } from '../base/page-tool.js';
import type { ConfigOf } from '../base/served.js';
import type { OpenOptions } from '../wire/protocol.js';
import { describeModels } from './page-models.js';
import type { PersonCallbacks } from './page.js';
import { knownPositions } from './sentinel.js';

export interface ConnectOptions extends PersonCallbacks {
  /** Same name, same session, also after a reload. Default `default`. */
  session?: string;
  /**
   * Given to the function that `serve` was called with; must be structured-cloneable. `connect<typeof import('./agent.worker')>` checks
   * its type, the option `config` of `serve` its value.
   */
  config?: unknown;
  /** Tools whose code runs on this page. */
  tools?: readonly PageTool[];
  /**
   * Models that stand on this page, for roles in the worker, by any name: `{ chrome: chrome() }` for Chrome's built-in one, which workers
   * do not have. `serve((config, page) => new RoleZero({ model: page.model('chrome') }))` takes it up.
   */
  models?: Readonly<Record<string, ChatModel>>;
  /** Take the session over from another tab that holds it, instead of failing with `session-busy`. */
  takeOver?: boolean;
  /**
   * Look on while another tab or worker holds the session, instead of failing with `session-busy`: the page sees what that one sees, may
   * read, answer and stop, and holds the session itself as soon as the other lets it go. `session.viewing` says which, the event
   * `session-held` when it changes. `session-busy` is then thrown only where the other does not answer within 5 seconds. Default false.
   *
   * Without Web Locks (plain `http://`, see the warning `insecure-context`) the page stays read-only until it connects again.
   */
  view?: boolean;
  /**
   * Asks the browser to keep this site's data when space is short, as soon as the session is written to; the event
   * `storage-persistence` tells the outcome. Default true; false leaves it to the page, for some browsers show a question.
   */
  persist?: boolean;
  /**
   * How often in a row a worker that is lost is made again, where `connect` was given a function that makes one; the run goes on in it,
   * and a warning `worker-restarted` tells. A run that ends counts anew. 3 is a good number. Default 0: the loss ends the session here,
   * and all that is pending rejects with `worker-lost`.
   */
  restarts?: number;
  /**
   * Milliseconds without any sign of life after which a worker counts as hung, in a loop that never ends for example, and is ended like
   * a lost one. Only a worker that `connect` made; one that was given only while it opens the session. Default 30,000; 0 never.
   */
  hungAfterMs?: number;
}

/** Options of `connect` with the config that the worker file declares; required unless that may be undefined. */
export type ConnectOptionsFor<WorkerFile> = Omit<ConnectOptions, 'config'> &
  (undefined extends ConfigOf<WorkerFile>
    ? { config?: ConfigOf<WorkerFile> }
    : { config: ConfigOf<WorkerFile> });

const OPTION_NAMES: Record<keyof ConnectOptions, true> = {
  session: true,
  config: true,
  tools: true,
  models: true,
  takeOver: true,
  view: true,
  persist: true,
  restarts: true,
  hungAfterMs: true,
  askHuman: true,
  approve: true,
};

/** Checks what the types promise, for callers without types. @throws RoleZeroError `invalid` with the value and the fix. */
export function checkOptions(options: ConnectOptions): void {
  if (!isRecord(options))
    throw invalid(`The options of connect() must be an object, but are ${describeValue(options)}.`);
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(OPTION_NAMES, name));
  if (unknown.length > 0)
    throw invalid(
      `connect() has no option ${unknown.join(', ')}. Its options are ${Object.keys(OPTION_NAMES).join(', ')}.`,
    );
  checkTools(options.tools);
}

/** The options that cross the wire. @throws RoleZeroError `invalid` when one of `models` is not a model. */
export function openOptions(
  session: string,
  { config, tools = [], models = {}, takeOver = false, view = false }: ConnectOptions,
): OpenOptions {
  return {
    session,
    config,
    tools: tools.map((tool) => tool.descriptor),
    models: describeModels(models),
    takeOver,
    view,
    known: knownPositions(session),
  };
}

/**
 * Checks that a value is a worker.
 *
 * @param isMade Whether it comes from a function that was given to `connect`.
 * @throws RoleZeroError `invalid`
 */
export function checkWorker(worker: Worker, isMade: boolean): Worker {
  if (typeof (worker as Partial<Worker> | undefined)?.postMessage === 'function') return worker;
  const what = isMade
    ? 'The function given to connect() must return a worker, but returned'
    : 'connect() needs a worker, or a function that makes one, but was given';
  const fix = "Write () => new Worker(new URL('./agent.worker.js', import.meta.url), { type: 'module' }).";
  throw invalid(`${what} ${describeValue(worker)}. ${fix}`);
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools))
    throw invalid(
      `\`tools\` must be a list of page tools, but is ${describeValue(tools)}. Write tools: [ … ].`,
    );
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const descriptor = isRecord(tool) ? tool['descriptor'] : undefined;
    if (!isRecord(descriptor) || typeof descriptor['name'] !== 'string')
      throw invalid(`\`tools[${index}]\` must be a page tool, but is ${describeValue(tool)}. ${fixOf(tool)}`);
    const { name } = descriptor;
    if (names.has(name))
      throw invalid(`\`tools\` has two page tools named ${name}. Rename one of them, or leave one out.`);
    names.add(name);
  }
}

function fixOf(tool: unknown): string {
  if (typeof tool === 'function') return `Call it: ${tool.name === '' ? 'frame' : tool.name}().`;
  if (isPromise(tool)) return 'Await it first.';
  const first: unknown = Array.isArray(tool) ? tool[0] : tool;
  if (isRecord(first) && typeof first['run'] === 'function')
    return 'A tool that runs in the worker belongs into new RoleZero({ tools }); make one for the page with pageTool().';
  return 'Make one with pageTool().';
}

function invalid(message: string): RoleZeroError {
  return new RoleZeroError('invalid', message);
}
