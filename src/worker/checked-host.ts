import * as z from 'zod';
import { RoleZeroError } from '../base/error.js';
import type { FileMethod, HostApi } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';

/** Characters of a name: of a role, a session, a tool, a file, a question. */
const MAX_NAME = 10_000;
/** Characters of a text. Files, requests and answers have limits of their own, with better advice. */
const MAX_TEXT = 1_000_000;

/** Made when the first page connects: zod finds out at its first object whether it may make code of text, unless it was told not to. */
function makeShapes() {
  const name = z.string().max(MAX_NAME);
  const names = z.array(name).max(1_000);
  const text = z.string().max(MAX_TEXT);
  const count = z.number().int().nonnegative();
  const flag = z.boolean();
  const content = z.union([z.string(), z.instanceof(Uint8Array)]);
  const ofRole = z.object({ role: name.optional() }).optional();
  const memoryQuery = z
    .object({ role: name.optional(), limit: z.union([count, z.literal(Infinity)]).optional() })
    .optional();
  /** Fields of JSON: no deeper than a schema may be, and without circles, which structured clone lets through. */
  const plain = z.custom<Record<string, unknown>>((value) => isPlain(value, 64), 'must be plain data');

  const tool = z.strictObject({
    name,
    description: text,
    schema: plain,
    effect: z.enum(['pure', 'session', 'egress-read', 'egress-write', 'ui']),
    replay: z.enum(['atomic', 'idempotent', 'keyed', 'reconcile', 'unsafe']),
    onAmbiguous: z.enum(['ask', 'skip', 'retry', 'fail']),
    part: flag.optional(),
    tags: names.optional(),
    aliases: z.record(name, name).optional(),
    timeoutMs: z.union([z.number().nonnegative(), z.literal(Infinity)]).optional(),
    exclusive: flag.optional(),
    parallel: flag.optional(),
    onFailure: z.enum(['stop', 'continue']).optional(),
    address: name.optional(),
    untrusted: flag.optional(),
  });

  const options = z.strictObject({
    session: z.unknown(), // the storage has rules of its own for it
    config: z.unknown(), // the application's own
    tools: z.array(tool).max(1_000),
    models: z.record(
      name,
      z.looseObject({ id: text, contextWindow: z.number().positive(), countsTokens: flag }),
    ),
    takeOver: flag,
    view: flag,
    known: z.array(z.strictObject({ place: text, id: name, head: count })).max(100),
  });

  const files = {
    read: z.tuple([name]),
    readBytes: z.tuple([name]),
    readAll: z.tuple([name.optional()]),
    list: z.tuple([name.optional()]),
    stat: z.tuple([name]),
    glob: z.tuple([name]),
    history: z.tuple([]),
    after: z.tuple([name]),
    difference: z.tuple([name, name]),
    bytesAfter: z.tuple([name, name]),
    write: z.tuple([name, content]),
    writeAll: z.tuple([
      z.array(z.object({ path: name, content: content.optional() })),
      z
        .object({
          existing: z.enum(['fail', 'replace', 'keep']).optional(),
          name: name.optional(),
          untrusted: name.optional(),
        })
        .optional(),
    ]),
    makeDirectory: z.tuple([name]),
    remove: z.tuple([name]),
    move: z.tuple([name, name]),
    copy: z.tuple([name, name]),
    undo: z.tuple([name, z.object({ partly: flag.optional() }).optional()]),
    forgetHistory: z.tuple([count.optional()]),
  } satisfies Record<FileMethod, z.ZodType>;

  const calls = {
    open: z.tuple([options, z.unknown()]),
    send: z.tuple([z.string(), z.object({ to: name.optional() }).optional()]),
    resume: z.tuple([]),
    stop: z.tuple([]),
    answer: z.tuple([name, z.string()]),
    messages: z.tuple([
      z
        .union([
          name,
          z.strictObject({ role: name.optional(), last: count.optional(), before: name.optional() }),
        ])
        .optional(),
    ]),
    plan: z.tuple([name.optional()]),
    inspect: z.tuple([]),
    steps: z.tuple([
      z.union([name, z.strictObject({ role: name.optional(), last: count.optional() })]).optional(),
    ]),
    searchMemory: z.tuple([text, memoryQuery]),
    listMemory: z.tuple([memoryQuery]),
    forgetMemory: z.tuple([z.union([name, z.array(name).min(1).max(1_000_000)]), ofRole]),
    changeMemory: z.tuple([name, z.object({ content: text.optional(), pinned: flag.optional() }), ofRole]),
    importMemory: z.tuple([z.unknown(), ofRole]), // read where it is imported, as documents are
    exportMemory: z.tuple([z.object({ role: name.optional(), oldest: count.optional() }).optional()]),
    space: z.tuple([]),
    usage: z.tuple([]),
    exportSession: z.tuple([]),
    files: z.tuple([z.enum(Object.keys(files) as FileMethod[]), z.array(z.unknown())]),
    beat: z.tuple([]),
    close: z.tuple([]),
  } satisfies Record<keyof HostApi, z.ZodType>;
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

function hold(call: string, schema: z.ZodType, args: readonly unknown[]): void {
  const read = schema.safeParse(args);
  if (read.success) return;
  const issues = read.error.issues
    .slice(0, 5)
    .map(({ path, message }) => ({ path: path.join('.'), message }));
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
