import * as z from 'zod/mini';
import { RoleZeroError } from '../base/error.js';
import { read } from '../base/schema.js';
import type { FileMethod, HostApi } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';

/** Characters of a name: of a role, a session, a tool, a file, a question. */
const MAX_NAME = 10_000;
/** Characters of a text. Files, requests and answers have limits of their own, with better advice. */
const MAX_TEXT = 1_000_000;

/** Made when the first page connects, not when the module is loaded. */
function makeShapes() {
  const name = z.string().check(z.maxLength(MAX_NAME));
  const names = z.array(name).check(z.maxLength(1_000));
  const text = z.string().check(z.maxLength(MAX_TEXT));
  const count = z.int().check(z.nonnegative());
  const flag = z.boolean();
  const content = z.union([z.string(), z.instanceof(Uint8Array)]);
  const ofRole = z.optional(z.object({ role: z.optional(name) }));
  const memoryQuery = z.optional(
    z.object({ role: z.optional(name), limit: z.optional(z.union([count, z.literal(Infinity)])) }),
  );
  /** Fields of JSON: no deeper than a schema may be, and without circles, which structured clone lets through. */
  const plain = z.custom<Record<string, unknown>>((value) => isPlain(value, 64), 'must be plain data');

  const tool = z.strictObject({
    name,
    description: text,
    schema: plain,
    effect: z.enum(['pure', 'session', 'egress-read', 'egress-write', 'ui']),
    replay: z.enum(['atomic', 'idempotent', 'keyed', 'reconcile', 'unsafe']),
    onAmbiguous: z.enum(['ask', 'skip', 'retry', 'fail']),
    part: z.optional(flag),
    tags: z.optional(names),
    aliases: z.optional(z.record(name, name)),
    timeoutMs: z.optional(z.union([z.number().check(z.nonnegative()), z.literal(Infinity)])),
    exclusive: z.optional(flag),
    parallel: z.optional(flag),
    onFailure: z.optional(z.enum(['stop', 'continue'])),
    address: z.optional(name),
    untrusted: z.optional(flag),
  });

  const options = z.strictObject({
    session: z.unknown(), // the storage has rules of its own for it
    config: z.unknown(), // the application's own
    tools: z.array(tool).check(z.maxLength(1_000)),
    models: z.record(
      name,
      z.looseObject({ id: text, contextWindow: z.number().check(z.positive()), countsTokens: flag }),
    ),
    takeOver: flag,
    view: flag,
    known: z.array(z.strictObject({ place: text, id: name, head: count })).check(z.maxLength(100)),
  });

  const files = {
    read: z.tuple([name]),
    readBytes: z.tuple([name]),
    readAll: z.tuple([z.optional(name)]),
    list: z.tuple([z.optional(name)]),
    stat: z.tuple([name]),
    glob: z.tuple([name]),
    history: z.tuple([]),
    after: z.tuple([name]),
    difference: z.tuple([name, name]),
    bytesAfter: z.tuple([name, name]),
    write: z.tuple([name, content]),
    writeAll: z.tuple([
      z.array(z.object({ path: name, content: z.optional(content) })),
      z.optional(
        z.object({
          existing: z.optional(z.enum(['fail', 'replace', 'keep'])),
          name: z.optional(name),
          untrusted: z.optional(name),
        }),
      ),
    ]),
    makeDirectory: z.tuple([name]),
    remove: z.tuple([name]),
    move: z.tuple([name, name]),
    copy: z.tuple([name, name]),
    undo: z.tuple([name, z.optional(z.object({ partly: z.optional(flag) }))]),
    forgetHistory: z.tuple([z.optional(count)]),
  } satisfies Record<FileMethod, z.ZodMiniType>;

  const calls = {
    open: z.tuple([options, z.unknown()]),
    send: z.tuple([z.string(), z.optional(z.object({ to: z.optional(name) }))]),
    resume: z.tuple([]),
    stop: z.tuple([]),
    answer: z.tuple([name, z.string()]),
    messages: z.tuple([
      z.optional(
        z.union([
          name,
          z.strictObject({ role: z.optional(name), last: z.optional(count), before: z.optional(name) }),
        ]),
      ),
    ]),
    plan: z.tuple([z.optional(name)]),
    inspect: z.tuple([]),
    steps: z.tuple([
      z.optional(z.union([name, z.strictObject({ role: z.optional(name), last: z.optional(count) })])),
    ]),
    searchMemory: z.tuple([text, memoryQuery]),
    listMemory: z.tuple([memoryQuery]),
    forgetMemory: z.tuple([
      z.union([name, z.array(name).check(z.minLength(1), z.maxLength(1_000_000))]),
      ofRole,
    ]),
    changeMemory: z.tuple([name, z.object({ content: z.optional(text), pinned: z.optional(flag) }), ofRole]),
    importMemory: z.tuple([z.unknown(), ofRole]), // read where it is imported, as documents are
    exportMemory: z.tuple([z.optional(z.object({ role: z.optional(name), oldest: z.optional(count) }))]),
    space: z.tuple([]),
    usage: z.tuple([]),
    exportSession: z.tuple([]),
    files: z.tuple([z.enum(Object.keys(files) as FileMethod[]), z.array(z.unknown())]),
    beat: z.tuple([]),
    close: z.tuple([]),
  } satisfies Record<keyof HostApi, z.ZodMiniType>;
  return { calls, files };
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
  const shapes = makeShapes();
  const checked = Object.create(null) as Record<string, unknown>;
  for (const method of Object.keys(shapes.calls) as (keyof HostApi)[]) {
    const call = host[method].bind(host) as (...args: unknown[]) => Promise<Result<unknown>>;
    checked[method] = async (...args: unknown[]): Promise<Result<unknown>> => {
      const fit = await settle(() => check(shapes, method, args));
      return fit.ok ? (elsewhere(method, args) ?? call(...args)) : fit;
    };
  }
  return checked as unknown as HostApi;
}

function check(
  { calls, files }: ReturnType<typeof makeShapes>,
  method: keyof HostApi,
  args: readonly unknown[],
): void {
  hold(method, calls[method], args);
  if (method !== 'files') return;
  const [name, given] = args as [FileMethod, unknown[]];
  hold(`files.${name}`, files[name], given);
}

function hold(call: string, schema: z.ZodMiniType, args: readonly unknown[]): void {
  const { error } = read(schema, args);
  if (error === undefined) return;
  const issues = error.issues.slice(0, 5).map(({ path, message }) => ({ path: path.join('.'), message }));
  const wrong = issues.map(({ path, message }) => `argument ${path}: ${message}`);
  throw new RoleZeroError('invalid', `${call}() cannot work with what it was given. ${wrong.join('; ')}.`, {
    call,
    issues,
  });
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (depth === 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => isPlain(part, depth - 1));
}
