import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import { CHUNK_ITEMS } from '../../../src/core/long-term.js';
import type { Embedder } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { answering } from './answering.js';
import { bind } from './storages.js';

/** Two meanings: cats and everything else. */
const embedder: Embedder = {
  id: 'cats',
  dimensions: 2,
  embed: async (texts) =>
    texts.map((text) => (/cat|kitten/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1))),
};

function item(number: number, content: string) {
  const id = `m${number}`;
  const message = {
    id,
    content,
    role: 'user',
    causeBy: 'UserRequirement',
    sentFrom: 'User',
    sendTo: ['<all>'],
    metadata: {},
  };
  return { id, role: 'Zero', project: '', createdAt: number * 7_200_000, message };
}

test('searches by words while vectors load, and waits for them only for a search by meaning', async () => {
  const inner = memoryStorage();
  let read: () => void = () => {};
  const slow = new Promise<void>((resolve) => (read = resolve));
  const storage: Storage = {
    ...bind(inner),
    open: async (...args) => {
      const store = await inner.open(...args);
      const load = store.load.bind(store);
      store.load = async (table, ...rest) => {
        if (table === 'vectors') await slow;
        return load(table, ...rest);
      };
      return store;
    },
  };
  const open = async () => {
    const events: AgentEvent[] = [];
    const role = new RoleZero({
      name: 'Zero',
      model: answering(),
      longTermMemory: longTermMemory({ embedder, similarityTopK: 2 }),
    });
    const session = await Session.open({
      storage,
      name: 's',
      roles: [role],
      askUser: async () => null,
      emit: (event) => events.push(event),
    });
    const recalled = async (request: string) => {
      await (
        await session.send(request)
      ).result;
      return events.splice(0).filter((event) => event.type === 'memory-recalled');
    };
    return { session, recalled };
  };
  const first = await open();
  const items = [item(0, 'Mimi is my cat.'), item(1, 'A lamp stands in the hall.')];
  while (items.length < CHUNK_ITEMS) items.push(item(items.length, `note ${items.length}`));
  await first.session.memory.import({ format: 'rolezero-memory', version: 1, items });
  expect(await first.recalled('Who has a lamp, the kitten?')).toMatchObject([{ role: 'Zero' }]); // Embeds, and stores the chunk.
  await first.session.close();

  const again = await open();
  const [early] = await again.recalled('Where is the lamp of the kitten?');
  expect(early).toEqual({ type: 'memory-recalled', role: 'Zero', ids: ['m1'], byWords: true });
  const found = async (query: string, byMeaning: boolean) =>
    (await again.session.memory.search(query, { limit: 1, byMeaning })).map(({ id }) => id);
  expect(await found('kitten', false)).toEqual([]); // no memory has the word
  expect(await found('lamp', false)).toEqual(['m1']);
  const searching = found('kitten', true);
  read();
  expect(await searching).toEqual(['m0']);
  expect(await found('kitten', false)).toEqual(['m0']); // the vectors are loaded now
  const [late] = await again.recalled('Does the kitten sleep under the lamp?');
  expect(late?.ids).toContain('m0');
  expect(late).not.toHaveProperty('byWords');
  await again.session.close();
});
