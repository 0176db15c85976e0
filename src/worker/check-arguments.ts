import { RoleZeroError } from '../core/error.js';
import type { InputIssue } from '../core/input-schema.js';
import { read, type Schema } from '../core/schema.js';
import { ARGUMENTS } from '../wire/arguments.js';
import type { MethodName } from '../wire/session-api.js';
import { METHODS } from './session-methods.js';

/** One schema for each parameter of a call. */
export type ArgumentSchemas = readonly Schema<unknown>[];

/** Returns the schemas of a method's arguments. */
export function argumentSchemas(method: MethodName): ArgumentSchemas {
  return (METHODS.get(method)?.args ?? []).map((name) => ARGUMENTS[name]);
}

/** @throws RoleZeroError `invalid` with the name of the call and the wrong argument, or with the number of arguments it takes. */
export function checkArguments(call: string, schemas: ArgumentSchemas, args: readonly unknown[]): void {
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
    `${call}() was given invalid arguments. ${shown.map(issueText).join(' ')}`,
    { call, issues: shown.map(({ path, message }) => ({ path: path.join('.'), message })) },
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
function describeCount(call: string, schemas: ArgumentSchemas, given: number): string | null {
  const least = schemas.findLastIndex(({ isOptional }) => isOptional !== true) + 1;
  const most = schemas.length;
  if (given >= least && given <= most) return null;
  const limit = given < least ? least : most;
  const words = `${limit} ${limit === 1 ? 'argument' : 'arguments'}`;
  if (given < least) return `${call}() needs ${words}, but was given ${given}.`;
  if (most === 0) return `${call}() takes no arguments, but was given ${given}.`;
  const advice = Object.hasOwn(ADVICE, call) ? ` ${ADVICE[call as MethodName]}` : '';
  return `${call}() takes ${words}, but was given ${given}.${advice}`;
}

/** Returns a text such as `Argument 1, role: must be string, but is number.` */
function issueText({ path: [index, ...rest], message }: InputIssue): string {
  const place = [`Argument ${Number(index) + 1}`, ...(rest.length > 0 ? [rest.map(String).join('.')] : [])];
  return `${place.join(', ')}: ${message}.`;
}
