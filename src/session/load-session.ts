import { messageFromRecord } from '../core/message.js';
import type { KeyRange, SessionStore, Table } from '../core/store.js';
import { approvalsKey } from '../agent/policy/approvals.js';
import { readRowKey, rowKey } from '../agent/runtime/journal.js';
import type { TeamRole } from '../agent/runtime/work.js';

/** The tables that describe the state of the work: a few small rows, however long the session. */
const OVERVIEW: readonly Table[] = [
  'roles',
  'tools',
  'approvals',
  'inbox',
  'questions',
  'team',
  'deliveries',
];
const FILES: readonly Table[] = ['files', 'history'];
const MEMORY: readonly Table[] = ['messages', 'turns'];
const TABLES_OF = {
  overview: OVERVIEW,
  files: FILES,
  memory: MEMORY,
  all: [...OVERVIEW, ...FILES, ...MEMORY],
};

/** The whole session, or a part: the state of its work, its files, or what its roles remember. */
export type Extent = keyof typeof TABLES_OF;

/** Rows of a session, read from its store. */
export interface StoredTables {
  /** Returns the rows of a table; empty for a table that was not read. */
  rows: (table: Table) => { key: string; value: unknown }[];
  /** Returns the value of a row; undefined when there is none. */
  value: (table: Table, key: string) => unknown;
}

interface StoredRow {
  key: string;
  value: unknown;
}

/** Reads the rows of tables, at one moment where the store can. */
export function loadRows(store: SessionStore, tables: readonly Table[]): Promise<StoredRow[][]> {
  return store.loadAll?.(tables) ?? Promise.all(tables.map((table) => store.load(table)));
}

/** Reads the tables of a session. */
export async function loadTables(store: SessionStore, extent: Extent): Promise<StoredTables> {
  const names = TABLES_OF[extent];
  const loaded = await loadRows(store, names);
  const tables = new Map(names.map((name, index) => [name, loaded[index] ?? []]));
  const rows = (table: Table): { key: string; value: unknown }[] => tables.get(table) ?? [];
  return { rows, value: (table, key) => rows(table).find((row) => row.key === key)?.value };
}

/** Restores the state of a role from the overview of the session. */
export function restoreRoleState({ name, agent }: TeamRole, tables: StoredTables): void {
  const state = tables.value('roles', name);
  const approvals = tables.value('approvals', approvalsKey(name));
  agent.restoreState({
    state,
    approvals,
    tools: own(tables, 'tools', name),
    inbox: own(tables, 'inbox', name),
  });
}

/** Restores what a role remembers. */
export function restoreRoleMemory({ name, agent }: TeamRole, tables: StoredTables): Promise<void> {
  return agent.restoreMemory({ messages: own(tables, 'messages', name), turns: own(tables, 'turns', name) });
}

/** What a run needs before the first call of the model, of a session that is not read yet. */
export interface RunBeginning {
  /** Number of the last change of the files. */
  lastChange: number;
  /** Key of the first restored message, if there may be older ones; null when all are restored. */
  first: string | null;
}

/** Messages that a role remembers before the older ones are read; those that it has not read yet come on top. */
const NEWEST_RESTORED = 100;

/**
 * Restores the conversation of a role and its newest messages, or all where it needs them. The prompt contains unread messages, which are
 * recent: at most one message of the role itself is between two of them.
 */
export async function loadBeginning(store: SessionStore, { name, agent }: TeamRole): Promise<RunBeginning> {
  const range = rangeOf(name);
  const count = mayRestoreNewestFirst(agent) ? NEWEST_RESTORED + 2 * agent.state.unread.length : undefined;
  const [newest, turns, changes] = await Promise.all([
    store.load('messages', range, count),
    store.load('turns', range),
    store.load('history', undefined, 1),
  ]);
  // A role name may contain another one, so the range may contain rows of others.
  const isOwn = ({ key }: StoredRow): boolean => readRowKey(key).owner === name;
  const isMixed = count !== undefined && !newest.every(isOwn);
  const messages = (isMixed ? await store.load('messages', range) : newest).filter(isOwn);
  await agent.restoreMemory({ messages, turns: turns.filter(isOwn) });
  const [first] = messages;
  const isWhole = isMixed || count === undefined || newest.length < count || first === undefined;
  return { lastChange: Number(changes.at(-1)?.key ?? 0), first: isWhole ? null : first.key };
}

/** Returns whether the memory of a role may be restored in two parts, the newest messages first. */
function mayRestoreNewestFirst({ startsEarly, parts }: TeamRole['agent']): boolean {
  return startsEarly && parts.every((part) => !part.createMemory && part.needsAllMessages !== true);
}

/** Restores the messages that are older than those of `loadBeginning`; with the tables of the session, from them. */
export async function restoreOlder(
  store: SessionStore,
  { name, agent }: TeamRole,
  { first }: RunBeginning,
  tables: StoredTables | null,
): Promise<void> {
  if (first === null) return;
  const rows =
    tables?.rows('messages') ?? (await store.load('messages', { ...rangeOf(name), before: first }));
  const older = rows
    .filter(({ key }) => readRowKey(key).owner === name && key < first)
    .map(({ key, value }) => ({ key, message: messageFromRecord(value) }));
  for (const { key, message } of older) agent.messageRows.restoreOlder(message.id, key);
  agent.memory.restoreOlder(older.map(({ message }) => message));
}

/** The keys of the rows of a role; `~` sorts after all digits. */
function rangeOf(role: string): KeyRange {
  return { from: rowKey(role, 0), before: `${role}/~` };
}

function own(tables: StoredTables, table: Table, role: string): { key: string; value: unknown }[] {
  return tables.rows(table).filter(({ key }) => readRowKey(key).owner === role);
}
