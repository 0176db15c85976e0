import { expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { sessionMethods } from '../../../src/worker/session-methods.js';

it('report that interrupted work is still resumable after a request that could not be stored', async () => {
  const storage = memoryStorage();
  let isFull = false;
  const views: boolean[] = [];
  const view = (): void => void views.push(session.resumable);
  const session: Session = await Session.open({
    storage: {
      ...storage,
      async open(...args) {
        const store = await storage.open(...args);
        const commit = store.commit.bind(store);
        store.commit = async (...how) => {
          if (isFull) throw new RoleZeroError('storage-full', 'The disk is full.', {});
          await commit(...how);
        };
        return store;
      },
    },
    name: 's',
    roles: [
      new RoleZero({
        model: scriptedModel({ think: [commands(['RoleZero.ask_human', { question: 'which?' }])] }),
      }),
    ],
    askUser: async () => null,
    emit: view,
  });
  const methods = sessionMethods(session, view);
  await methods.send('go');
  await session.running?.result;
  isFull = true;
  views.length = 0;
  await expect(methods.send('again')).rejects.toMatchObject({ code: 'storage-full' });
  expect(new Set(views)).toEqual(new Set([true])); // also with the warning that the storage is full
});
