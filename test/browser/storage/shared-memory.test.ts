import { expect, it } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { sessions } from '../../../src/client/sessions.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';
import { freshName } from './fresh-name.js';
import { inDatabase, inReplicas } from './stored-text.js';

const WORD = 'The word of the gate is swordfish-4711.';
const reply = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

/** A session in a database connection of its own, like that of another tab. */
async function open(name: string, databaseName?: string) {
  const prompts: string[] = [];
  const model: ChatModel = {
    id: 'ends',
    contextWindow: 100_000,
    async *chat({ purpose, messages }) {
      if (purpose === 'think') prompts.push(String(messages.at(-1)?.content));
      yield { type: 'text-delta', text: purpose === 'think' ? reply : `${purpose}.` };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const session = await Session.open({
    storage: indexedDbStorage(databaseName === undefined ? {} : { databaseName }),
    name,
    roles: [new RoleZero({ model, longTermMemory: longTermMemory({ maxMessages: 2, shared: 'project' }) })],
    askUser: null,
    emit: () => undefined,
  });
  const say = async (...requests: string[]) => {
    for (const request of requests) expect((await (await session.send(request)).result).status).toBe('done');
  };
  const texts = async () => (await session.memory.list()).map(({ message }) => message.content);
  return { session, say, texts, prompts };
}

it('recalls what another session has stored, and leaves nothing of a forgotten memory', async () => {
  const databaseName = freshName();
  const two = await open('two', databaseName);
  const one = await open('one', databaseName);
  await one.say(WORD, 'Count the sheep.');
  await two.say('Open the gate with its word.');
  expect(two.prompts.at(-1)).toContain(WORD);
  await Promise.all([
    one.say('Count the goats.', 'Count the cows.'),
    two.say('Count the hens.', 'Count the owls.'),
  ]);
  const requests = ['sheep', 'goats', 'cows', 'hens', 'owls'].map((animal) => `Count the ${animal}.`);
  const stored = await one.texts();
  expect(await two.texts()).toHaveLength(stored.length);
  const counted = (texts: string[]) => texts.filter((text) => text.startsWith('Count the ')).toSorted();
  expect(counted(stored)).toEqual(requests.toSorted());
  await one.session.close();

  const again = await open('one', databaseName);
  expect(counted(await again.texts())).toEqual(requests.toSorted());
  const [found] = await again.session.memory.search('swordfish', { limit: 1 });
  expect(await two.session.memory.forget(found?.id ?? '')).toBe(true);
  expect(await again.texts()).not.toContain(WORD);
  await Promise.all([again.session.close(), two.session.close()]);
  const storage = indexedDbStorage({ databaseName });
  for (const name of ['one', 'two']) await storage.remove(name); // their conversations contain it
  expect(await inDatabase(databaseName)).not.toContain('swordfish');
  expect(await inReplicas()).not.toContain('swordfish');
});

it('is removed by its name, and not with a session', async () => {
  const name = freshName();
  const one = await open(name);
  const before = await one.texts();
  await one.say(WORD, 'Count the sheep.');
  await one.session.close();
  await sessions.remove(name);
  const two = await open(`${name} 2`);
  expect((await two.texts()).length).toBeGreaterThan(before.length);
  await sessions.removeShared('project');
  expect(await two.texts()).toEqual([]);
  await two.say('Open the gate with its word.');
  expect(two.prompts.at(-1)).not.toContain(WORD);
  await two.session.close();
  await sessions.remove(`${name} 2`);
});
