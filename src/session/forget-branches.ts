import type { SessionStore, Write } from '../core/store.js';
import { loadRows } from './load-session.js';

/** Returns the writes that remove all branches, and what is needed to go back: what is removed for good must not remain in them. */
export async function forgetBranches(store: SessionStore): Promise<Write[]> {
  const tables = ['checkpoints', 'branches'] as const;
  const rows = await loadRows(store, tables);
  return tables.flatMap((table, index) =>
    (rows[index] ?? []).map(({ key }): Write => ({ table, key, value: undefined })),
  );
}
