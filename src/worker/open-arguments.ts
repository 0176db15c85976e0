import * as s from '../core/schema.js';
import { isRecord } from '../core/json.js';
import { count, flag, name, names, text } from '../wire/arguments.js';
import type { ArgumentSchemas } from './check-arguments.js';

/** A JSON object without circular references, which structured clone would transfer, and not nested deeper than a JSON Schema may be. */
const plain = s.custom<Record<string, unknown>>((value) =>
  isRecord(value) && isPlain(value, 64) ? null : 'must be plain data',
);

const tool = s.strictObject({
  name,
  description: text,
  schema: plain,
  effect: s.oneOf(['pure', 'session', 'egress-read', 'egress-write', 'ui']),
  replay: s.oneOf(['atomic', 'idempotent', 'keyed', 'reconcile', 'unsafe']),
  onAmbiguous: s.oneOf(['ask', 'skip', 'retry', 'fail']),
  hasPlainSchema: s.optional(flag),
  hasApproval: s.optional(flag),
  part: s.optional(flag),
  activity: s.optional(s.strictObject({ verb: text, argument: s.optional(name) })),
  tags: s.optional(names),
  aliases: s.optional(s.record(name)),
  timeoutMs: s.optional(s.orInfinity(s.number({ minimum: 0 }))),
  exclusive: s.optional(flag),
  parallel: s.optional(flag),
  onFailure: s.optional(s.oneOf(['stop', 'continue'])),
  address: s.optional(name),
  untrusted: s.optional(flag),
  trusted: s.optional(flag),
});
const model = s.looseObject({
  id: text,
  contextWindow: s.number({ exclusiveMinimum: 0 }),
  countsTokens: flag,
});
const position = s.strictObject({ place: text, id: name, head: count });

const openOptions = s.strictObject({
  session: s.anything(), // the storage checks it
  config: s.anything(), // the application checks it
  tools: s.list(tool, { maxItems: 1_000 }),
  models: s.record(model),
  takeOver: flag,
  view: flag,
  known: s.list(position, { maxItems: 100 }),
});

/** The arguments of `HostApi.open`: the options of `connect` that cross the wire, and the port that leads to the page. */
export const openArguments = (): ArgumentSchemas => [openOptions, s.instanceOf(MessagePort)];

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (depth === 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => isPlain(part, depth - 1));
}
