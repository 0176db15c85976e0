import type { SessionStore, Table } from '../core/store.js';
import { approvalsKey } from '../agent/policy/approvals.js';
import { readRowKey } from '../agent/runtime/journal.js';
import type { TeamRole } from '../agent/runtime/team-role.js';

/** The tables that describe the state of the work: a few small rows, however long the session. */
const OVERVIEW: readonly Table[] = ['roles', 'tools', 'approvals', 'inbox', 'questions', 'team'];
const ALL: readonly Table[] = [...OVERVIEW, 'messages', 'turns', 'files', 'history', 'deliveries'];

/** The whole session, or only the state of its work. */
export type Extent = 'all' | 'overview';

/** Rows of a session, read from its store. */
export interface StoredTables {
  /** Returns the rows of a table; empty for a table that was not read. */
  rows: (table: Table) => { key: string; value: unknown }[];
  /** Returns the value of a row; undefined when there is none. */
  value: (table: Table, key: string) => unknown;
}

/** Reads the tables of a session. */
export async function loadTables(store: SessionStore, extent: Extent): Promise<StoredTables> {
  const names = extent === 'all' ? ALL : OVERVIEW;
  const loaded =
    store.loadAll === undefined
      ? await Promise.all(names.map((name) => store.load(name)))
      : await store.loadAll(names);
  const tables = new Map(names.map((name, index) => [name, loaded[index] ?? []]));
  const rows = (table: Table): { key: string; value: unknown }[] => tables.get(table) ?? [];
  return { rows, value: (table, key) => rows(table).find((row) => row.key === key)?.value };
}

/** Restores a role from its rows. An overview leaves its memory as it is. */
export async function restoreRole(
  { name, agent }: TeamRole,
  tables: StoredTables,
  extent: Extent,
): Promise<void> {
  const own = (table: Table): { key: string; value: unknown }[] =>
    tables.rows(table).filter(({ key }) => readRowKey(key).owner === name);
  const state = tables.value('roles', name);
  const approvals = tables.value('approvals', approvalsKey(name));
  const overview = { state, approvals, tools: own('tools'), inbox: own('inbox') };
  if (extent === 'overview') agent.restoreState(overview);
  else await agent.restore({ ...overview, messages: own('messages'), turns: own('turns') });
}
