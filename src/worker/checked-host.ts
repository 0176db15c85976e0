import * as z from 'zod/mini';
import { RoleZeroError } from '../base/error.js';
import { read } from '../base/schema.js';
import { exposed } from '../wire/exposed.js';
import type { FileMethod, HostApi } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';

/** Characters of a name: of a role, a session, a tool, a file, a question. */
const MAX_NAME = 10_000;
/** Characters of a text. Files, requests and answers have limits of their own, with better advice. */
const MAX_TEXT = 1_000_000;

const name = once(() => z.string().check(z.maxLength(MAX_NAME)));
const names = once(() => z.array(name()).check(z.maxLength(1_000)));
const text = once(() => z.string().check(z.maxLength(MAX_TEXT)));
const count = once(() => z.int().check(z.nonnegative()));
const flag = once(() => z.boolean());
const content = once(() =>
  z.union([z.string(), z.instanceof(Uint8Array)], 'Invalid input: expected a string or a Uint8Array'),
);
const ofRole = once(() => z.optional(z.strictObject({ role: z.optional(name()) })));
const memoryQuery = once(() =>
  z.optional(
    z.strictObject({ role: z.optional(name()), limit: z.optional(z.union([count(), z.literal(Infinity)])) }),
  ),
);
/** Fields of JSON: no deeper than a schema may be, and without circles, which structured clone lets through. */
const plain = once(() =>
  z.custom<Record<string, unknown>>((value) => isPlain(value, 64), 'must be plain data'),
);

const tool = once(() =>
  z.strictObject({
    name: name(),
    description: text(),
    schema: plain(),
    effect: z.enum(['pure', 'session', 'egress-read', 'egress-write', 'ui']),
    replay: z.enum(['atomic', 'idempotent', 'keyed', 'reconcile', 'unsafe']),
    onAmbiguous: z.enum(['ask', 'skip', 'retry', 'fail']),
    part: z.optional(flag()),
    tags: z.optional(names()),
    aliases: z.optional(z.record(name(), name())),
    timeoutMs: z.optional(z.union([z.number().check(z.nonnegative()), z.literal(Infinity)])),
    exclusive: z.optional(flag()),
    parallel: z.optional(flag()),
    onFailure: z.optional(z.enum(['stop', 'continue'])),
    address: z.optional(name()),
    untrusted: z.optional(flag()),
  }),
);
const model = once(() =>
  z.looseObject({ id: text(), contextWindow: z.number().check(z.positive()), countsTokens: flag() }),
);
const position = once(() => z.strictObject({ place: text(), id: name(), head: count() }));

const options = once(() =>
  z.strictObject({
    session: z.unknown(), // the storage has rules of its own for it
    config: z.unknown(), // the application's own
    tools: z.array(z.lazy(tool)).check(z.maxLength(1_000)),
    models: z.record(name(), z.lazy(model)),
    takeOver: flag(),
    view: flag(),
    known: z.array(z.lazy(position)).check(z.maxLength(100)),
  }),
);

const none = once(() => z.tuple([]));
const ofName = once(() => z.tuple([name()]));

const FILES = {
  read: ofName,
  readBytes: ofName,
  readAll: once(() => z.tuple([z.optional(name())])),
  list: once(() => z.tuple([z.optional(name())])),
  stat: ofName,
  glob: ofName,
  history: none,
  after: ofName,
  difference: once(() => z.tuple([name(), name()])),
  bytesAfter: once(() => z.tuple([name(), name()])),
  write: once(() => z.tuple([name(), content()])),
  writeAll: once(() =>
    z.tuple([
      z.array(
        z.object({
          path: name(),
          content: z.optional(content()),
          untrusted: z.optional(z.array(name())),
        }),
      ),
      z.optional(
        z.strictObject({
          existing: z.optional(z.enum(['fail', 'replace', 'keep'])),
          name: z.optional(name()),
          untrusted: z.optional(name()),
        }),
      ),
    ]),
  ),
  makeDirectory: ofName,
  remove: ofName,
  move: once(() => z.tuple([name(), name()])),
  copy: once(() => z.tuple([name(), name()])),
  undo: once(() => z.tuple([name(), z.optional(z.strictObject({ partly: z.optional(flag()) }))])),
  forgetHistory: once(() => z.tuple([z.optional(count())])),
} satisfies Record<FileMethod, MakeShape>;

const CALLS = {
  open: once(() => z.tuple([options(), z.instanceof(MessagePort)])),
  send: once(() => z.tuple([z.string(), z.optional(z.strictObject({ to: z.optional(name()) }))])),
  resume: none,
  stop: none,
  answer: once(() => z.tuple([name(), z.string()])),
  messages: once(() =>
    z.tuple([
      z.optional(
        z.union([
          name(),
          z.strictObject({ role: z.optional(name()), last: z.optional(count()), before: z.optional(name()) }),
        ]),
      ),
    ]),
  ),
  plan: once(() => z.tuple([z.optional(name())])),
  inspect: none,
  steps: once(() =>
    z.tuple([
      z.optional(z.union([name(), z.strictObject({ role: z.optional(name()), last: z.optional(count()) })])),
    ]),
  ),
  searchMemory: once(() => z.tuple([text(), memoryQuery()])),
  listMemory: once(() => z.tuple([memoryQuery()])),
  forgetMemory: once(() =>
    z.tuple([z.union([name(), z.array(name()).check(z.minLength(1), z.maxLength(1_000_000))]), ofRole()]),
  ),
  changeMemory: once(() =>
    z.tuple([name(), z.strictObject({ content: z.optional(text()), pinned: z.optional(flag()) }), ofRole()]),
  ),
  importMemory: once(() => z.tuple([z.unknown(), ofRole()])), // read where it is imported, as documents are
  exportMemory: once(() =>
    z.tuple([z.optional(z.strictObject({ role: z.optional(name()), oldest: z.optional(count()) }))]),
  ),
  space: none,
  usage: none,
  exportSession: none,
  files: once(() => z.tuple([z.enum(Object.keys(FILES) as FileMethod[]), z.array(z.unknown())])),
  beat: none,
  close: none,
} satisfies Record<keyof HostApi, MakeShape>;

