import type { SessionStore, Write } from '../core/store.js';

/** Returns the writes that remove all branches, and what is needed to go back: what is removed for good must not remain in them. */
export async function forgetBranches(store: SessionStore): Promise<Write[]> {
  const tables = ['checkpoints', 'branches'] as const;
  const writes = tables.map(async (table) =>
    (await store.load(table)).map(({ key }): Write => ({ table, key, value: undefined })),
  );
  return (await Promise.all(writes)).flat();
}
