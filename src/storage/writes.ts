import { describeAsSentence, RoleZeroError } from '../core/error.js';
import type { Write } from '../core/store.js';
import { isKey, isTable, maximumKeyLength } from './names.js';

/**
 * Returns a copy of the writes of a commit. A commit may have to wait, and later changes by the caller are not part of it.
 * @throws RoleZeroError `invalid` naming the first record that cannot be stored.
 */
export function snapshot(writes: readonly Write[]): Write[] {
  return writes.map(({ table, key, value }) => {
    if (!isTable(table))
      throw new RoleZeroError('invalid', `There is no table '${String(table)}'.`, { table });
    if (!isKey(key)) {
      throw new RoleZeroError(
        'invalid',
        `A key of table '${table}' must be a text of 1 to ${maximumKeyLength} characters.`,
        { table, key: String(key).slice(0, 100) },
      );
    }
    try {
      return { table, key, value: structuredClone(value) };
    } catch (error) {
      throw cannotStore(table, key, error);
    }
  });
}

/** Creates the error for a value that is not plain data: a function, private members of a class, a live handle. */
export function cannotStore(table: string, key: string, cause: unknown): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `The record '${key}' of table '${table}' cannot be stored: ${describeAsSentence(cause)} Store plain data only.`,
    { table, key },
    cause,
  );
}
