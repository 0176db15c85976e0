import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { LongTermStore, StoredMemory } from '../../../src/core/long-term.js';
import { AIMessage, RunCommand, UserMessage, type Message } from '../../../src/core/message.js';
import type { Embedder } from '../../../src/core/model.js';
import type { LongTermMemoryInit } from '../../../src/memory/long-term-memory-options.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { MemoryLongTermStore } from '../../../src/memory/memory-long-term-store.js';

/** A store with some methods replaced. */
function over(inner: LongTermStore, other: Partial<LongTermStore>): LongTermStore {
  return {
    add: (item) => inner.add(item),
    put: (item) => inner.put(item),
    remove: (number) => inner.remove(number),
    read: (numbers) => inner.read(numbers),
    readRange: (from, before) => inner.readRange(from, before),
    putChunk: (chunk, part, value) => inner.putChunk(chunk, part, value),
    readChunks: (part, from, before) => inner.readChunks(part, from, before),
    ...other,
  };
}

/** A memory that records its writes, its reads and its warnings. */
function watched(init: LongTermMemoryInit = {}) {
  const inner = init.store ?? new MemoryLongTermStore();
  const put: StoredMemory[] = [];
  const reads: (readonly number[])[] = [];
  const warnings: string[] = [];
  const store = over(inner, {
    add: (item) => {
      put.push(item);
      inner.add(item);
    },
    put: (item) => {
      put.push(item);
      inner.put(item);
    },
    read: (numbers) => {
      reads.push(numbers);
      return inner.read(numbers);
    },
  });
  const memory = new LongTermMemory({
    ...init,
    store,
    now: init.now ?? (() => 0),
    warn: (message) => warnings.push(message),
  });
  return { memory, put, reads, warnings };
}

const contents = (messages: readonly Message[]) => messages.map(({ content }) => content);
const moved = (items: readonly StoredMemory[]) => items.map(({ message }) => message.content);
const users = (...texts: string[]) => texts.map((text) => new UserMessage(text, { id: `id of ${text}` }));
const five = () => users('u0', 'u1', 'u2', 'u3', 'u4');

/** An embedder that records its calls. Texts about the same number are similar. */
function numberEmbedder(meanings: Record<string, number>): Embedder & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    id: 'numbers',
    dimensions: 2,
    asked,
    embed: async (texts) => {
      asked.push([...texts]);
      return texts.map((text) => {
        const angle = meanings[text] ?? 3;
        return Float32Array.of(Math.cos(angle), Math.sin(angle));
      });
    },
  };
}

