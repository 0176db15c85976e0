import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import type { InputIssue } from '../core/input-schema.js';
import { isRecord } from '../core/json.js';
import * as s from '../core/schema.js';
import { read, type Schema } from '../core/schema.js';
import {
  countSchema,
  flagSchema,
  nameSchema,
  nameListSchema,
  textSchema,
  ARGUMENTS,
} from '../wire/arguments.js';
import { exposed } from '../wire/exposed.js';
import type { HostApi, OpenOptions } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';
import type { MethodName } from '../wire/session-api.js';
import { isMethodName, METHODS } from './session-methods.js';

/**
 * Wraps a host so that every argument is checked before a call reaches it. A call with invalid arguments returns `invalid`, names the
 * argument, and has no effect. Only the methods of `HostApi` can be called: no inherited members.
 */
export function checkedHost(host: HostApi): HostApi {
  return exposed<HostApi>({
    open: checkedCall(
      (args) => checkArguments('connect', openArguments(), args), // the name of the call on the page
      (options, page) => host.open(options as OpenOptions, page as MessagePort),
    ),
    callMethod: checkedCall(
      ([method, args]) => checkCall(method, args),
      (method, args) => host.callMethod(method as MethodName, args as unknown[]),
    ),
    beat: checkedCall(
      (args) => checkArguments('beat', [], args),
      () => host.beat(),
    ),
    close: checkedCall(
      (args) => checkArguments('close', [], args),
      () => host.close(),
    ),
  });
}

function checkedCall(
  check: (args: readonly unknown[]) => void,
  call: (...args: unknown[]) => Promise<Result<unknown>>,
): (...args: unknown[]) => Promise<Result<unknown>> {
  return async (...args) => {
    const result = await settle(() => check(args));
    return result.ok ? call(...args) : result;
  };
}

function checkCall(method: unknown, args: unknown): void {
  if (!isMethodName(method))
    throw new RoleZeroError('invalid', `There is no session method ${describeValue(method)}.`, {});
  if (!Array.isArray(args))
    throw new RoleZeroError('invalid', `The arguments of ${method}() must be an array.`, { call: method });
  checkArguments(method, argumentSchemas(method), args);
}

/** One schema for each parameter of a call. */
type ArgumentSchemas = readonly Schema<unknown>[];

/** Returns the schemas of a method's arguments. */
function argumentSchemas(method: MethodName): ArgumentSchemas {
  return (METHODS.get(method)?.args ?? []).map((name) => ARGUMENTS[name]);
}

/** @throws RoleZeroError `invalid` with the name of the call and the wrong argument, or with the number of arguments it takes. */
function checkArguments(call: string, schemas: ArgumentSchemas, args: readonly unknown[]): void {
  const wrongCount = describeCount(call, schemas, args.length);
  if (wrongCount !== null) throw new RoleZeroError('invalid', wrongCount, { call, issues: [] });
  const issues = schemas.flatMap((schema, index) => {
    const result = read(schema, args[index]);
    if (result.success) return [];
    return result.error.issues.map(({ path, message }): InputIssue => ({ path: [index, ...path], message }));
  });
  if (issues.length === 0) return;
  const shown = issues.slice(0, 5);
  throw new RoleZeroError(
    'invalid',
    `${call}() was given invalid arguments. ${shown.map(describeArgumentIssue).join(' ')}`,
    { call, issues: shown.map(({ path, message }) => ({ path: path.join('.'), message })) },
  );
}

/** Advice for callers that pass an argument which `node:fs` would accept. */
const COUNT_ADVICE: Readonly<Partial<Record<MethodName, string>>> = {
  'files.list': 'It lists everything below the directory, so it needs no { recursive: true }.',
  'files.glob': 'It searches the whole workspace.',
  'files.read': 'It reads UTF-8 text; files.readBytes() reads bytes.',
  'files.write': 'It writes a string as UTF-8, and a Uint8Array as it is.',
  'files.makeDirectory': 'It also makes the directories above.',
  'files.remove': 'It removes a directory with everything in it.',
};

/** Describes a wrong number of arguments; returns null when the number is correct. */
function describeCount(call: string, schemas: ArgumentSchemas, given: number): string | null {
  const least = schemas.findLastIndex(({ isOptional }) => isOptional !== true) + 1;
  const most = schemas.length;
  if (given >= least && given <= most) return null;
  const limit = given < least ? least : most;
  const words = `${limit} ${limit === 1 ? 'argument' : 'arguments'}`;
  if (given < least) return `${call}() needs ${words}, but was given ${given}.`;
  if (most === 0) return `${call}() takes no arguments, but was given ${given}.`;
  const advice = Object.hasOwn(COUNT_ADVICE, call) ? ` ${COUNT_ADVICE[call as MethodName]}` : '';
  return `${call}() takes ${words}, but was given ${given}.${advice}`;
}

/** Returns a text such as `Argument 1, role: must be string, but is number.` */
function describeArgumentIssue({ path: [index, ...rest], message }: InputIssue): string {
  const place = [`Argument ${Number(index) + 1}`, ...(rest.length > 0 ? [rest.map(String).join('.')] : [])];
  return `${place.join(', ')}: ${message}.`;
}

/** A JSON object without circular references, which structured clone would transfer, and not nested deeper than a JSON Schema may be. */
const plainDataSchema = s.custom<Record<string, unknown>>((value) =>
  isRecord(value) && isPlainData(value, 64) ? null : 'must be plain data',
);

const pageToolSchema = s.strictObject({
  name: nameSchema,
  description: textSchema,
  schema: plainDataSchema,
  effect: s.oneOf(['pure', 'session', 'egress-read', 'egress-write', 'ui']),
  replay: s.oneOf(['atomic', 'idempotent', 'keyed', 'reconcile', 'unsafe']),
  onAmbiguous: s.oneOf(['ask', 'skip', 'retry', 'fail']),
  hasPlainSchema: s.optional(flagSchema),
  hasApproval: s.optional(flagSchema),
  part: s.optional(flagSchema),
  activity: s.optional(s.strictObject({ verb: textSchema, argument: s.optional(nameSchema) })),
  tags: s.optional(nameListSchema),
  aliases: s.optional(s.record(nameSchema)),
  timeoutMs: s.optional(s.orInfinity(s.number({ minimum: 0 }))),
  exclusive: s.optional(flagSchema),
  parallel: s.optional(flagSchema),
  onFailure: s.optional(s.oneOf(['stop', 'continue'])),
  address: s.optional(nameSchema),
  untrusted: s.optional(flagSchema),
  trusted: s.optional(flagSchema),
});

const pageModelSchema = s.looseObject({
  id: textSchema,
  contextWindow: s.number({ exclusiveMinimum: 0 }),
  countsTokens: flagSchema,
});

const positionSchema = s.strictObject({ place: textSchema, id: nameSchema, head: countSchema });

const openOptionsSchema = s.strictObject({
  session: s.anything(), // the storage checks it
  config: s.anything(), // the application checks it
  tools: s.list(pageToolSchema, { maxItems: 1_000 }),
  models: s.record(pageModelSchema),
  takeOver: flagSchema,
  view: flagSchema,
  known: s.list(positionSchema, { maxItems: 100 }),
});

/** The arguments of `HostApi.open`: the options of `connect` that cross the wire, and the port that leads to the page. */
const openArguments = (): ArgumentSchemas => [openOptionsSchema, s.instanceOf(MessagePort)];

function isPlainData(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (depth === 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => isPlainData(part, depth - 1));
}
