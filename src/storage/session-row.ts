import { RoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import { SeededRuntime, type RandomState } from '../base/runtime.js';
import type { SessionInfo } from '../base/store.js';
import { sessionFenced, sessionGone, sessionRolledBack } from './session-errors.js';

/** Format of the row and of its records; grows when either changes its shape. */
const rowVersion = 1;

/** What is kept of a session beside its records; read and written in the same transaction as they are. */
export interface SessionRow {
  readonly name: string;
  /** Tells a session from another one that was made under its name after it had been removed. */
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Number of commits so far. */
  readonly head: number;
  /** Number of writers so far; the newest one is the only one who may write. */
  readonly epoch: number;
  readonly random: RandomState;
  readonly version: number;
}

/** The row of a session nobody has opened or written yet. */
export function newRow(name: string, now: number): SessionRow {
  const runtime = SeededRuntime.fresh();
  const id = runtime.newId();
  const random = runtime.snapshot();
  return { name, id, createdAt: now, updatedAt: now, head: 0, epoch: 0, random, version: rowVersion };
}

/** The row after one more commit. */
export function advanced(row: SessionRow, random: RandomState, now: number): SessionRow {
  const { name, id, createdAt, head, epoch, version } = row;
  return { name, id, createdAt, updatedAt: now, head: head + 1, epoch, random: [...random], version };
}

export function infoOf({ name, createdAt, updatedAt, head }: SessionRow): SessionInfo {
  return { name, createdAt, updatedAt, head };
}

/**
 * The fence: nothing when a writer who believes the row to be `mine` may go on writing, else it throws. Called with the row as it is
 * inside the transaction that writes.
 * @throws RoleZeroError `session-fenced` when another writer has taken the session over, has written to it, or has removed it, or when the browser lost commits.
 */
export function checkFence(found: SessionRow | null, mine: SessionRow): void {
  if (found?.id !== mine.id) throw sessionGone(mine.name);
  if (found.epoch === mine.epoch && found.head < mine.head)
    throw sessionRolledBack(mine.name, mine.head - found.head);
  if (found.epoch !== mine.epoch || found.head !== mine.head) {
    throw sessionFenced(mine.name, {
      mine: { epoch: mine.epoch, head: mine.head },
      found: { epoch: found.epoch, head: found.head },
    });
  }
}

/**
 * A row as it came from disk; null when there is none.
 * @throws RoleZeroError `storage-version` when a newer release wrote it, `storage-corrupt` when it is not a row.
 */
export function readRow(value: unknown): SessionRow | null {
  if (value === undefined) return null;
  if (!isRecord(value)) throw corrupt(value);
  if (typeof value['version'] === 'number' && value['version'] > rowVersion) {
    throw new RoleZeroError(
      'storage-version',
      'This session was written by a newer release of rolezero. Update this page; nothing was changed.',
      { name: value['name'], found: value['version'], supported: rowVersion },
    );
  }
  if (!isRow(value)) throw corrupt(value);
  return value;
}

/** True for the four words of a generator. */
export function isRandomState(value: unknown): value is RandomState {
  return Array.isArray(value) && value.length === 4 && value.every((word) => Number.isInteger(word));
}

function isRow(value: Record<string, unknown>): value is Record<string, unknown> & SessionRow {
  return (
    typeof value['name'] === 'string' &&
    typeof value['id'] === 'string' &&
    ['createdAt', 'updatedAt', 'head', 'epoch', 'version'].every((field) => Number.isFinite(value[field])) &&
    isRandomState(value['random'])
  );
}

function corrupt(value: unknown): RoleZeroError {
  const name = isRecord(value) ? value['name'] : undefined;
  return new RoleZeroError(
    'storage-corrupt',
    'The entry of a session in the database does not have the shape it was written with.',
    { name },
  );
}
