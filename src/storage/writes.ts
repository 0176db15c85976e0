import { defined } from '../core/defined.js';
import { describeAsSentence, RoleZeroError } from '../core/error.js';
import { type Write, TABLES, type Table } from '../core/store.js';
import type { StoredWrite } from './texts.js';

/**
 * Returns a copy of the writes of a commit. A commit may have to wait, and later changes by the caller are not part of it.
 * @throws RoleZeroError `invalid` naming the first record that cannot be stored.
 */
export function snapshot(writes: readonly Write[]): Write[] {
  const copies: Write[] = [];
  for (const { table, key, value, shared, requires } of writes) {
    checkPlace(table, key);
    try {
      const copy = { table, key, value: cloneValue(value) };
      copies.push(shared === undefined ? copy : { ...copy, ...defined({ shared, requires }) });
    } catch (error) {
      throw cannotStore(table, key, error);
    }
  }
  return copies;
}

/** Depth from which the browser copies: a value may contain itself. */
const CLONED_DEPTH = 64;

/** Returns the same as `structuredClone`, several times as fast for plain data. An object that occurs twice is copied twice. */
export function cloneValue(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'symbol' ? structuredClone(value) : value;
  if (depth > CLONED_DEPTH) return structuredClone(value);
  const keys = Object.keys(value);
  // Names come after indexes: neither they nor holes are in a list that ends with its last index and has that many keys.
  const isList =
    Array.isArray(value) &&
    keys.length === value.length &&
    (keys.length === 0 || keys.at(-1) === String(value.length - 1));
  if (isList) {
    const list: unknown[] = [];
    for (const item of value as unknown[])
      list.push(typeof item === 'string' ? item : cloneValue(item, depth + 1));
    return list;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || Object.hasOwn(value, '__proto__'))
    return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const part = (value as Record<string, unknown>)[key];
    const kind = typeof part;
    copy[key] =
      part !== null && (kind === 'object' || kind === 'function' || kind === 'symbol')
        ? cloneValue(part, depth + 1)
        : part;
  }
  return copy;
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

/** Returns the last write of each record, in order. */
export function newestOf(writes: readonly StoredWrite[]): StoredWrite[] {
  const identity = ({ table, key, shared }: StoredWrite): string =>
    shared === undefined ? `${table}/${key}` : `${table}/${key}\n${shared}`;
  return [...new Map(writes.map((write) => [identity(write), write])).values()];
}

export function isPut({ value }: Write): boolean {
  return value !== undefined;
}

/** Maximum length of a record key, in UTF-16 units; fits the longest file path (1,024) and a role's name. */
export const maximumKeyLength = 2048;

const tables: ReadonlySet<unknown> = new Set(TABLES);

/** @throws RoleZeroError `invalid` for a table that does not exist, or a key that cannot be stored. */
function checkPlace(table: unknown, key: unknown): void {
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