describe('long-term memory', () => {
  test('keeps a message in the window until the store accepts it', () => {
    const inner = new MemoryLongTermStore();
    let isFull = true;
    const store = over(inner, {
      add: (item) => {
        if (isFull) throw new RoleZeroError('storage-full', 'No space.', {});
        inner.add(item);
      },
    });
    const { memory, put, warnings } = watched({ maxMessages: 1, store });
    const [first, second, third] = users('u0', 'u1', 'u2') as [Message, Message, Message];
    memory.add(first);
    expect(memory.add(second)).toBe(true);
    expect(warnings).toEqual(['Could not store older messages; they stay in the window.']);
    expect([contents(memory.get()), memory.count()]).toEqual([['u0', 'u1'], 2]);
    isFull = false;
    memory.add(third);
    expect([contents(memory.get()), memory.count(), moved(put).slice(-2)]).toEqual([['u2'], 3, ['u0', 'u1']]);
  });

  test('A-025 moves the first two of five messages to the store in order with a window of three', () => {
    const { memory, put } = watched({ maxMessages: 3 });
    expect(memory.addBatch(five())).toBe(5);
    expect(moved(put)).toEqual(['u0', 'u1']);
    expect(memory.count()).toBe(5);
    expect(contents(memory.storage)).toEqual(['u2', 'u3', 'u4']);
  });

  test('A-026 moves one message at the 201st with a window of 200, and none at the 199th and 200th', () => {
    const { memory, put } = watched({ maxMessages: 200 });
    const after = Array.from({ length: 201 }, (_, at) => {
      memory.add(new UserMessage(`${at}`));
      return put.length;
    });
    expect(after.slice(198)).toEqual([0, 0, 1]);
    expect(moved(put)).toEqual(['0']);
  });

  test('A-028 returns recalled messages first, then the last three', async () => {
    const embedder = numberEmbedder({ u0: 0, u1: 1, u4: 0 });
    const { memory } = watched({ maxMessages: 3, embedder });
    memory.addBatch(five());
    expect(contents(await memory.recall(3))).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
    expect(embedder.asked).toEqual([['u0', 'u1'], ['u4']]); // The query is the newest message.
    expect(contents(await memory.recall(1))).toEqual(['u0', 'u1', 'u4']);
    expect(contents(memory.get(3))).toEqual(['u2', 'u3', 'u4']);
  });

  test.each<[string, Message]>([
    ['A-029 the model', new AIMessage('u0 again')],
    ['the world', new UserMessage('u0 again', { causeBy: RunCommand })],
    ['another role: it is empty', new UserMessage('')],
  ])('recalls nothing after a message of %s', async (_who, message) => {
    const { memory, reads } = watched({ maxMessages: 3 });
    memory.addBatch([...five(), message]);
    expect(contents(await memory.recall(3))).toEqual(['u3', 'u4', message.content]);
    expect(reads).toEqual([]);
  });

  test('recalls for messages of the leader as for those of a user', async () => {
    const from = (sentFrom: string) => new UserMessage('u0 again', { causeBy: RunCommand, sentFrom });
    for (const [leader, message, first] of [
      ['Mike', from('Mike'), ['u0']],
      ['Mike', from('Alex'), []],
      ['Ann', from('Ann'), ['u0']],
    ] as const) {
      const { memory } = watched({ maxMessages: 1, similarityTopK: 1, leader });
      memory.addBatch([...users('u0'), message]);
      expect(contents(await memory.recall(1))).toEqual([...first, 'u0 again']);
    }
  });

  test('A-031 sorts recalled and listed memories by arrival, whatever the clock says', async () => {
    const year = 365 * 86_400_000;
    const times = [3 * year, year, 2 * year, 0];
    const { memory } = watched({ maxMessages: 1, now: () => times.shift() ?? 0 });
    memory.addBatch(users('red red red', 'red', 'red red', 'which red?'));
    const inOrder = ['red red red', 'red', 'red red'];
    expect(contents(await memory.recall(1))).toEqual([...inOrder, 'which red?']);
    const listed = (await memory.list()).map(({ message }) => message.content);
    expect(listed).toEqual(inOrder);
    expect((await memory.oldest(2)).map(({ message }) => message.content)).toEqual(inOrder.slice(0, 2));
  });

  test('deletes the memory that arrived first when there are too many, whatever the clock says', async () => {
    const times = [9, 1, 5];
    const { memory } = watched({ maxMessages: 1, maxItems: 2, now: () => times.shift() ?? 0 });
    memory.addBatch(users('one', 'two', 'three', 'four'));
    expect((await memory.list()).map(({ message }) => message.content)).toEqual(['two', 'three']);
  });

  test('orders memories of earlier releases by number, and places later ones after them', async () => {
    const store = new MemoryLongTermStore();
    for (const [number, createdAt] of [9_000, 1_000, 5_000].entries()) {
      const message = new UserMessage(`old ${number}`, { id: `old${number}` }).toData();
      store.add({ id: message.id, role: '', project: '', createdAt, number, message });
    }
    const { memory } = watched({ maxMessages: 1, store, now: () => 2_000 });
    await memory.restore();
    memory.addBatch(users('new', 'newer'));
    expect((await memory.list()).map(({ message }) => message.content)).toEqual([
      'old 0',
      'old 1',
      'old 2',
      'new',
    ]);
    const arrivals = ['old0', 'old1', 'old2'].map((id) => memory.placeOf(id)?.arrival);
    expect([...arrivals, memory.lastArrival]).toEqual([9_000, 9_001, 9_002, 9_003]);
  });

  test('imports memories in the order of the document, and merges those of several roles by time', async () => {
    const { memory } = watched({ maxMessages: 1 });
    const item = (role: string, id: string, createdAt: number) => ({
      ...{ id, role, project: '', createdAt },
      message: new UserMessage(id, { id }).toData(),
    });
    const items = [item('A', 'a1', 5), item('A', 'a2', 1), item('B', 'b1', 4), item('B', 'b2', 6)];
    memory.import({ format: 'rolezero-memory', version: 1, items });
    expect((await memory.list()).map(({ id }) => id)).toEqual(['b1', 'a1', 'a2', 'b2']);
  });

  test('A-032 does not store a message without content when it leaves the window', async () => {
    const { memory, put } = watched({ maxMessages: 2 });
    memory.addBatch([new UserMessage(''), ...users('a', 'b', 'c')]);
    expect(moved(put)).toEqual(['a']);
    expect(contents((await memory.list()).map(({ message }) => new UserMessage(message.content)))).toEqual([
      'a',
    ]);
  });

  test('A-034 R-103 moves nothing when a stored message is added again, wherever it is', () => {
    const { memory, put } = watched({ maxMessages: 3 });
    const messages = five();
    memory.addBatch(messages);
    expect(memory.addBatch(messages)).toBe(0);
    expect(moved(put)).toEqual(['u0', 'u1']);
    expect([memory.count(), memory.findNews(messages), messages.every((one) => memory.has(one))]).toEqual([
      5,
      [],
      true,
    ]);
  });

  test('A-036 returns the window from get(0) and recall(0) without reading the store', async () => {
    const embedder = numberEmbedder({});
    const { memory, reads } = watched({ maxMessages: 3, embedder });
    memory.addBatch(five());
    expect(contents(memory.get(0))).toEqual(['u2', 'u3', 'u4']);
    expect(contents(await memory.recall(0))).toEqual(['u2', 'u3', 'u4']);
    expect([reads, embedder.asked]).toEqual([[], []]);
  });

  test('A-037 names a memory after its role, without spaces; the defaults are 200, 5, and no ranking by the model', () => {
    const memory = new LongTermMemory({ role: 'Zero Two' });
    const { collectionName, maxMessages, similarityTopK, useLlmRanker } = memory;
    expect({ collectionName, maxMessages, similarityTopK, useLlmRanker }).toEqual({
      collectionName: 'ZeroTwo',
      maxMessages: 200,
      similarityTopK: 5,
      useLlmRanker: false,
    });
    expect(new LongTermMemory().collectionName).toBe('role_zero');
  });

  test('R-104 returns no message twice, for any window size', async () => {
    const { memory } = watched({ maxMessages: 3 });
    memory.addBatch(five());
    expect(contents(await memory.recall(100))).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
  });

  test('R-105 queries the store once per message', async () => {
    const { memory, reads } = watched({ maxMessages: 3 });
    memory.addBatch(five());
    await Promise.all([memory.recall(3), memory.recall(2), memory.recalled()]);
    await memory.recall(1);
    expect(reads).toHaveLength(1);
    memory.addBatch(users('u5'));
    expect(contents(await memory.recall(1))).toEqual(['u0', 'u1', 'u2', 'u5']);
    expect(reads).toHaveLength(2);
  });
});

