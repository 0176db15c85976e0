import { RoleZeroError } from '../core/error.js';
import { TABLES, type Table } from '../core/store.js';

/** Maximum length of a session name, in UTF-16 units. */
const maximumNameLength = 200;

/** Maximum length of a record key, in UTF-16 units; fits the longest file path (1,024) and a role's name. */
export const maximumKeyLength = 2048;

const tables: ReadonlySet<unknown> = new Set(TABLES);

/** @throws RoleZeroError `invalid` for a table that does not exist, or a key that cannot be stored. */
export function checkPlace(table: unknown, key: unknown): void {
  if (!isTable(table)) throw new RoleZeroError('invalid', `There is no table '${String(table)}'.`, { table });
  if (isKey(key)) return;
  throw new RoleZeroError(
    'invalid',
    `A key of table '${table}' must be a text of 1 to ${maximumKeyLength} characters.`,
    { table, key: String(key).slice(0, 100) },
  );
}

/** Returns whether the value is the name of a table of the store. */
export function isTable(value: unknown): value is Table {
  return tables.has(value);
}

/** Returns whether the value is a valid record key. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maximumKeyLength;
}

/**
 * Checks the name of a session. Any text is valid, including dots, slashes and emoji, because a name is never used as a path.
 * @throws RoleZeroError `invalid` when it is empty, longer than 200 characters, or contains half of a surrogate pair (lock names are
 * compared as UTF-8, in which two different halves are equal).
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
