import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../../../src/client/session.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { AgentEvent } from '../../../src/core/events.js';
import { RunCommand } from '../../../src/core/message.js';
import type { Replay, Tool, ToolDefinition } from '../../../src/core/tool.js';
import type { PolicyRule } from '../../../src/agent/policy/policy.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { subagents } from '../../../src/subagents/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';

const finish = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
const UNKNOWN =
  'It was interrupted before, and it is not known whether it took effect. Check before you run it again.';
const NOT_RUN = (names: string) =>
  `Not run: ${names}, because the user's next request came first. Give them again if they are still right.`;

/** A tool that appends its text to `done`; while `hangs`, it then never returns. */
function tools() {
  const state = { done: [] as string[], hangs: true, reach: () => {} };
  const reached = new Promise<void>((resolve) => (state.reach = resolve));
  const input = z.object({ text: z.string() });
  const note = defineTool({
    name: 'Note.add',
    description: 'Adds a line.',
    input,
    run: ({ text }) => `line ${text}`,
  });
  const effect = (name: string, more: Partial<ToolDefinition<{ text: string }>> & { replay?: Replay } = {}) =>
    defineTool({
      name,
      description: 'Acts outside.',
      input,
      effect: 'egress-write',
      trusted: true,
      run: ({ text }: { text: string }) => {
        state.done.push(text);
        if (!state.hangs) return 'sent';
        state.reach();
        return new Promise(() => {});
      },
      ...more,
    } as ToolDefinition<{ text: string }>);
  return { state, reached, note, effect };
}

interface Opened {
  name: string;
  think: string[];
  tools: Tool[];
  storage?: ReturnType<typeof memoryStorage>;
  policy?: readonly PolicyRule[];
  askUser?: SessionOptions['askUser'];
}

async function open({ name, think, tools: list, storage = memoryStorage(), policy, askUser }: Opened) {
  const events: AgentEvent[] = [];
  const model = scriptedModel({ think, repair: Array.from({ length: 9 }, () => '[{') });
  const role = new RoleZero({ model, tools: list, policy: policy ?? [{ tool: '*', do: 'allow' }] });
  const session = await Session.open({
    storage,
    name,
    roles: [role],
    askUser: askUser ?? (async () => null),
    emit: (event) => events.push(event),
    takeOver: true,
  });
  return { session, events, model, storage, role };
}

const results = (session: Session) =>
  session
    .messages()
    .filter(({ causeBy, role }) => causeBy === RunCommand.id && role === 'user')
    .map(({ content }) => content);