describe('searching', () => {
  test('finds messages by words, rare ones first', async () => {
    const { memory } = watched({ maxMessages: 1 });
    memory.addBatch(
      users('the cat sleeps', 'the password is swordfish', 'the dog sleeps', 'the Café is closed', 'now'),
    );
    const found = async (query: string, limit: number) =>
      (await memory.search(query, limit)).map(({ message }) => message.content);
    expect(await found('What was the password?', 1)).toEqual(['the password is swordfish']);
    expect(await found('SLEEPS', 5)).toEqual(['the dog sleeps', 'the cat sleeps']); // The newer one first.
    expect(await found('café', 5)).toEqual(['the Café is closed']);
    expect(await found('zebra', 5)).toEqual([]);
    expect(await found('the', 0)).toEqual([]);
  });

  test('finds messages without a shared word with an embedder, and stores its vectors', async () => {
    const embedder = numberEmbedder({ 'my car is red': 0, 'it rains': 2, 'color of the vehicle?': 0.1 });
    const store = new MemoryLongTermStore();
    const { memory } = watched({ maxMessages: 1, similarityTopK: 1, embedder, store });
    memory.addBatch(users('my car is red', 'it rains', 'color of the vehicle?'));
    expect(contents(await memory.recall(1))).toEqual(['my car is red', 'color of the vehicle?']);
    expect(embedder.asked).toEqual([['my car is red', 'it rains'], ['color of the vehicle?']]);

    const again = watched({ maxMessages: 1, similarityTopK: 1, embedder, store });
    await again.memory.restore();
    again.memory.addBatch(users('color of the vehicle?'));
    expect(contents(await again.memory.recall(1))).toEqual(['my car is red', 'color of the vehicle?']);
    expect(embedder.asked.slice(2)).toEqual([['color of the vehicle?']]); // Nothing is embedded again.
  });

  test.each([
    ['fails', async () => Promise.reject(new Error('no network'))],
    ['gives vectors of another length', async () => [Float32Array.of(1, 2, 3)]],
    ['gives no vectors', async () => []],
    ['gives no numbers', async () => [Float32Array.of(NaN, 1), Float32Array.of(NaN, 1)]],
  ])('reports an embedder that %s, and searches by words only', async (_how, embed) => {
    const { memory, warnings } = watched({
      maxMessages: 3,
      embedder: { id: 'broken', dimensions: 2, embed },
    });
    memory.addBatch(five());
    expect(contents(await memory.recall(3))).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
    expect(warnings).toEqual(['Could not compare memories by meaning; searching by words only.']);
  });

  test('reports a failing store, and the window is available', async () => {
    const store = over(new MemoryLongTermStore(), {
      read: async () => Promise.reject(new RoleZeroError('storage-failed', 'The disk is gone.')),
    });
    const { memory, warnings } = watched({ maxMessages: 3, store });
    memory.addBatch(five());
    expect(contents(await memory.recall(3))).toEqual(['u2', 'u3', 'u4']);
    expect(warnings).toEqual(['Could not look up older memories; continuing without them.']);
    await expect(memory.search('u0')).rejects.toMatchObject({ code: 'storage-failed' });
  });

  test('validates data from the store', async () => {
    const rows = [
      null,
      'text',
      { id: 'a' },
      { id: 'a', role: '', project: '', createdAt: 0, number: 0, message: { id: 'b', content: 'another' } },
    ];
    const store = over(new MemoryLongTermStore(), { readRange: async () => rows });
    const { memory, warnings } = watched({ maxMessages: 1, store });
    await memory.restore();
    expect(memory.count()).toBe(0);
    expect(warnings).toHaveLength(4);
  });

  test('adds neighbors of hits, in order and without duplicates', async () => {
    const { memory } = watched({ maxMessages: 1, similarityTopK: 2, neighbors: 1 });
    memory.addBatch(users('a', 'b', 'key one', 'c', 'key two', 'd', 'e', 'key?'));
    expect(contents(await memory.recall(1))).toEqual(['b', 'key one', 'c', 'key two', 'd', 'key?']);
  });

  test('lets the model rank three times as many, and omits those it does not name', async () => {
    let now = 0;
    const daily = () => (now += 86_400_000); // Each in a separate conversation.
    const { memory } = watched({ maxMessages: 1, similarityTopK: 2, useLlmRanker: true, now: daily });
    memory.addBatch(users('key 1', 'key b', 'key c', 'key d', 'key e', 'key f', 'key g', 'key?'));
    let prompt = '';
    const found = await memory.recalled(async (text) => {
      prompt = text;
      return 'Doc: 2, Relevance: 3\nDoc: 5, Relevance: 9\nDoc: 6, Relevance: 4\nDoc: 99, Relevance: 9\nnothing else';
    });
    expect(prompt.match(/Document \d:\nkey \w/g)).toEqual([
      'Document 1:\nkey g',
      'Document 2:\nkey f',
      'Document 3:\nkey e',
      'Document 4:\nkey d',
      'Document 5:\nkey c',
      'Document 6:\nkey b',
    ]);
    expect(found.map(({ message }) => message.content)).toEqual(['key b', 'key c']);
  });

  test('recalls the memories that `rerank` rates highest, and the first ones when its result is invalid', async () => {
    let now = 0;
    const seen: (readonly string[])[] = [];
    let rate = (texts: readonly string[]): number[] =>
      texts.map((text) => (/[be]/.test(text.slice(4)) ? 1 : 0));
    const { memory, warnings } = watched({
      maxMessages: 1,
      similarityTopK: 2,
      useLlmRanker: true,
      now: () => (now += 86_400_000),
      rerank: async (query, texts) => {
        seen.push([query, ...texts]);
        return rate(texts);
      },
    });
    const ask = () => Promise.reject(new Error('not asked'));
    memory.addBatch(users('key 1', 'key b', 'key c', 'key d', 'key e', 'key f', 'key g', 'key?'));
    expect((await memory.recalled(ask)).map(({ message }) => message.content)).toEqual(['key b', 'key e']);
    expect(seen).toEqual([['key?', 'key g', 'key f', 'key e', 'key d', 'key c', 'key b']]);
    rate = () => [Number.NaN];
    memory.addBatch(users('key!'));
    expect((await memory.recalled(ask)).map(({ message }) => message.content)).toEqual(['key g', 'key?']);
    expect(warnings).toEqual(['The model could not choose among the memories; using those found first.']);
  });

  test('uses the first hits when the model cannot rank them', async () => {
    const { memory, warnings } = watched({ maxMessages: 1, similarityTopK: 1, useLlmRanker: true });
    memory.addBatch(users('key a', 'key b', 'key?'));
    const found = await memory.recalled(async () => Promise.reject(new Error('busy')));
    expect(found.map(({ message }) => message.content)).toEqual(['key b']);
    expect(warnings).toEqual(['The model could not choose among the memories; using those found first.']);
  });
});

