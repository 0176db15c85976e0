import type { MessageData } from '../core/message.js';
import { newId } from '../core/new-id.js';
import { GROWING, WHOLE_TABLES, type SessionStore, type Table, type Write } from '../core/store.js';
import { readRowKey, rowKey } from '../agent/runtime/journal.js';
import { loadRows } from './load-session.js';
import type { SessionState } from './session-state.js';

/*
 * Before each request, a checkpoint stores what `rewind` needs: the small tables as they are, and where the others end. Rows before
 * that end that are removed or replaced later are stored under a key of `replacedKey`, by those who do it.
 */

/** Maximum number of checkpoints. The oldest are removed. */
const MAX_CHECKPOINTS = 100;

/** Number of requests after which rows that no checkpoint needs are removed. */
const CLEANED_EVERY = 20;

/** The state of a session before a request. */
export interface Checkpoint {
  /** Equal for all requests that were sent in this state. */
  base: string;
  /** The request. */
  message: MessageData;
  to?: string;
  /** The change of files after this state stores the files of the request. */
  isAttached?: true;
  /** Milliseconds since 1970. */
  at: number;
  /** Number of the last change of files. */
  files: number;
  /** The rows of the small tables. */
  rows: Write[];
  /** Number of the next row, by `<table>/<role>`, and of `deliveries`. */
  next: Record<string, number>;
}

/** Owner of the rows of checkpoints in the table `checkpoints`. */
export const CHECKPOINTS = 'at';
/** Key of the state that the session went back to, until the next request. */
export const BASE = 'base';

/** Returns the key of a checkpoint. */
function checkpointKey(number: number): string {
  return rowKey(CHECKPOINTS, number);
}

/** Returns the write that stores a checkpoint. */
export function writeCheckpoint(number: number, value: Checkpoint): Write {
  return { table: 'checkpoints', key: checkpointKey(number), value };
}

/** Returns all checkpoints with their numbers, oldest first. */
export async function loadCheckpoints(
  store: SessionStore,
): Promise<{ number: number; checkpoint: Checkpoint }[]> {
  const rows = await store.load('checkpoints', { from: `${CHECKPOINTS}/`, before: `${CHECKPOINTS}0` });
  return rows.map(({ key, value }) => ({ number: readRowKey(key).number, checkpoint: value as Checkpoint }));
}

/** Returns the base of the state that the session went back to last; null after the next request. */
export async function loadBase(store: SessionStore): Promise<string | null> {
  const [row] = await store.read('checkpoints', [BASE]);
  return typeof row?.value === 'string' ? row.value : null;
}

/**
 * Reads the state of the session before a request. Returns a function that makes the writes to store with the request: its checkpoint, and
 * the removal of what no checkpoint needs any more.
 */
export async function newCheckpoint({
  store,
  runtime,
  environment,
}: SessionState): Promise<(request: Pick<Checkpoint, 'message' | 'to' | 'isAttached'>) => Write[]> {
  const [tables, newest, base, change, deliveries] = await Promise.all([
    loadRows(store, WHOLE_TABLES),
    store.load('checkpoints', { from: `${CHECKPOINTS}/`, before: `${CHECKPOINTS}0` }, 1),
    loadBase(store),
    nextNumber(store, 'history'),
    nextNumber(store, 'deliveries'),
  ]);
  const rows = WHOLE_TABLES.flatMap((table, index) =>
    (tables[index] ?? []).map(({ key, value }): Write => ({ table, key, value })),
  );
  const hasRows = (role: string, table: Table): boolean =>
    environment.getRole(role)?.agent.parts.some((part) => part.tables?.includes(table)) === true;
  const growing = rows
    .filter(({ table }) => table === 'roles')
    .flatMap(({ key: role }) => GROWING.map((table) => ({ table, role })))
    .filter(({ table, role }) => table !== 'memories' || hasRows(role, table));
  const ends = growing.map(async ({ table, role }) => [
    `${table}/${role}`,
    await nextNumber(store, table, role),
  ]);
  const next = Object.fromEntries([
    ['deliveries', deliveries],
    ...(await Promise.all(ends)),
  ]) as Checkpoint['next'];
  const files = Math.max(0, change - 1);
  const last = newest.at(-1);
  const number = last === undefined ? 0 : readRowKey(last.key).number + 1;
  const removals = await outdated(store, number);
  return (request) => [
    writeCheckpoint(number, {
      base: base ?? newId(),
      ...request,
      ...{ at: runtime.now(), files, rows, next },
    }),
    ...(base === null ? [] : [{ table: 'checkpoints' as const, key: BASE, value: undefined }]),
    ...removals,
  ];
}

/** Returns the number of the next row of a table, or of a role in it. */
async function nextNumber(store: SessionStore, table: Table, role?: string): Promise<number> {
  const range = role === undefined ? undefined : { from: `${role}/`, before: `${role}0` };
  const row = (await store.load(table, range, 1)).at(-1);
  return row === undefined ? 0 : readRowKey(row.key).number + 1;
}

/** Returns the removals of the checkpoint that is one too many, and from time to time of the rows that only such ones needed. */
async function outdated(store: SessionStore, number: number): Promise<Write[]> {
  if (number < MAX_CHECKPOINTS) return [];
  const remove = (key: string): Write => ({ table: 'checkpoints', key, value: undefined });
  const removals = [remove(checkpointKey(number - MAX_CHECKPOINTS))];
  if (number % CLEANED_EVERY > 0) return removals;
  const [oldest] = await store.read('checkpoints', [checkpointKey(number - MAX_CHECKPOINTS + 1)]);
  for (const [table, next] of Object.entries((oldest?.value as Checkpoint | undefined)?.next ?? {})) {
    const rows = await store.load('checkpoints', { from: `${table}/`, before: rowKey(table, next) });
    removals.push(...rows.map(({ key }) => remove(key)));
  }
  return removals;
}
