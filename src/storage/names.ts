import { RoleZeroError } from '../base/error.js';
import { TABLES, type Table } from '../base/store.js';

/** Longest name of a session, in UTF-16 units. */
const maximumNameLength = 200;

/** Longest key of a record, in UTF-16 units; the longest file path (1,024) fits with room for a role's name. */
export const maximumKeyLength = 2048;

const tables: ReadonlySet<unknown> = new Set(TABLES);

/** True for the name of a table of the store. */
export function isTable(value: unknown): value is Table {
  return tables.has(value);
}

/** True for a key a record may have. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maximumKeyLength;
}

/**
 * Any text names a session: dots, slashes and emoji are as good as letters, for a name is never a path.
 * @throws RoleZeroError `invalid` when it is empty, longer than 200 characters, or holds half of a surrogate pair (lock names are
 *   compared as UTF-8, in which two different halves look the same).
 */
export function checkSessionName(name: unknown): string {
  if (typeof name !== 'string' || name === '') {
    throw new RoleZeroError('invalid', 'A session needs a name: any text that is not empty.');
  }
  if (name.length > maximumNameLength) {
    throw new RoleZeroError(
      'invalid',
      `A session's name may have ${maximumNameLength} characters; this one has ${name.length}.`,
      { start: name.slice(0, 40), length: name.length },
    );
  }
  if (/\p{Surrogate}/u.test(name)) {
    throw new RoleZeroError('invalid', "A session's name must be well-formed Unicode text.", { name });
  }
  return name;
}
