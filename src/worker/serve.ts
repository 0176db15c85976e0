import { expose } from 'comlink';
import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import type { InputSchema, InputIssue } from '../core/input-schema.js';
import { isRecord, type JsonSchema } from '../core/json.js';
import type { Served } from '../core/served.js';
import type { SessionOpener, Storage } from '../core/store.js';
import { indexedDbOpener, storageParts, settingsOf } from '../storage/indexed-db-opener.js';
import { closedProperties, propertyList } from '../tools/registry.js';
import { PROTOCOL_VERSION, readHandshake, type Handshake } from '../wire/protocol.js';
import { holdAliveLock, type AliveLock } from './alive-lock.js';
import { checkedHost } from './checked-host.js';
import { Host } from './host.js';
import type { CreateRoles } from './make-team.js';

export interface ServeOptions<Config = unknown> {
  /**
   * Zod schema of `config`. `connect` then rejects with `invalid` for any other value, and names the missing and the unexpected keys.
   * Default: `config` is not checked.
   */
  config?: InputSchema<Config>;
  /** Storage of the sessions; default: IndexedDB of this origin, database `rolezero`. */
  storage?: Storage;
}

/**
 * Makes this worker run one session. Call it once, at the top level of the worker's file, without awaiting anything before. `create`
 * receives the `config` of the page, and the page's own models as `page.model(name)`. It returns the role, or a team. It is called for each
 * connection and may be asynchronous. When it throws, `connect` on the page rejects with that error.
 *
 * @returns a value to export: its type declares which `config` this worker needs, see `connect`.
 * @example
 * export default serve<{ apiKey: string }>(({ apiKey }) => new RoleZero({ model: openai({ baseURL, model, apiKey }), tools: editor() }))
 * @example export default serve(({ apiKey }) => …, { config: z.object({ apiKey: z.string() }) }) // checked when the page connects
 */
export function serve<Config = unknown>(
  create: CreateRoles<Config>,
  options: ServeOptions<Config> = {},
): Served<Config> {
  checkCreate(create);
  const { config: schema } = options;
  const makeRoles: CreateRoles<unknown> = (config, page) =>
    create(schema === undefined ? (config as Config) : readConfig(schema, config), page);
  const storage: SessionOpener = options.storage ?? indexedDbOpener(storageParts(settingsOf({})));
  const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
  let alive: Promise<AliveLock> | null = null;
  const announce = async (): Promise<void> => {
    const { name } = await (alive ??= holdAliveLock());
    const ready: Handshake = { rolezero: 'ready', version: PROTOCOL_VERSION, aliveLock: name };
    scope.postMessage(ready);
  };
  /** A page that waits for a lock of its worker does not stay in the back/forward cache of Chromium. */
  const releaseLock = async (): Promise<void> => {
    const held = alive;
    alive = null;
    (await held)?.release();
  };
  let host: Host | null = null;
  scope.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = readHandshake(data);
    if (message === null) return; // a message of the application
    switch (message.rolezero) {
      case 'hello':
        void announce();
        break;
      case 'connect':
        void host?.close(); // a page restored from the back/forward cache connects again
        storage.prepare?.(); // while the page sends the session's name and its roles are created
        host = new Host(makeRoles, () => storage, message.port);
        expose(checkedHost(host), message.port);
        break;
      case 'disconnect':
        void host?.close();
        host = null;
        void releaseLock();
        break;
    }
  });
  void announce();
  return Object.freeze({}) as Served<Config>;
}

function checkCreate(create: unknown): void {
  if (typeof create === 'function') return;
  throw new RoleZeroError(
    'invalid',
    `serve() needs a function that makes a role, but was given ${describeValue(create)}. Write serve((config) => new RoleZero({ … })).`,
  );
}

/**
 * Parses the `config` of the page with the worker's schema.
 *
 * @throws RoleZeroError `invalid` that names the missing, unexpected and wrong keys. It contains no values: a config holds API keys.
 */
export function readConfig<Config>(schema: InputSchema<Config>, config: unknown): Config {
  const json = schema.toJSONSchema({ io: 'input', target: 'draft-7', unrepresentable: 'any' }) as JsonSchema;
  const expected = closedProperties(json);
  const given = isRecord(config) ? Object.keys(config) : [];
  const unexpected = expected === null ? [] : given.filter((name) => !Object.hasOwn(expected, name));
  const parsed = schema.safeParse(config);
  if (parsed.success && unexpected.length === 0) return parsed.data;
  const issues = parsed.success || config === undefined ? [] : parsed.error.issues;
  const missing = issues
    .filter((issue) => isMissing(issue, given))
    .map(({ path }) => path.map(String).join('.'));
  const wrong = issues.filter((issue) => !isMissing(issue, given) && issue.code !== 'unrecognized_keys');
  const problems = [
    ...(config === undefined ? ['There is none.'] : []),
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...(unexpected.length > 0 ? [`Unexpected: ${unexpected.join(', ')}.`] : []),
    ...wrong.map(({ path, message }) => `${path.map(String).join('.') || 'config'}: ${message}.`),
  ];
  const names = expected === null ? '' : ` The worker expects ${propertyList(json, expected) || 'no keys'}.`;
  throw new RoleZeroError(
    'invalid',
    `The \`config\` given to connect() does not fit the worker. ${problems.join(' ')}${names}`,
    { missing, unexpected, wrong: wrong.map(({ path }) => path.map(String).join('.')) },
  );
}

function isMissing({ path }: InputIssue, given: readonly string[]): boolean {
  return path.length === 1 && !given.includes(String(path[0]));
}
