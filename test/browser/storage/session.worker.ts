import { expose } from 'comlink';
import type { SessionStore, StorageWarning, Table, Write } from '../../../src/core/store.js';
import { indexedDbStorage } from '../../../src/storage/index.js';

/** One session in a worker. Only workers can write a replica. */
const held = {
  store: null as SessionStore | null,
  warnings: [] as StorageWarning[],

  async open(
    databaseName: string,
    options: { takeOver?: boolean; secondCopy?: boolean } = {},
  ): Promise<void> {
    const { takeOver = false, secondCopy = true } = options;
    this.warnings.length = 0;
    this.store = await indexedDbStorage({ databaseName, secondCopy }).open('game', { takeOver });
    this.store.listen?.((warning) => this.warnings.push(warning));
  },
  commit(writes: Write[], options?: { purge?: boolean }): Promise<void> {
    return this.opened().commit(writes, [1, 2, 3, 4], options);
  },
  load(table: Table): Promise<{ key: string; value: unknown }[]> {
    return this.opened().load(table);
  },
  reported(): StorageWarning[] {
    return this.warnings;
  },
  close(): Promise<void> {
    return this.opened().close();
  },
  opened(): SessionStore {
    if (this.store === null) throw new Error('not open');
    return this.store;
  },
};

export type Held = typeof held;
expose(held);
