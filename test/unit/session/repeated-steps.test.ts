import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { ChatModel, ChatRequest } from '../../../src/core/model.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const write = (path: string, content: string) => commands(['Editor.write', { path, content }]);
const done = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);

interface Command {
  command_name: string;
  args: Record<string, string>;
}

/** A model with these replies to its steps, as text or as native calls; other questions get a short answer. */
function modelOf(replies: string[], toolCalls = false): ChatModel & { asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    id: 'test',
    contextWindow: 32_000,
    asked,
    supports: { toolCalls },
    async *chat(request) {
      asked.push(request);
      const text = request.purpose === 'think' ? (replies.shift() ?? '') : 'Summary.';
      if (request.toolChoice === 'auto') {
        const calls = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)) as Command[];
        for (const [index, { command_name, args }] of calls.entries())
          yield {
            type: 'tool-call',
            index,
            id: `${asked.length}-${index}`,
            name: command_name.replace('.', '_'),
            args: JSON.stringify(args),
          };
      } else yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

async function worked(replies: string[], toolCalls = false) {
  const model = modelOf(replies, toolCalls);
  const session = await Session.open({
    roles: [new RoleZero({ model, tools: [editor()] })],
    storage: memoryStorage(),
    name: 'repeated',
    askUser: null,
    emit: () => undefined,
  });
  const run = await session.send('Please write /a and /b');
  await run.result;
  const [request] = session.messages();
  return { session, model, id: request?.id ?? '' };
}

const REPLIES = [write('/a', 'one'), write('/b', 'two'), done('Both are written.')];

describe('a request that is sent again from a step', () => {
  it('repeats the replies before it, and asks the model from there on', async () => {
    const { session, model, id } = await worked([...REPLIES, write('/b', 'other'), done('Changed.')]);
    const { calls } = session.usage();
    const before = model.asked.length;
    await (
      await session.regenerate(id, { fromStep: 1 })
    ).result;
    const asked = model.asked.slice(before).map(({ purpose }) => purpose);
    expect(asked.filter((purpose) => purpose === 'think')).toEqual(['think', 'think']);
    expect([await session.files.read('/a'), await session.files.read('/b')]).toEqual(['one', 'other']);
    expect(session.lastRun?.summary).toBe('Summary.');
    expect(session.usage().calls).toBe(calls + asked.length);
    const steps = await session.steps();
    expect(steps.flatMap((step) => step.calls.map(({ reply }) => reply))).toContain(write('/a', 'one'));
    await session.close();
  });

  it('repeats native calls, with results that follow them', async () => {
    const { session, model, id } = await worked([...REPLIES, done('Changed.')], true);
    await (
      await session.regenerate(id, { fromStep: 2 })
    ).result;
    const last = model.asked.findLast(({ toolChoice }) => toolChoice === 'auto');
    const roles = last?.messages.map(({ role }) => role).filter((role) => role !== 'user') ?? [];
    expect(roles.slice(-4)).toEqual(['assistant', 'tool', 'assistant', 'tool']);
    expect(await session.files.read('/b')).toBe('two');
    await session.close();
  });

  it('asks the model for every step, when it is sent again as a whole afterwards', async () => {
    const { session, id } = await worked([
      ...REPLIES,
      done('Short.'),
      write('/c', 'three'),
      done('From the start.'),
    ]);
    await (
      await session.regenerate(id, { fromStep: 2 })
    ).result;
    await (
      await session.regenerate(id)
    ).result;
    expect((await session.files.list()).map(({ path }) => path)).toEqual(['/c']);
    await session.close();
  });

  it('is refused when the steps before are not stored, and nothing changes', async () => {
    const { session, id } = await worked([...REPLIES]);
    await expect(session.regenerate(id, { fromStep: 9 })).rejects.toMatchObject({ code: 'not-found' });
    expect(await session.files.read('/b')).toBe('two');
    expect(await session.branches.list()).toEqual([]);
    await session.close();
  });
});

describe('the prompt of a model call', () => {
  it('is found by its hash as it was sent', async () => {
    const { session, model } = await worked([...REPLIES]);
    const calls = (await session.steps()).flatMap((step) => step.calls);
    expect(calls.map(({ promptHash }) => session.prompt(promptHash)?.messages)).toEqual(
      model.asked.map(({ messages }) => messages),
    );
    expect(session.prompt(calls[0]?.promptHash ?? '')).toMatchObject({
      role: 'Zero',
      model: 'test',
      purpose: calls[0]?.purpose,
    });
    expect(session.prompt('unknown')).toBeNull();
    await session.close();
  });
});
