import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatModel, ChatRequest } from '../../../src/core/model.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { counting, dyingAt } from '../session/storages.js';

const over = commands(['RoleZero.reply_to_human', { content: 'ok' }], ['end', {}]);

/** A command that asks the model about each of its words. */
function oracle(more: Pick<Tool, 'effect' | 'parallel' | 'timeoutMs'> = {}): Tool {
  return defineTool({
    name: 'Oracle.ask',
    description: 'Ask.',
    input: z.object({ words: z.array(z.string()) }),
    async run({ words }, { ask }) {
      const replies: (string | undefined)[] = [];
      for (const word of words) replies.push(await ask?.({ text: word }));
      return replies.join(' ');
    },
    ...more,
  });
}

const asking = (...words: string[]) => commands(['Oracle.ask', { words }], ['Oracle.ask', { words }]);

describe("a tool's question to the model", () => {
  it('is a separate conversation, without events for others', async () => {
    const model = scriptedModel({
      think: [commands(['Oracle.ask', { words: ['a?'] }]), over],
      other: '<think>hm</think> b!',
    });
    const { memory } = await runRole(new RoleZero({ model, tools: [oracle()] }), 'go');
    expect(memory[2]?.content).toBe('Command Oracle.ask executed: b!');
    const asked = model.requests.filter(({ purpose }) => purpose === 'other');
    expect(asked.map(({ messages }) => messages)).toEqual([[{ role: 'user', content: 'a?' }]]);
    const later = model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
    expect(later).not.toContain('a?');
  });

  it('is counted, and repeated by another command', async () => {
    const model = scriptedModel({ think: [asking('a?', 'a?'), over], other: 'b' });
    const { events } = await runRole(new RoleZero({ model, tools: [oracle()] }), 'go');
    const used = events.filter((event) => event.type === 'usage' && event.purpose === 'other');
    expect(used).toHaveLength(2); // The same question of the same command has the same reply.
  });

  it('of parallel commands is asked one after the other', async () => {
    let now = 0;
    let most = 0;
    const scripted = scriptedModel({ think: [asking('a?', 'b?'), over], other: 'c' });
    const model: ChatModel = {
      ...scripted,
      async *chat(request) {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield* scripted.chat(request);
        now -= 1;
      },
    };
    const tools = [oracle({ effect: 'pure', parallel: true })];
    const { memory } = await runRole(new RoleZero({ model, tools }), 'go');
    expect(memory[2]?.content).toBe('Command Oracle.ask executed: c c\n\nCommand Oracle.ask executed: c c');
    expect(most).toBe(1);
  });

  it('ends with the time limit of its tool, and so does the call', async () => {
    let signal: AbortSignal | null = null;
    const scripted = scriptedModel({ think: [commands(['Oracle.ask', { words: ['a?'] }]), over] });
    const model: ChatModel = {
      ...scripted,
      async *chat(request: ChatRequest) {
        if (request.purpose !== 'other') yield* scripted.chat(request);
        else {
          signal = request.signal;
          await new Promise(() => {});
        }
      },
    };
    const { memory, outcome } = await runRole(
      new RoleZero({ model, tools: [oracle({ timeoutMs: 20 })] }),
      'go',
    );
    expect(memory[2]?.content).toContain('Oracle.ask was stopped after 0.02 seconds');
    expect(signal).toMatchObject({ aborted: true });
    expect(outcome.status).toBe('done');
  });

  it('that was answered before a crash is not paid for again', async () => {
    const events: AgentEvent[] = [];
    const calls: string[] = [];
    const steps = [asking('a?', 'b?'), over];
    const model: ChatModel = {
      id: 'm',
      contextWindow: 100_000,
      async *chat({ purpose, messages }) {
        const last = String(messages.at(-1)?.content);
        if (purpose === 'other') calls.push(last);
        const answers = messages.filter(({ content }) => steps.includes(String(content))).length;
        const text =
          purpose === 'think' ? (steps[answers] ?? '') : purpose === 'other' ? last.toUpperCase() : 'TASK';
        yield { type: 'text-delta', text };
        yield { type: 'finish', reason: 'stop' };
      },
    };
    const open = (storage = memoryStorage()) =>
      Session.open({
        storage,
        name: 's',
        takeOver: true,
        roles: [new RoleZero({ model, tools: [oracle({ effect: 'egress-read' })] })],
        askUser: null,
        emit: (event) => events.push(event),
        now: () => 0,
      });
    const observed = (session: Session) => session.messages().map(({ content }) => content);
    const counted = counting(memoryStorage());
    const whole = await open(counted.storage);
    await (
      await whole.send('go')
    ).result;
    const expected = observed(whole);
    expect(expected[2]).toBe('Command Oracle.ask executed: A? B?\n\nCommand Oracle.ask executed: A? B?');
    const paid = calls.length;
    for (let point = 2; point <= counted.count(); point++) {
      calls.length = 0;
      const storage = memoryStorage();
      const dying = dyingAt(storage, point, 'after');
      const first = await open(dying.storage);
      void first.send('go').catch(() => {});
      await dying.died;
      const second = await open(storage);
      if (second.resumable) await (await second.resume()).result;
      expect(observed(second), `killed after commit ${point}`).toEqual(expected);
      expect(calls, `killed after commit ${point}`).toHaveLength(paid);
      await second.close();
    }
  });
});