describe('storing', () => {
  test('removes a deleted memory from row and index, and can store it again', async () => {
    const { memory, put, reads } = watched({ maxMessages: 1 });
    const [secret, ...others] = users('the secret word', 'a word', 'which word?') as [
      Message,
      Message,
      Message,
    ];
    memory.addBatch([secret, ...others]);
    expect(contents(await memory.recall(1))).toHaveLength(3);
    expect([memory.forget(secret.id), memory.forget(secret.id), memory.forget('nobody')]).toEqual([
      put[0]?.number,
      null,
      null,
    ]);
    expect(contents(await memory.recall(1))).toEqual(['a word', 'which word?']);
    expect(await memory.search('secret')).toEqual([]);
    expect((await memory.list()).map(({ id }) => id)).toEqual([others[0]?.id]);
    expect(reads.flat().filter((number) => number === put[0]?.number)).toHaveLength(1); // Before it was deleted.
    expect([memory.has(secret), memory.add(secret), memory.count()]).toEqual([false, true, 3]);
  });

  test('R-061 memories of another project are separate and not deleted', async () => {
    const store = new MemoryLongTermStore();
    const visit = async (project: string, ...texts: string[]) => {
      const { memory } = watched({ maxMessages: 1, project, store });
      await memory.restore();
      memory.addBatch(users(...texts));
      return memory;
    };
    await visit('shop', 'the shop is blue', 'x');
    const game = await visit('game', 'the game is red', 'what color is the game?');
    expect(contents(await game.recall(1))).toEqual(['the game is red', 'what color is the game?']);
    const back = await visit('shop', 'what color is the shop?');
    expect(contents(await back.recall(1))).toEqual(['the shop is blue', 'what color is the shop?']);
    expect((await back.list()).map(({ project }) => project)).toEqual(['shop']);
    expect(back.count()).toBe(3);
  });

  test('removes the oldest beyond the limit', async () => {
    const { memory } = watched({ maxMessages: 1, maxItems: 2 });
    memory.addBatch(five());
    expect((await memory.list()).map(({ message }) => message.content)).toEqual(['u2', 'u3']);
    expect(await memory.search('u0', 9)).toHaveLength(2);
    expect(memory.count()).toBe(3);
  });

  test('keeps needed messages and those after them in the window', () => {
    let needed = true;
    const { memory, put } = watched({
      maxMessages: 2,
      isNeeded: ({ content }) => needed && content === 'u0',
    });
    memory.addBatch(five());
    expect([contents(memory.storage), put]).toEqual([['u0', 'u1', 'u2', 'u3', 'u4'], []]);
    needed = false;
    memory.addBatch(users('u5'));
    expect([contents(memory.storage), moved(put)]).toEqual([
      ['u4', 'u5'],
      ['u0', 'u1', 'u2', 'u3'],
    ]);
  });

  test('R-102 delays at most 100 messages', () => {
    const { memory, put } = watched({ maxMessages: 2, isNeeded: () => true });
    memory.addBatch(Array.from({ length: 105 }, (_, at) => new UserMessage(`${at}`)));
    expect([memory.storage.length, moved(put)]).toEqual([102, ['0', '1', '2']]);
  });

  test('deletes everything at once', async () => {
    const { memory } = watched({ maxMessages: 2 });
    memory.addBatch(five());
    memory.clear();
    expect([memory.count(), await memory.list(), await memory.search('u0')]).toEqual([0, [], []]);
    expect(memory.addBatch(five())).toBe(5);
  });

  test.each([{ maxMessages: 0 }, { similarityTopK: 0 }, { neighbors: -1 }, { maxItems: 1.5 }])(
    'rejects invalid numbers: %o',
    (options) => {
      expect(() => new LongTermMemory(options)).toThrow(
        expect.objectContaining({ code: 'invalid' }) as RoleZeroError,
      );
    },
  );

  test('stores every message once and in order after any adds, deletions and restores', async () => {
    const pool = Array.from({ length: 12 }, (_, at) => new UserMessage(`word${at}`, { id: `${at}` }));
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ what: fc.constant('add'), which: fc.nat({ max: 11 }) }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('forget'), which: fc.nat({ max: 11 }) }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('restore'), which: fc.nat({ max: 11 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 40 }),
        async (maxMessages, steps) => {
          const store = new MemoryLongTermStore();
          const open = () => new LongTermMemory({ maxMessages, store, now: () => 0 });
          let memory = open();
          let model: string[] = [];
          for (const { what, which } of steps) {
            const message = pool[which] as Message;
            if (what === 'add') {
              expect(memory.add(message)).toBe(!model.includes(message.id));
              if (!model.includes(message.id)) model.push(message.id);
            } else if (what === 'forget') {
              const older = model.slice(0, Math.max(0, model.length - memory.storage.length));
              expect(memory.forget(message.id) !== null).toBe(older.includes(message.id));
              if (older.includes(message.id)) model = model.filter((id) => id !== message.id);
            } else {
              const window = [...memory.storage];
              memory = open();
              await memory.restore();
              memory.addBatch(window);
            }
            const older = (await memory.list()).map(({ id }) => id);
            const window = memory.get().map(({ id }) => id);
            expect([...older, ...window]).toEqual(model);
            expect(window).toEqual(model.slice(-maxMessages));
            for (const [at, id] of older.entries())
              expect((await memory.search(`word${id}`, 1)).map((item) => item.id)).toEqual([older[at]]);
          }
        },
      ),
    );
  });

  test('moves, finds and deletes 8,000 messages', async () => {
    const { memory } = watched({ maxMessages: 100, now: () => 0 });
    memory.addBatch(
      Array.from({ length: 8_000 }, (_, at) => new UserMessage(`note about thing${at}`, { id: `${at}` })),
    );
    expect((await memory.search('thing 777', 1)).map(({ id }) => id)).toEqual(['777']);
    const forgotten = Array.from({ length: 8_000 }, (_, at) => memory.forget(`${at}`));
    expect(forgotten.filter((number) => number !== null)).toHaveLength(7_900);
    expect(await memory.search('note', 5)).toEqual([]);
  }, 20_000);
});