describe('a turn that the user gives up with another request', () => {
  const reply = commands(
    ['Note.add', { text: 'one' }],
    ['Mail.send', { text: 'two' }],
    ['Note.add', { text: 'three' }],
    ['Mail.send', { text: 'four' }],
  );

  it('has a result for each command: done, not known, not run', async () => {
    const { state, reached, note, effect } = tools();
    const { session, model, events } = await open({
      name: 'stopped',
      think: [reply, finish],
      tools: [note, effect('Mail.send')],
    });
    const run = await session.send('work on it, please');
    await reached;
    session.stop();
    await run.result;
    expect((await (await session.send('write a page instead')).result).status).toBe('done');
    const expected = [
      'Command Note.add executed: line one',
      `Command Mail.send executed: ${UNKNOWN}`,
      NOT_RUN('Note.add, Mail.send'),
    ].join('\n\n');
    expect(results(session)[0]).toBe(expected);
    expect(state.done).toEqual(['two']);
    const asked = String(model.requests.at(-1)?.messages.at(-1)?.content);
    expect(asked.indexOf(expected)).toBeGreaterThanOrEqual(0);
    expect(asked.indexOf('write a page instead')).toBeGreaterThan(asked.indexOf(expected));
    const audit = auditOf(await session.steps()).map(({ name, ok }) => [name, ok]);
    expect(audit.slice(0, 2)).toEqual([
      ['Note.add', true],
      ['Mail.send', false],
    ]);
    expect(events.filter(({ type }) => type === 'command-end')).toHaveLength(4);
  });

  it('records who has approved a call, also when the approval was given for the whole run before', async () => {
    const { state, reached, note, effect } = tools();
    const mail = effect('Mail.send', {
      run: ({ text }) => {
        state.done.push(text);
        if (state.done.length < 2) return 'sent';
        state.reach();
        return new Promise(() => {});
      },
    });
    const questions: string[] = [];
    const { session } = await open({
      name: 'approved',
      think: [commands(['Mail.send', { text: 'news' }], ['Mail.send', { text: 'news' }]), finish],
      tools: [note, mail],
      policy: [
        { tool: 'Mail.send', do: 'ask', lifetime: 'run' },
        { tool: '*', do: 'allow' },
      ],
      askUser: async ({ text }) => {
        questions.push(text);
        return 'yes';
      },
    });
    const run = await session.send('work on it, please');
    await reached;
    session.stop();
    await run.result;
    await (
      await session.send('write a page instead')
    ).result;
    expect(questions).toEqual(['May Zero use “Mail: send”?']);
    const sent = auditOf(await session.steps()).filter(({ name }) => name === 'Mail.send');
    const approval = { approvedBy: 'user', permission: { decision: 'ask', answer: 'yes', lifetime: 'run' } };
    expect(sent).toMatchObject([
      { ok: true, ...approval },
      { ok: false, ...approval },
    ]);
  });

  it('asks `reconcile` what a call outside did, and keeps its labels, after a killed worker too', async () => {
    const { state, reached, note, effect } = tools();
    const reconcile = (found: boolean) =>
      effect('Mail.send', {
        replay: 'reconcile',
        trusted: false,
        reconcile: async () => (found ? { output: 'It was sent: ask for the rest.' } : null),
      });
    const first = await open({
      name: 'killed',
      think: [reply],
      tools: [note, reconcile(true)],
    });
    void first.session.send('work on it, please');
    await reached;
    const { session, role } = await open({
      name: 'killed',
      think: [finish],
      storage: first.storage,
      tools: [note, reconcile(true)],
    });
    expect((await (await session.send('write a page instead')).result).status).toBe('done');
    expect(results(session)[0]).toBe(
      [
        'Command Note.add executed: line one',
        'Command Mail.send executed: It was sent: ask for the rest.',
        NOT_RUN('Note.add, Mail.send'),
      ].join('\n\n'),
    );
    expect(role.agent.state.untrusted).toEqual(['Mail.send']);
    expect(state.done).toEqual(['two']);
  });

  it('says that a call did not take place when `reconcile` knows so, and when it only reads', async () => {
    for (const options of [
      { replay: 'reconcile', reconcile: async () => null },
      { effect: 'egress-read' },
    ] as const) {
      const { reached, note, effect } = tools();
      const { session } = await open({
        name: 'nothing',
        think: [reply, finish],
        tools: [note, effect('Mail.send', options)],
      });
      const run = await session.send('work on it, please');
      await reached;
      session.stop();
      await run.result;
      await (
        await session.send('write a page instead')
      ).result;
      expect(results(session)[0]).toBe(
        `Command Note.add executed: line one\n\n${NOT_RUN('Mail.send, Note.add, Mail.send')}`,
      );
    }
  });

  it('does not know what became of a call when `reconcile` fails, and says so', async () => {
    const { reached, note, effect } = tools();
    const failing = effect('Mail.send', {
      replay: 'reconcile',
      reconcile: () => Promise.reject(new Error('HTTP 503')),
    });
    const { session, events } = await open({
      name: 'failing',
      think: [reply, finish],
      tools: [note, failing],
    });
    const run = await session.send('work on it, please');
    await reached;
    session.stop();
    await run.result;
    expect((await (await session.send('write a page instead')).result).status).toBe('done');
    expect(results(session)[0]).toContain(
      `Command Mail.send executed: ${UNKNOWN} (Asking for it failed: Error: HTTP 503)`,
    );
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
      { message: 'Mail.send could not say whether its interrupted call took effect.' },
    ]);
  });

  it('is closed when the session continues, if it is stopped or killed before that', async () => {
    const { state, reached, note, effect } = tools();
    let asks = 0;
    const slow = effect('Mail.send', {
      replay: 'reconcile',
      reconcile: () => (++asks === 1 ? new Promise(() => {}) : Promise.resolve({ output: 'sent' })),
    });
    const { session } = await open({ name: 'twice', think: [reply, finish], tools: [note, slow] });
    const run = await session.send('work on it, please');
    await reached;
    session.stop();
    await run.result;
    const second = await session.send('write a page instead');
    await expect.poll(() => asks).toBe(1);
    session.stop();
    expect((await second.result).status).toBe('stopped');
    expect(session.resumable).toBe(true);
    state.hangs = false;
    expect((await (await session.resume()).result).status).toBe('done');
    expect(results(session)[0]).toContain('Command Mail.send executed: sent');
    expect(session.messages().filter(({ content }) => content === 'write a page instead')).toHaveLength(1);
  });

  it('leaves a reply that was not used, and the question about it, behind', async () => {
    const { session } = await open({ name: 'unread', think: ['[{', '[{', '[{', finish], tools: [] });
    const run = await session.send('work on it, please');
    expect((await run.result).status).toBe('waiting');
    expect((await (await session.send('write a page instead')).result).status).toBe('done');
    expect(session.waiting).toBeNull();
    expect(results(session)[2]).toBe(
      "Nothing of your last reply was run, because the user's next request came first. Give its commands again if they are still right.",
    );
  });

  it('closes its sub-agent: what that did is in the audit log, and its labels stay', async () => {
    const { reached, effect } = tools();
    const web = defineTool({
      name: 'Web.read',
      description: 'Reads.',
      input: z.object({}),
      effect: 'egress-read',
      run: () => 'a page of somebody',
    });
    const task = commands(['Subagent.run', { task: 'read it' }], ['Web.read', {}]);
    const work = commands(['Web.read', {}], ['Mail.send', { text: 'two' }], ['Web.read', {}]);
    const { session, role } = await open({
      name: 'sub',
      think: [task, work, finish],
      tools: [subagents(), web, effect('Mail.send')],
    });
    const run = await session.send('work on it, please');
    await reached;
    session.stop();
    await run.result;
    expect((await (await session.send('write a page instead')).result).status).toBe('done');
    expect(results(session)[0]).toContain(
      `The sub-agent was interrupted. What it has done stays. The last of it: Command Web.read executed: a page of somebody\n\nCommand Mail.send executed: ${UNKNOWN}\n\nNot run: Web.read`,
    );
    expect(results(session)[0]).toContain(NOT_RUN('Web.read'));
    expect(role.agent.state.untrusted).toEqual(['Web.read']);
    const audit = auditOf(await session.steps()).map(({ name, ok }) => [name, ok]);
    expect(audit.slice(0, 3)).toEqual([
      ['Web.read', true],
      ['Mail.send', false],
      ['Subagent.run', false],
    ]);
  });
});
