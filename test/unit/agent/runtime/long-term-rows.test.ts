import { defined } from '../../../../src/core/defined.js';
import { Journal } from '../../../../src/agent/runtime/journal.js';
import { LongTermRows } from '../../../../src/parts/long-term/long-term-rows.js';
import { SharedMemoryRows } from '../../../../src/parts/long-term/shared-memory-rows.js';
import { memoryStorage } from '../../../../src/storage/index.js';
import { longTermStoreContract } from '../../../contracts/long-term-store-contract.js';
import { FileInMemory } from './file-in-memory.js';
import { rowsOfSession } from './rows-of-session.js';

const ways = { 'the rows of a session': null, 'the rows of a session with a file': new FileInMemory() };
for (const [name, file] of Object.entries(ways))
  longTermStoreContract(name, async () => {
    const session = await memoryStorage().open('s');
    const { journal, store } = rowsOfSession(session, { openFile: async () => file });
    await store.readChunks('words', 0, Infinity); // opens the file
    return { store, commit: () => journal.commit() };
  });

longTermStoreContract(
  'the rows of a shared memory',
  async () => {
    const session = await memoryStorage().open('s');
    const journal = new Journal(
      (writes) => session.commit(writes, session.random),
      () => {},
    );
    const load = (...[table, range]: Parameters<typeof session.load>) => session.load(table, range);
    const loadShared = session.loadShared?.bind(session);
    const sharedKeys = session.sharedKeys?.bind(session);
    const store = new SharedMemoryRows(
      'project',
      () => journal,
      () => ({ load, ...defined({ loadShared, sharedKeys }) }),
    );
    return { store, commit: () => journal.commit() };
  },
  { keepsChunks: false },
);

longTermStoreContract(
  'a role without a session',
  async () => {
    const journal = new Journal(
      async () => {},
      () => {},
    );
    const store = new LongTermRows(
      'Zero',
      () => journal,
      () => ({}),
    );
    return { store, commit: () => journal.commit() };
  },
  { keepsChunks: false },
);