describe('limits of memories', () => {
  test('of count: removes the oldest, reports it once, and keeps pinned ones', async () => {
    const { memory, warnings } = watched({ maxMessages: 1, maxItems: 2 });
    memory.addBatch(users('a', 'b', 'c'));
    await memory.change('id of a', { pinned: true });
    memory.addBatch(users('d', 'e', 'f'));
    expect((await memory.list()).map(({ message }) => message.content)).toEqual(['a', 'e']);
    expect(warnings).toEqual([
      'The memory limit is reached: the oldest memories are deleted from now on. Raise it, pin what matters, or export.',
    ]);
  });

  test('of size', async () => {
    const { memory } = watched({ maxMessages: 1, maxCharacters: 10 });
    memory.addBatch(users('12345', '1234', '123', '12', 'now'));
    expect((await memory.list()).map(({ message }) => message.content)).toEqual(['1234', '123', '12']);
    await memory.change('id of 12', { content: '1234567890' });
    memory.addBatch(users('next'));
    expect((await memory.list()).map(({ message }) => message.content)).toEqual(['now']);
  });

  test('of age', async () => {
    let now = 0;
    const { memory } = watched({ maxMessages: 1, maxAgeMs: 1_000, now: () => now });
    for (const text of ['a', 'b', 'c', 'd']) {
      memory.addBatch(users(text));
      now += 600;
    }
    expect((await memory.list()).map(({ message }) => message.content)).toEqual(['b', 'c']);
    memory.retire();
    expect((await memory.list()).map(({ message }) => message.content)).toEqual(['c']);
  });
});

