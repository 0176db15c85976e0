import type { Branch } from '../core/branches.js';
import type { SessionStore, Write } from '../core/store.js';
import { loadRows } from './load-session.js';

/** A part of the conversation that was left. It begins in the state `base`. */
export interface Left extends Omit<Branch, 'instead' | 'insteadAt' | 'parent'> {
  base: string;
  /** The bases of its other requests, and of the state that it went back to at its end. */
  bases: string[];
  /** The last of these; null when a request followed. */
  end: string | null;
  /** Number of the last change of files in it. */
  files: number;
  effects: string[];
}

/** Returns all that was left, without its rows. */
export async function loadInfos(store: SessionStore): Promise<Left[]> {
  const rows = await store.load('branches', { from: 'info/', before: 'info0' });
  return rows.map(({ value }) => value as Left);
}

/** Returns the number of the last change of files in a branch; null when there is no such branch. */
export async function filesOfBranch(store: SessionStore, id: string): Promise<number | null> {
  const [row] = await store.read('branches', [infoKey(id)]);
  return row === undefined ? null : (row.value as Left).files;
}

export function infoKey(id: string): string {
  return `info/${id}`;
}

/** Returns the range of the rows of a branch. */
export function branchRange(id: string): { from: string; before: string } {
  return { from: `rows/${id}/`, before: `rows/${id}0` };
}

/** Returns the writes that remove all branches, and what is needed to go back: what is removed for good must not remain in them. */
export async function forgetBranches(store: SessionStore): Promise<Write[]> {
  const tables = ['checkpoints', 'branches'] as const;
  const rows = await loadRows(store, tables);
  return tables.flatMap((table, index) =>
    (rows[index] ?? []).map(({ key }): Write => ({ table, key, value: undefined })),
  );
}
