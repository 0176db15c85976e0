import type { SessionStore, Table } from '../core/store.js';
import { approvalsKey } from '../agent/policy/approvals.js';
import { readRowKey } from '../agent/runtime/journal.js';
import type { TeamRole } from '../agent/runtime/team-role.js';

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

interface Row {
  key: string;
  value: unknown;
}

/** Reads the rows of tables, at one moment where the store can. */
export function loadRows(store: SessionStore, tables: readonly Table[]): Promise<Row[][]> {
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

function own(tables: StoredTables, table: Table, role: string): { key: string; value: unknown }[] {
  return tables.rows(table).filter(({ key }) => readRowKey(key).owner === role);
}