describe('another embedder', () => {
  test('embeds again in batches, and uses the vectors of the previous one meanwhile', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    const former: Embedder = { ...numberEmbedder({ 'text 7': 0, 'like seven': 0 }), id: 'former' };
    const store = new MemoryLongTermStore();
    const before = watched({ maxMessages: 1, embedder: former, store });
    before.memory.addBatch(users(...texts, 'now'));
    await before.memory.embedAll();
    const rows = await store.read(texts.map((_, at) => at));

    const embedder = numberEmbedder({ 'text 9': 0, 'like nine': 0 });
    const { memory } = watched({ maxMessages: 1, embedder, formerEmbedder: former, store });
    await memory.restore();
    expect(memory.unembedded).toBe(40);
    const first = async (query: string) => (await memory.recallFor(query, 1))[0]?.message.content;
    expect(await first('like seven')).toBe('text 7');
    await expect.poll(() => memory.unembedded).toBe(0); // In the background.
    expect(embedder.asked.flat().filter((text) => text.startsWith('text '))).toEqual(texts);
    expect(await first('like nine')).toBe('text 9');
    const controller = new AbortController();
    const stopping: Embedder = {
      ...embedder,
      embed: async (some) => {
        controller.abort();
        return embedder.embed(some);
      },
    };
    const other = new MemoryLongTermStore();
    for (const row of rows) other.put(row as StoredMemory);
    const stopped = watched({ maxMessages: 1, embedder: stopping, formerEmbedder: former, store: other });
    await stopped.memory.restore();
    await stopped.memory.embedAll(controller.signal);
    expect(stopped.memory.unembedded).toBe(8); // A batch was stored.

    const resumed = watched({ maxMessages: 1, embedder, formerEmbedder: former, store: other });
    await resumed.memory.restore();
    expect(resumed.memory.unembedded).toBe(8);
    await resumed.memory.embedAll();
    expect((await resumed.memory.recallFor('like nine', 1))[0]?.message.content).toBe('text 9');
  });
});
