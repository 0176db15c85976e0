import * as z from 'zod/mini';
import { RoleZeroError } from '../core/error.js';
import { read } from '../core/schema.js';
import { ARGUMENTS } from '../wire/arguments.js';
import type { MethodName } from '../wire/session-api.js';
import { METHODS } from './session-methods.js';

type ArgumentsSchema = z.ZodMiniType<unknown[]>;

const schemas = new Map<MethodName, ArgumentsSchema>();

/** Returns the schema of a method's arguments. The schema and its parts are created on first use. */
export function argumentsSchema(method: MethodName): ArgumentsSchema {
  const known = schemas.get(method);
  if (known !== undefined) return known;
  const parts: z.ZodMiniType[] = (METHODS.get(method)?.args ?? []).map((name) => ARGUMENTS[name]());
  const schema = z.tuple(parts as [z.ZodMiniType, ...z.ZodMiniType[]]);
  schemas.set(method, schema);
  return schema;
}

/** @throws RoleZeroError `invalid` with the name of the call and the wrong argument, or with the number of arguments it takes. */
export function checkArguments(call: string, schema: ArgumentsSchema, args: readonly unknown[]): void {
  const { error } = read(schema, args);
  if (error === undefined) return;
  const shown = error.issues.slice(0, 5);
  const issues = shown.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new RoleZeroError(
    'invalid',
    describeCount(call, args.length, error.issues) ??
      `${call}() was given invalid arguments. ${shown.map(issueText).join(' ')}`,
    { call, issues },
  );
}

/** Advice for callers that pass an argument which `node:fs` would accept. */
const ADVICE: Readonly<Partial<Record<MethodName, string>>> = {
  'files.list': 'It lists everything below the directory, so it needs no { recursive: true }.',
  'files.glob': 'It searches the whole workspace.',
  'files.read': 'It reads UTF-8 text; files.readBytes() reads bytes.',
  'files.write': 'It writes a string as UTF-8, and a Uint8Array as it is.',
  'files.makeDirectory': 'It also makes the directories above.',
  'files.remove': 'It removes a directory with everything in it.',
};

/** Describes a wrong number of arguments; returns null when the number is correct. */
function describeCount(call: string, given: number, issues: readonly z.core.$ZodIssue[]): string | null {
  const issue = issues.find(({ path }) => path.length === 0);
  if (issue?.code !== 'too_big' && issue?.code !== 'too_small') return null;
  const isTooMany = issue.code === 'too_big';
  const limit = isTooMany ? issue.maximum : issue.minimum;
  const words = `${limit} ${Number(limit) === 1 ? 'argument' : 'arguments'}`;
  if (!isTooMany) return `${call}() needs ${words}, but was given ${given}.`;
  if (Number(limit) === 0) return `${call}() takes no arguments, but was given ${given}.`;
  const advice = Object.hasOwn(ADVICE, call) ? ` ${ADVICE[call as MethodName]}` : '';
  return `${call}() takes ${words}, but was given ${given}.${advice}`;
}

/** Returns a text such as `Argument 1, role: Invalid input: expected string, received number.` */
function issueText({ path: [index, ...rest], message }: z.core.$ZodIssue): string {
  const place = [`Argument ${Number(index) + 1}`, ...(rest.length > 0 ? [rest.map(String).join('.')] : [])];
  return `${place.join(', ')}: ${message}.`;
}
