import * as z from 'zod/mini';
import { count, flag, name, names, once, text } from '../wire/arguments.js';

/** A JSON object without circular references, which structured clone would transfer, and not nested deeper than a JSON Schema may be. */
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
    hasPlainSchema: z.optional(flag()),
    part: z.optional(flag()),
    tags: z.optional(names()),
    aliases: z.optional(z.record(name(), name())),
    timeoutMs: z.optional(z.union([z.number().check(z.nonnegative()), z.literal(Infinity)])),
    exclusive: z.optional(flag()),
    parallel: z.optional(flag()),
    onFailure: z.optional(z.enum(['stop', 'continue'])),
    address: z.optional(name()),
    untrusted: z.optional(flag()),
    trusted: z.optional(flag()),
  }),
);
const model = once(() =>
  z.looseObject({ id: text(), contextWindow: z.number().check(z.positive()), countsTokens: flag() }),
);
const position = once(() => z.strictObject({ place: text(), id: name(), head: count() }));

const openOptions = once(() =>
  z.strictObject({
    session: z.unknown(), // the storage checks it
    config: z.unknown(), // the application checks it
    tools: z.array(z.lazy(tool)).check(z.maxLength(1_000)),
    models: z.record(name(), z.lazy(model)),
    takeOver: flag(),
    view: flag(),
    known: z.array(z.lazy(position)).check(z.maxLength(100)),
  }),
);

/** The arguments of `HostApi.open`: the options of `connect` that cross the wire, and the port that leads to the page. */
export const openArguments = once(() => z.tuple([openOptions(), z.instanceof(MessagePort)]));

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (depth === 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => isPlain(part, depth - 1));
}
