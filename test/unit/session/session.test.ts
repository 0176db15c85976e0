import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel, type Script } from '../../../src/testing/index.js';

const storage = memoryStorage();
let number = 0;

function open(script: Script, emit: (event: AgentEvent) => void = () => {}): Promise<Session> {
  const roles = [new RoleZero({ callPlan: 'classic', model: scriptedModel(script) })];
  return Session.open({ storage, name: `session-${++number}`, roles, askUser: async () => null, emit });
}
const finish = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

describe('a session', () => {
  it('rejects empty and oversized messages', async () => {
    const session = await open([]);
    await expect(session.send('  \n')).rejects.toMatchObject({ code: 'invalid' });
    await expect(session.send('x'.repeat(1_000_001))).rejects.toMatchObject({ code: 'invalid' });
    expect(session.messages()).toEqual([]);
  });

  it('R-226 rejects a message for a role with a thousand waiting ones, without a change', async () => {
    let hang: () => void = () => {};
    const hanging = new Promise<void>((resolve) => (hang = resolve));
    const role = new RoleZero({
      callPlan: 'classic',
      model: {
        id: 'mute',
        contextWindow: 8_000,
        async *chat() {
          await hanging;
          yield { type: 'text-delta', text: 'QUICK' };
        },
      },
    });
    const session = await Session.open({
      storage,
      name: 'crowded',
      roles: [role],
      askUser: null,
      emit: () => {},
    });
    const { result } = await session.send('first');
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => session.send(`more ${index}`)));
    await expect(session.send('too much')).rejects.toMatchObject({
      code: 'inbox-full',
      detail: { role: 'Zero' },
    });
    session.stop();
    hang();
    expect((await result).status).toBe('stopped');
    expect(role.agent.inbox.size).toBe(1_000);
  });

  it('accepts answers only to open questions, and rejects oversized ones', async () => {
    const session = await open({ think: [commands(['RoleZero.ask_human', { question: 'which?' }]), finish] });
    await (
      await session.send('go')
    ).result;
    const id = session.waiting?.id ?? '';
    await expect(session.answer('another', 'x')).rejects.toMatchObject({ code: 'not-found' });
    await expect(session.answer(id, 'x'.repeat(1_000_001))).rejects.toMatchObject({ code: 'invalid' });
    await session.answer(id, 'this one');
    await expect(session.answer(id, 'that one')).rejects.toMatchObject({ code: 'not-found' });
    expect((await (await session.resume()).result).status).toBe('done');
    expect(session.messages().map((message) => message.content)).toContain(
      'Command RoleZero.ask_human executed:Human response: this one',
    );
  });

  it('has nothing to resume before an interruption', async () => {
    const session = await open([]);
    expect(session.resumable).toBe(false);
    await expect(session.resume()).rejects.toMatchObject({ code: 'invalid' });
  });

  it('abandons an interrupted run for a new request', async () => {
    const ask = commands(['RoleZero.ask_human', { question: 'which?' }]);
    const session = await open({ think: [ask, finish] });
    expect((await (await session.send('first')).result).status).toBe('waiting');
    expect((await (await session.send('second')).result).status).toBe('done');
    expect([session.waiting, session.resumable, session.plan().goal]).toEqual([null, false, 'second']);
  });

  it('does not remember a forgotten request again when its turn continues', async () => {
    const session = await open({ think: [commands(['RoleZero.ask_human', { question: 'which?' }]), finish] });
    expect((await (await session.send('a secret')).result).status).toBe('waiting');
    expect(await session.memory.forget(session.messages()[0]?.id ?? '')).toBe(true);
    await session.answer(session.waiting?.id ?? '', 'this one');
    expect((await (await session.resume()).result).status).toBe('done');
    expect(session.messages().map(({ content }) => content)).not.toContain('a secret');
  });

  it('does not read a forgotten request again after its worker was killed', async () => {
    let reach: () => void = () => {};
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const model = {
      ...scriptedModel([]),
      async *chat(): AsyncGenerator<never> {
        reach();
        await new Promise(() => {});
      },
    };
    const visit = { storage, name: `session-${++number}`, askUser: null, emit: () => {}, takeOver: true };
    const session = await Session.open({ ...visit, roles: [new RoleZero({ model })] });
    await session.send('a secret');
    await reached;
    expect(await session.memory.forget(session.messages()[0]?.id ?? '')).toBe(true);
    const next = await Session.open({ ...visit, roles: [new RoleZero({ model })] });
    expect([next.messages(), next.resumable]).toEqual([[], false]);
  });

  it('rejects calls after it is closed, and can be closed twice', async () => {
    const session = await open([]);
    await session.close();
    await session.close();
    await expect(session.send('late')).rejects.toMatchObject({ code: 'aborted' });
  });

  it('stores prompts, tokens, commands and approvals of each step (R-032, R-207)', async () => {
    let clock = 1_000;
    const ask = defineTool({
      name: 'Door.open',
      description: 'Opens the door.',
      input: z.object({}),
      run: () => 'open',
    });
    const role = new RoleZero({
      callPlan: 'classic',
      model: scriptedModel({ think: [commands(['Door.open', {}]), finish] }),
      tools: [ask],
      policy: [{ tool: 'Door.*', do: 'ask' }],
    });
    const reported: AgentEvent[] = [];
    const options = { storage, name: `session-${++number}`, now: () => (clock += 10) };
    const session = await Session.open({
      ...options,
      roles: [role],
      askUser: async () => 'yes',
      emit: (event) => reported.push(event),
    });
    await (
      await session.send('open the door')
    ).result;
    const steps = await session.steps();
    expect(
      steps.map(({ step, commands: given }) => [
        step,
        given.map(({ name, ok, approvedBy }) => [name, ok, approvedBy]),
      ]),
    ).toEqual([
      [0, [['Door.open', true, 'user']]],
      [
        1,
        [
          ['RoleZero.reply_to_human', true, 'policy'],
          ['end', true, 'policy'],
        ],
      ],
    ]);
    expect(steps.map(({ calls }) => calls.map(({ purpose }) => purpose))).toEqual([
      ['classify', 'language', 'think'],
      ['think', 'summary'],
    ]);
    const hashes = steps.flatMap(({ calls }) => calls.map(({ promptHash }) => promptHash));
    expect(new Set(hashes).size).toBe(5);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
    const total = session.usage();
    const sum = (key: 'promptTokens' | 'completionTokens') =>
      steps.flatMap(({ calls }) => calls).reduce((all, call) => all + call[key], 0);
    expect([sum('promptTokens'), sum('completionTokens')]).toEqual([
      total.promptTokens,
      total.completionTokens,
    ]);
    const messages = new Map(session.messages().map(({ id, content }) => [id, content]));
    expect(messages.get(steps[0]?.replyId ?? '')).toContain('Door.open');
    expect(messages.get(steps[0]?.observationId ?? '')).toBe('Command Door.open executed: open');
    expect(steps[0]?.durationMs).toBeGreaterThan(0);
    expect(reported.flatMap((event) => (event.type === 'step-end' ? [event.trace] : []))).toEqual(steps);
    await expect(session.steps('Nobody')).rejects.toMatchObject({ code: 'not-found' });
    await session.close();
  });

  it('reports the events of a run in order: begin, phases, thoughts, commands, end', async () => {
    const reported: string[] = [];
    const session = await open({ think: [finish] }, (event) => {
      const ofCalls = event.type === 'call-start' || event.type === 'usage';
      if (!event.type.endsWith('-delta') && !ofCalls) reported.push(event.type);
    });
    await (
      await session.send('go')
    ).result;
    expect(reported).toEqual([
      'run-start',
      'phase', // classifying
      'thought-end',
      'phase', // thinking
      'plan-changed',
      'thought-end',
      'phase', // acting
      'command-start',
      'human-reply',
      'command-end',
      'command-start',
      'command-end',
      'step-end',
      'phase', // ended
      'phase', // idle
      'run-end',
    ]);
  });
});
