import { checkOptions } from '../core/check-options.js';
import { describeValue, isPromise } from '../core/describe-value.js';
import type { DocumentReader } from '../core/document-reader.js';
import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { ChatModel } from '../core/model.js';
import type { PageTool } from '../core/page-tool.js';
import type { ConfigOf } from '../core/served.js';
import type { OpenOptions } from '../wire/protocol.js';
import { describeModels, type UserCallbacks } from './page.js';
import { knownPositions } from './sentinel.js';

export interface ConnectOptions extends UserCallbacks {
  /** Name of the session: the same name opens the same session, also after a reload. Default `default`. */
  session?: string;
  /**
   * Value passed to the function given to `serve`; must be structured-cloneable. `connect<typeof import('./agent.worker')>` checks its
   * type, and the option `config` of `serve` checks its value.
   */
  config?: unknown;
  /** Tools whose code runs on this page. */
  tools?: readonly PageTool[];
  /**
   * Models that run on this page, for roles in the worker, by any name. Example: `{ chrome: chrome() }` for Chrome's built-in model, which
   * is missing in workers. Use it with `serve((config, page) => new RoleZero({ model: page.model('chrome') }))`.
   */
  models?: Readonly<Record<string, ChatModel>>;
  /** Read the text of documents that are attached to requests: `[pdf()]` of `rolezero/readers/pdf`. See `files` of `Session.send`. */
  readers?: readonly DocumentReader[];
  /** Takes the session over from another tab that owns it, instead of rejecting with `session-busy`. */
  takeOver?: boolean;
  /**
   * Becomes a viewer while another tab or worker owns the session, instead of rejecting with `session-busy`. A viewer receives the same
   * events and may read, answer and stop. It becomes the owner as soon as the other releases the session. `session.viewing` is true for a
   * viewer, and the event `session-held` reports the change. `session-busy` is then only thrown where the owner does not answer within 5
   * seconds. Default false.
   *
   * Without Web Locks (plain `http://`, see the warning `insecure-context`) the page stays read-only until it connects again.
   */
  view?: boolean;
  /**
   * Asks the browser to keep this site's data when disk space is low, after the first write to the session. The event `storage-persistence`
   * reports the outcome. Default true. With false, the page can ask itself: some browsers show a prompt.
   */
  persist?: boolean;
  /**
   * Number of times in a row that a lost worker is replaced, if `connect` was given a function that creates it: at once, then after 1 s, 2 s,
   * 4 s …, at most 30 s. One that dies, does not load, or does not answer within 5 s while it starts is lost, too (the last one has 15 s), also
   * the first one. The run continues in the new worker, and the warning `worker-restarted` is emitted. Calls wait meanwhile, and interrupted ones are repeated; one that may have
   * changed something rejects with `interrupted`. The end of a run resets the count. 3 is a good number. Default 0: the loss ends the
   * session on this page, and all pending calls reject with `worker-lost`.
   */
  restarts?: number;
  /**
   * Milliseconds without a response after which a worker counts as hung, in an endless loop for example. It is then terminated like a lost
   * one. Applies to a worker that `connect` created; to a given one only while it opens the session. Default 30,000; 0 disables it.
   */
  hungAfterMs?: number;
}

/** Options of `connect` with the type of `config` that the worker file declares. `config` is required unless that type allows undefined. */
export type ConnectOptionsFor<WorkerFile> = Omit<ConnectOptions, 'config'> &
  (undefined extends ConfigOf<WorkerFile>
    ? { config?: ConfigOf<WorkerFile> }
    : { config: ConfigOf<WorkerFile> });

const CONNECT_OPTIONS: Record<keyof ConnectOptions, true> = {
  session: true,
  config: true,
  tools: true,
  models: true,
  readers: true,
  takeOver: true,
  view: true,
  persist: true,
  restarts: true,
  hungAfterMs: true,
  askHuman: true,
  approve: true,
};

/** Checks the options of untyped callers. @throws RoleZeroError `invalid` with the value and the fix. */
export function checkConnectOptions(options: ConnectOptions): void {
  checkOptions('connect()', options, CONNECT_OPTIONS);
  checkTools(options.tools);
}

/** Returns the options that are sent to the worker. @throws RoleZeroError `invalid` when one of `models` is not a model. */
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
 * @param isMade Whether it was returned by a function passed to `connect`.
 * @throws RoleZeroError `invalid`
 */
export function checkWorker(worker: Worker, isMade: boolean): Worker {
  if (typeof (worker as Partial<Worker> | undefined)?.postMessage === 'function') return worker;
  const what = isMade
    ? 'The function given to connect() must return a worker, but returned'
    : 'connect() needs a worker, or a function that makes one, but was given';
  const fix = "Write () => new Worker(new URL('./agent.worker.js', import.meta.url), { type: 'module' }).";
  throw optionError(`${what} ${describeValue(worker)}. ${fix}`);
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools))
    throw optionError(
      `\`tools\` must be a list of page tools, but is ${describeValue(tools)}. Write tools: [ … ].`,
    );
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const descriptor = isRecord(tool) ? tool['descriptor'] : undefined;
    if (!isRecord(descriptor) || typeof descriptor['name'] !== 'string')
      throw optionError(
        `\`tools[${index}]\` must be a page tool, but is ${describeValue(tool)}. ${fixOf(tool)}`,
      );
    const { name } = descriptor;
    if (names.has(name))
      throw optionError(`\`tools\` has two page tools named ${name}. Rename one of them, or leave one out.`);
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

function optionError(message: string): RoleZeroError {
  return new RoleZeroError('invalid', message);
}
