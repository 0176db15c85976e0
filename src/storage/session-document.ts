import { checkSessionName } from './session-errors.js';
import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { RandomState } from '../core/runtime.js';
import { NOT_EXPORTED, type SessionExport, type Table } from '../core/store.js';
import { isKey, isTable, maximumKeyLength } from './writes.js';
import { fromPortable, toPortable } from './portable-value.js';
import { isRandomState, newRow, type SessionRow } from './session-row.js';

/** Exceeds the records of any session; an import with more is rejected before anything is read. */
const maximumRecords = 1_000_000;

/** One record with its decoded value. */
export interface SessionRecord {
  table: Table;
  key: string;
  value: unknown;
}

/**
 * Returns an export document that `JSON.stringify` represents completely.
 * @throws RoleZeroError `invalid` naming a record that has no portable form.
 */
export function writeDocument(row: SessionRow, records: Iterable<SessionRecord>): SessionExport {
  return {
    format: 'rolezero-session',
    version: 1,
    name: row.name,
    createdAt: row.createdAt,
    random: [...row.random],
    records: Array.from(records, ({ table, key, value }) => {
      try {
        return { table, key, value: toPortable(value) };
      } catch (error) {
        throw new RoleZeroError(
          'invalid',
          `The record '${key}' of table '${table}' cannot be exported.`,
          { table, key },
          error,
        );
      }
    }),
  };
}

/**
 * Checks and copies every part of an exported document, which may come from an untrusted source.
 * @param check Called with each record; throws to reject the document.
 * @throws RoleZeroError `invalid` naming the invalid place.
 */
export function readDocument(
  document: unknown,
  check?: (record: SessionRecord) => void,
): {
  name: string;
  createdAt: number;
  random: RandomState;
  records: SessionRecord[];
} {
  if (!isRecord(document) || document['format'] !== 'rolezero-session') {
    throw importError('format', "is not 'rolezero-session': this is not an exported session");
  }
  const { version } = document;
  if (version !== 1) {
    const isNewer = typeof version === 'number' && version > 1;
    const why = isNewer
      ? 'it was exported by a newer release of rolezero, so update this page'
      : 'it is damaged';
    throw importError('version', `is ${describeValue(version)} and not 1: ${why}`);
  }
  onlyMembers(document, ['format', 'version', 'name', 'createdAt', 'random', 'records'], 'The document');
  const { createdAt, random, records } = document;
  const name = checkSessionName(document['name']);
  if (typeof createdAt !== 'number' || !Number.isFinite(createdAt) || createdAt < 0) {
    throw importError('createdAt', 'is not a time in milliseconds since 1970');
  }
  if (!isRandomState(random)) throw importError('random', 'is not a list of four whole numbers');
  if (!Array.isArray(records)) throw importError('records', 'is not a list');
  if (records.length > maximumRecords)
    throw importError('records', `has more than ${maximumRecords} entries`);
  const read = readRecords(records);
  if (check !== undefined) read.forEach(check);
  return { name, createdAt, random: [...random], records: read };
}

/** Returns the row of a session restored from a document: all its records count as its first commit. */
export function restoredRow(
  document: { createdAt: number; random: RandomState },
  name: string,
  now: number,
): SessionRow {
  return { ...newRow(name, now), createdAt: document.createdAt, random: document.random, head: 1 };
}

function readRecords(records: unknown[]): SessionRecord[] {
  const seen = new Set<string>();
  return records.map((record, index) => {
    const place = `records[${index}]`;
    if (!isRecord(record)) throw importError(place, 'is not a record');
    onlyMembers(record, ['table', 'key', 'value'], place);
    const { table, key } = record;
    if (!isTable(table) || NOT_EXPORTED.has(table))
      throw importError(`${place}.table`, 'is not the name of a table');
    if (!isKey(key))
      throw importError(`${place}.key`, `is not a text of 1 to ${maximumKeyLength} characters`);
    const identity = `${table}/${key}`; // no table has a slash in its name
    if (seen.has(identity)) throw importError(place, 'repeats the table and key of a record before it');
    seen.add(identity);
    const value = fromPortable(record['value'], `${place}.value`);
    if (value === undefined)
      throw importError(`${place}.value`, 'is undefined, which means no record at all');
    return { table, key, value };
  });
}

/** Also detects a member called `__proto__`, which `JSON.parse` accepts. */
function onlyMembers(value: Record<string, unknown>, allowed: string[], place: string): void {
  const strange = Object.keys(value).find((name) => !allowed.includes(name));
  if (strange !== undefined) throw importError(place, `has an unknown member '${strange.slice(0, 40)}'`);
}

function importError(place: string, why: string): RoleZeroError {
  return new RoleZeroError('invalid', `Cannot import this session: ${place} ${why}.`, { place });
}
