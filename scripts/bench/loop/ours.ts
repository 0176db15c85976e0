import type { Storage } from '../../../src/core/store.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbStorage, memoryStorage } from '../../../src/storage/index.js';
import { serveLoops, type Next } from './contender.js';
import { countingRole } from './counting-role.js';

let sessions = 0;

async function inSession(storage: Storage, next: Next): Promise<void> {
  const name = `loop-${sessions++}`;
  const session = await Session.open({
    roles: [countingRole(next)],
    storage,
    name,
    askUser: null,
    emit: () => {},
  });
  const { result } = await session.send('Add the numbers.');
  const { status, error } = await result;
  await session.close();
  await storage.remove(name);
  if (status !== 'done') throw new Error(`The run ended as ${status}: ${error?.message ?? ''}`);
}

const inMemory = memoryStorage();
const onDisk = indexedDbStorage({ databaseName: 'rolezero-bench-loop' });
serveLoops({
  'not stored': async (next) => {
    await countingRole(next).run('Add the numbers.');
  },
  'stored in memory': (next) => inSession(inMemory, next),
  'stored on disk': (next) => inSession(onDisk, next),
});
