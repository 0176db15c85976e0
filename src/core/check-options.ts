import { describeValue } from './describe-value.js';
import { RoleZeroError } from './error.js';
import { isRecord } from './json.js';

/**
 * Checks that options are an object with known names only, for untyped callers.
 *
 * @param caller Function that takes the options, such as `openai()`, for the error.
 * @throws RoleZeroError `invalid` with the unknown names and the valid ones.
 */
export function checkOptionNames(
  caller: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): void {
  if (!isRecord(options))
    throw new RoleZeroError(
      'invalid',
      `The options of ${caller} must be an object, but are ${describeValue(options)}.`,
    );
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(names, name));
  if (unknown.length === 0) return;
  throw new RoleZeroError(
    'invalid',
    `${caller} has no option ${unknown.join(', ')}. Its options are ${Object.keys(names).join(', ')}.`,
    { unknown },
  );
}