/** Makes the shape of a call's arguments. */
type MakeShape = () => z.ZodMiniType;

/** Made when it is first needed: all of them together would be a good part of what a page waits for when it connects. */
function once<Shape extends z.ZodMiniType>(make: () => Shape): () => Shape {
  let made: Shape | null = null;
  return () => (made ??= make());
}

type Elsewhere = (method: keyof HostApi, args: unknown[]) => Promise<Result<unknown>> | null;

/**
 * The worker's side of a session for whoever holds the port: every argument is looked at before it reaches the session. A call that makes
 * no sense gives `invalid` naming what is wrong, and nothing has happened. There is nothing to call but these methods, not even what
 * every object inherits.
 *
 * @param elsewhere Where a call is answered that is not for this worker to answer; null when it is.
 */
export function checkedHost(host: HostApi, elsewhere: Elsewhere = () => null): HostApi {
  const checked = (method: keyof HostApi) => {
    const call = host[method].bind(host) as (...args: unknown[]) => Promise<Result<unknown>>;
    return async (...args: unknown[]): Promise<Result<unknown>> => {
      const fit = await settle(() => check(method, args));
      return fit.ok ? (elsewhere(method, args) ?? call(...args)) : fit;
    };
  };
  const methods = (Object.keys(CALLS) as (keyof HostApi)[]).map((method) => [method, checked(method)]);
  return exposed<HostApi>(Object.fromEntries(methods) as Record<keyof HostApi, () => unknown>);
}

/** Methods that the page calls by another name. */
const PAGE_NAMES: Partial<Record<keyof HostApi, string>> = {
  open: 'connect',
  searchMemory: 'memory.search',
  listMemory: 'memory.list',
  forgetMemory: 'memory.forget',
  changeMemory: 'memory.change',
  importMemory: 'memory.import',
  exportMemory: 'memory.export',
  exportSession: 'export',
};

function check(method: keyof HostApi, args: readonly unknown[]): void {
  hold(PAGE_NAMES[method] ?? method, CALLS[method], args);
  if (method !== 'files') return;
  const [name, given] = args as [FileMethod, unknown[]];
  hold(`files.${name}`, FILES[name], given);
}

function hold(call: string, makeShape: MakeShape, args: readonly unknown[]): void {
  const { error } = read(makeShape(), args);
  if (error === undefined) return;
  const issues = error.issues.slice(0, 5).map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new RoleZeroError(
    'invalid',
    countProblem(call, args.length, error.issues) ??
      `${call}() was given invalid arguments. ${error.issues.slice(0, 5).map(issueText).join(' ')}`,
    { call, issues },
  );
}

/** What to use in place of an argument that a call does not take, by call. Files of Node.js take such arguments. */
const INSTEAD: Readonly<Record<string, string>> = {
  'files.list': 'It lists everything below the directory, so it needs no { recursive: true }.',
  'files.glob': 'It searches the whole workspace.',
  'files.read': 'It reads UTF-8 text; files.readBytes() reads bytes.',
  'files.write': 'It writes a string as UTF-8, and a Uint8Array as it is.',
  'files.makeDirectory': 'It also makes the directories above.',
  'files.remove': 'It removes a directory with everything in it.',
};

/** Says that there are too many or too few arguments; null when their number is right. */
function countProblem(call: string, count: number, issues: readonly z.core.$ZodIssue[]): string | null {
  const issue = issues.find(({ path }) => path.length === 0);
  if (issue?.code !== 'too_big' && issue?.code !== 'too_small') return null;
  const isTooMany = issue.code === 'too_big';
  const limit = isTooMany ? issue.maximum : issue.minimum;
  const words = `${limit} ${Number(limit) === 1 ? 'argument' : 'arguments'}`;
  if (!isTooMany) return `${call}() needs ${words}, but was given ${count}.`;
  if (Number(limit) === 0) return `${call}() takes no arguments, but was given ${count}.`;
  const instead = Object.hasOwn(INSTEAD, call) ? ` ${INSTEAD[call]}` : '';
  return `${call}() takes ${words}, but was given ${count}.${instead}`;
}

/** `Argument 1, role: Invalid input: expected string, received number.` */
function issueText({ path: [index, ...rest], message }: z.core.$ZodIssue): string {
  const place = [`Argument ${Number(index) + 1}`, ...(rest.length > 0 ? [rest.map(String).join('.')] : [])];
  return `${place.join(', ')}: ${message}.`;
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (depth === 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => isPlain(part, depth - 1));
}
