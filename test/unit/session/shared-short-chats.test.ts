import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';

/** A support chat: a session of a user, with the memory of the how-to page. */
async function chat(storage: Storage, name: string, more: { maxMessages?: number } = {}) {
  const prompts: string[] = [];
  let hangs = false;
  const model: ChatModel = {
    id: 'support',
    contextWindow: 100_000,
    async *chat({ messages, purpose }) {
      prompts.push(String(messages.at(-1)?.content));
      if (hangs) await new Promise(() => {});
      const text =
        purpose === 'think' ? commands(['RoleZero.reply_to_human', { content: 'Noted.' }], ['end', {}]) : 'x';
      yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const session = await Session.open({
    storage,
    name,
    roles: [new RoleZero({ model, longTermMemory: longTermMemory({ shared: 'ann', ...more }) })],
    askUser: null,
    emit: () => {},
    takeOver: true,
  });
  const ask = async (text: string) => {
    const first = prompts.length;
    await (
      await session.send(text)
    ).result;
    return prompts.slice(first).join('\n');
  };
  const texts = async () => (await session.memory.list()).map(({ message }) => message.content);
  return { session, ask, texts, hang: () => (hangs = true) };
}

const ORDER = 'My order 4711 arrived with a broken lamp.';

describe('a short chat with a shared memory', () => {
  it('is recalled in the next session of the same user, and not in its own', async () => {
    const storage = memoryStorage();
    const monday = await chat(storage, 'monday');
    await monday.ask(ORDER);
    expect(await monday.ask('Is my order with the lamp replaced?')).not.toContain('# Memories');
    await monday.session.close();
    const friday = await chat(storage, 'friday');
    expect(await friday.ask('What became of my order with the lamp?')).toContain(ORDER);
  });

  it('is recalled when it was closed in the middle of its work', async () => {
    const storage = memoryStorage();
    const monday = await chat(storage, 'monday');
    monday.hang();
    const { result } = await monday.session.send(ORDER);
    await expect.poll(() => monday.session.messages().length).toBe(1);
    await monday.session.close();
    expect((await result).status).toBe('stopped');
    const friday = await chat(storage, 'friday');
    expect(await friday.ask('What became of my order with the lamp?')).toContain(ORDER);
  });

  it('stores each message once, also after reloads and when messages leave the window', async () => {
    const storage = memoryStorage();
    for (const text of ['One.', 'Two.', 'Three.']) {
      const visit = await chat(storage, 'monday', { maxMessages: 4 });
      await visit.ask(text);
      await visit.session.close();
    }
    const last = await chat(storage, 'monday', { maxMessages: 4 });
    const stored = await last.texts();
    expect(stored.filter((text) => ['One.', 'Two.', 'Three.'].includes(text))).toEqual([
      'One.',
      'Two.',
      'Three.',
    ]);
    expect(new Set((await last.session.memory.list()).map(({ id }) => id)).size).toBe(stored.length);
  });

  it('does not bring back what another session has forgotten', async () => {
    const storage = memoryStorage();
    const monday = await chat(storage, 'monday', { maxMessages: 4 });
    await monday.ask(ORDER);
    const friday = await chat(storage, 'friday');
    const [found] = await friday.session.memory.search('lamp');
    expect(await friday.session.memory.forget(found?.id ?? '')).toBe(true);
    await monday.session.close();
    const again = await chat(storage, 'monday', { maxMessages: 4 });
    for (const text of ['One.', 'Two.', 'Three.']) await again.ask(text); // the message leaves the window
    expect(again.session.messages().map(({ content }) => content)).not.toContain(ORDER);
    expect(await friday.texts()).not.toContain(ORDER);
  });
});
