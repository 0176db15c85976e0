import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import { SeededRuntime, type RandomState } from '../core/runtime.js';
import type { SessionInfo } from '../core/store.js';
import { sessionFenced, sessionGone, sessionRolledBack } from './session-errors.js';

/**
 * Format version of the row and of its records; increases when either changes shape. 2: records quote texts. 3: files are made of parts of
 * contents.
 */
const rowVersion = 3;

/** The data of a session besides its records; read and written in the same transaction as they are. */
export interface SessionRow {
  readonly name: string;
  /** Differs between a session and another one created with the same name after a removal. */
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Number of commits so far. */
  readonly head: number;
  /** Number of writers so far; only the newest may write. */
  readonly epoch: number;
  readonly random: RandomState;
  readonly version: number;
}

/** Returns the row of a session that has never been opened or written. */
export function newRow(name: string, now: number): SessionRow {
  const runtime = SeededRuntime.fresh();
  const id = runtime.newId();
  const random = runtime.snapshot();
  return { name, id, createdAt: now, updatedAt: now, head: 0, epoch: 0, random, version: rowVersion };
}

/** Returns the row after the next commit. */
export function advanced(row: SessionRow, random: RandomState, now: number): SessionRow {
  const { name, id, createdAt, head, epoch } = row;
  const version = rowVersion;
  return { name, id, createdAt, updatedAt: now, head: head + 1, epoch, random: [...random], version };
}

export function infoOf({ name, createdAt, updatedAt, head }: SessionRow): SessionInfo {
  return { name, createdAt, updatedAt, head };
}

/** Returns whether the stored session lacks commits up to `row`. A different session with the same name lacks nothing. */
export function lacks(found: SessionRow | null, row: SessionRow): boolean {
  return found === null || (found.id === row.id && found.head < row.head);
}

/**
 * The fence: returns when a writer whose row is `mine` may continue to write, and throws otherwise. Called with the row read inside the
 * transaction that writes.
 * @throws RoleZeroError `session-fenced` when another writer has taken the session over, has written to it, or has removed it, or when the
 * browser lost commits.
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
 * Checks a row that was read from disk; returns null when there is none.
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

/** Returns whether the value is the four-word state of the random generator. */
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

export function isSameCommit(found: SessionRow, mine: SessionRow): boolean {
  return found.id === mine.id && found.epoch === mine.epoch && found.head === mine.head;
}
