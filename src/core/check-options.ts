import { describeValue } from './describe-value.js';
import { RoleZeroError } from './error.js';
import { isRecord } from './json.js';

/** What an option must be, in words, and whether a value is that. */
const OPTION_TYPES = {
  text: ['a string', (value: unknown) => typeof value === 'string'],
  flag: ['true or false', (value: unknown) => typeof value === 'boolean'],
  count: [
    'a positive integer',
    (value: unknown) => value === Infinity || (Number.isInteger(value) && Number(value) > 0),
  ],
  amount: ['a number of at least 0', (value: unknown) => typeof value === 'number' && value >= 0],
  list: ['a list', (value: unknown) => Array.isArray(value)],
  callback: ['a function', (value: unknown) => typeof value === 'function'],
} as const;

/** Kind of an option: `true` accepts any value, a list the values in it. */
export type OptionKind = true | keyof typeof OPTION_TYPES | readonly string[];

/**
 * Checks that options are an object with known names and values of the right kinds, for untyped callers. Options that are undefined are
 * left out.
 *
 * @param caller Function that takes the options, such as `openai()`, for the error.
 * @param needed Options that must be given.
 * @throws RoleZeroError `invalid` with the unknown names and the valid ones, or with the wrong value and what it must be.
 */
export function checkOptions(
  caller: string,
  options: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
  needed: readonly string[] = [],
): void {
  if (!isRecord(options))
    throw new RoleZeroError(
      'invalid',
      `The options of ${caller} must be an object, but are ${describeValue(options)}.`,
    );
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(kinds, name));
  if (unknown.length > 0)
    throw new RoleZeroError(
      'invalid',
      `${caller} has no option ${unknown.join(', ')}. Its options are ${Object.keys(kinds).join(', ')}.`,
      { unknown },
    );
  const missing = needed.filter((name) => options[name] === undefined);
  if (missing.length > 0)
    throw new RoleZeroError('invalid', `${caller} needs the option ${missing.join(', ')}.`, { missing });
  for (const [name, kind] of Object.entries(kinds))
    checkOption(`\`${name}\` of ${caller}`, options[name], kind);
}

/** @throws RoleZeroError `invalid` when the value is given and is not of the kind. */
function checkOption(what: string, value: unknown, kind: OptionKind): void {
  if (value === undefined || kind === true) return;
  const [needed, fits] =
    typeof kind === 'string'
      ? OPTION_TYPES[kind]
      : [
          kind.map((each) => JSON.stringify(each)).join(' or '),
          (given: unknown) => kind.includes(given as string),
        ];
  if (fits(value)) return;
  throw new RoleZeroError('invalid', `${what} must be ${needed}, but is ${describeValue(value)}.`);
}
