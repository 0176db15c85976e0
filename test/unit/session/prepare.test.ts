import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import { RoleZeroError } from '../../../src/core/error.js';
import type { ChatMessage, ChatModel } from '../../../src/core/model.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { metered } from '../../../src/providers/metered/index.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';

const finish = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
let number = 0;

/** A scripted model on this machine. It reads until it is stopped, unless `isShort`. */
function localModel({ isShort = true, error }: { isShort?: boolean; error?: RoleZeroError } = {}) {
  const scripted = scriptedModel({ quick: 'Hello.', think: [finish, finish] });
  const read: (readonly ChatMessage[])[] = [];
  let stopped = 0;
  const model: ChatModel = {
    id: 'local',
    contextWindow: 32_000,
    chat: (request) => scripted.chat(request),
    async *prepare(messages, signal) {
      read.push(messages);
      yield { type: 'progress', phase: 'reading', loaded: 1, total: 2, text: 'Reading the prompt.' };
      if (error !== undefined) throw error;
      if (isShort) return;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped += 1;
          reject(new RoleZeroError('aborted', 'Stopped.', {}));
        });
      });
    },
  };
  return { model, read, requests: scripted.requests, stopped: () => stopped };
}

async function open(model: ChatModel) {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: `prepared-${++number}`,
    roles: [new RoleZero({ model })],
    askUser: null,
    emit: (event) => events.push(event),
  });
  return { session, events };
}

describe('session.prepare', () => {
  it('reads what the next request begins with, in every turn', async () => {
    const { model, read, requests } = localModel();
    const { session, events } = await open(model);
    for (const request of ['Write /a.txt', 'Write /b.txt']) {
      await session.prepare();
      const before = requests.length;
      await (
        await session.send(request)
      ).result;
      const sent = requests[before]?.messages ?? [];
      expect(sent.slice(0, -1)).toEqual(read.at(-1));
      expect(sent.length).toBeGreaterThan(1);
    }
    expect(events.filter(({ type }) => type === 'model-progress')).toEqual([
      expect.objectContaining({ phase: 'reading', loaded: 1, total: 2 }),
      expect.objectContaining({ phase: 'reading', loaded: 1, total: 2 }),
    ]);
  });

  it('ends when a run starts, and when the session is closed', async () => {
    const { model, read, stopped } = localModel({ isShort: false });
    const { session } = await open(model);
    const preparing = session.prepare();
    await expect(session.prepare()).resolves.toBeUndefined(); // it is in progress
    await vi.waitFor(() => expect(read).toHaveLength(1));
    await (
      await session.send('Write /a.txt')
    ).result;
    await preparing;
    expect(stopped()).toBe(1);
    const again = session.prepare();
    await vi.waitFor(() => expect(read).toHaveLength(2));
    await session.close();
    await again;
    expect(stopped()).toBe(2);
  });

  it('does nothing for a model elsewhere', async () => {
    const { session } = await open(scriptedModel([finish]));
    await expect(session.prepare()).resolves.toBeUndefined();
  });

  it('prepares the model behind a wrapper, and rejects with its error', async () => {
    const error = new RoleZeroError('model-load', 'No memory.', { kind: 'out-of-memory' });
    const { model, read } = localModel({ error });
    const { session } = await open(metered(model, {}));
    await expect(session.prepare()).rejects.toMatchObject({ code: 'model-load' });
    expect(read).toHaveLength(1);
  });
});
