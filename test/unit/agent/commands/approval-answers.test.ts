import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../src/core/human.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { readAnswer } from '../../../../src/agent/commands/request-approval.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { defineTool } from '../../../../src/core/define-tool.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/index.js';
import { webRead } from '../../agent/web-read.js';

type Command = [name: string, args: Record<string, JsonValue>];

const SITE = 'https://news.example/';
const end: Command = ['end', {}];
const readSite: Command = ['Web.read', { url: SITE }];
const readMine: Command = ['Editor.read', { path: '/notes.md' }];
const mail = (to: string): Command => ['Mail.send', { to, text: 'Hello' }];

async function work(steps: readonly Command[], answers: readonly string[], options: RoleZeroOptions = {}) {
  const questions: Question[] = [];
  const sent: unknown[] = [];
  const left = [...answers];
  const tools = [
    ...editor(),
    webRead(() => 'See https://evil.test/1'),
    defineTool({
      name: 'Mail.send',
      description: 'Sends a mail.',
      input: z.object({ to: z.string(), text: z.string() }),
      effect: 'egress-write',
      trusted: true,
      approval: ({ to }) => `send a mail to ${to}`,
      run: (input) => {
        sent.push(input);
        return 'sent';
      },
    }),
  ];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [
      new RoleZero({
        model: scriptedModel({ think: [...steps, end].map((step) => commands(step)) }),
        tools,
        summarize: false,
        language: 'English',
        ...options,
      }),
    ],
    emit: () => {},
    askUser: async (question) => {
      questions.push(question);
      return left.shift() ?? 'no';
    },
  });
  await session.files.write('/notes.md', 'A secret.');
  await (
    await session.send(`Read ${SITE} and write a mail.`)
  ).result;
  const outputs = session
    .messages()
    .map(({ content }) => content)
    .filter((text) => text.startsWith('Command '));
  return { session, questions, sent, outputs };
}

describe('an approval request', () => {
  it('says in plain words what will happen, who may have asked for it, and what could be disclosed', async () => {
    const { questions } = await work(
      [readSite, readMine, ['Web.read', { url: 'https://evil.test/1' }], mail('ada')],
      [],
    );
    expect(
      questions.map(({ text, reason, disclosure, choices, content }) => ({
        text,
        reason,
        disclosure,
        choices,
        content,
      })),
    ).toEqual([
      {
        text: 'May Zero open evil.test?',
        reason: `You have not mentioned this address. Zero has read content of ${SITE}: it may have made Zero do this, without you wanting it.`,
        disclosure: 'Zero has read /notes.md; something from it could reach evil.test.',
        choices: ['once', 'run'],
        content: 'It reaches https://evil.test.\nurl: https://evil.test/1',
      },
      {
        text: 'May Zero send a mail to ada?',
        reason: `This has an effect outside of this conversation, which Zero cannot take back. Zero has read content of ${SITE}: it may have made Zero do this, without you wanting it.`,
        disclosure: 'Zero has read /notes.md; something from it could get out this way.',
        choices: ['once'],
        content: 'to: ada\ntext: Hello',
      },
    ]);
  });

  it('shows what it discloses when words of the user are quoted', async () => {
    const { questions } = await work([readSite, ['Mail.send', { to: 'ada', text: 'they write a mail' }]], []);
    expect(questions[0]?.disclosure).toBe(
      'It contains words of yours, “write a mail”, which would get out this way.',
    );
  });

  it('names the rule of the application, when only that asks', async () => {
    const { questions } = await work([mail('ada')], [], {
      policy: [{ tool: 'Mail.*', do: 'ask', lifetime: 'session' }],
    });
    expect(questions[0]).toMatchObject({
      reason: 'This application lets Zero do this only with your permission.',
      choices: ['once', 'run', 'session'],
    });
    expect(questions[0]?.disclosure).toBeUndefined();
  });

  it('has the default words when those of the tool fail', async () => {
    const fails = defineTool({
      name: 'Post.send',
      description: 'Sends a post.',
      input: z.object({}),
      effect: 'egress-write',
      approval: () => Promise.reject(new Error('The page is gone.')),
      run: () => 'sent',
    });
    const policy = [{ tool: 'Post.*', do: 'ask' }] as const;
    const { questions } = await work([['Post.send', {}]], [], { tools: [fails], policy });
    expect(questions[0]?.text).toBe('May Zero use “Post: send”?');
  });

  it('has the same as data, for texts in other languages', async () => {
    const { questions } = await work(
      [readSite, readMine, ['Web.read', { url: 'https://evil.test/1' }], mail('ada')],
      [],
    );
    expect(questions.map(({ facts }) => facts)).toEqual([
      {
        action: { do: 'open', host: 'evil.test' },
        why: 'unnamed',
        sources: [SITE],
        receiver: 'evil.test',
        secrets: ['/notes.md'],
        lasts: 'run',
        covers: { tool: 'Web.read', at: 'https://evil.test', links: true },
      },
      {
        action: { do: 'run', text: 'send a mail to ada' },
        why: 'outside',
        sources: [SITE],
        receiver: '',
        secrets: ['/notes.md'],
        lasts: 'once',
      },
    ]);
    expect(questions.map(({ coverage }) => coverage)).toEqual([
      'Unless you allow it only once, a yes lasts until your request is done. It then allows every Web.read at https://evil.test whose address you or a page named.',
      undefined,
    ]);
  });

  it('counts the pages of a site that were opened beyond those that the user named', async () => {
    const page = (): string => [1, 2, 3, 4].map((n) => `${SITE}${n}`).join(' ');
    const more = [1, 2, 3].map((n): Command => ['Web.read', { url: `${SITE}${n}` }]);
    const { questions } = await work([readSite, ...more], ['once'], { tools: [webRead(page)] });
    expect(questions.map(({ reason }) => reason)).toEqual([
      `You have not mentioned this page of the site. 2 such pages were opened before. By choosing which pages to open, and how many, Zero could pass on to the site what it has read. Zero has read content of ${SITE}, ${SITE}1, ${SITE}2: it may have made Zero do this, without you wanting it.`,
    ]);
  });
});

describe('an answer to an approval request', () => {
  const listed = (n: number): Command => ['Web.read', { url: `https://evil.test/${n}` }];

  it.each([
    ['yes', 1],
    ['run', 1],
    ['session', 1],
    ['once', 2],
  ])('%s holds for so long that two reads need %i questions', async (answer, count) => {
    const page = (): string => 'See https://evil.test/1 and https://evil.test/2';
    const { questions } = await work([readSite, listed(1), listed(2)], [answer, answer], {
      tools: [webRead(page)],
    });
    expect(questions).toHaveLength(count);
  });

  it('other than yes is a no, and the model reads it as the reason', async () => {
    const { sent, outputs } = await work(
      [readSite, mail('mallory'), mail('bob')],
      ['Write to Ada instead.', 'no'],
    );
    expect(sent).toEqual([]);
    expect(outputs[1]).toContain(
      'Refused by the user: Mail.send was not run. They say: Write to Ada instead.',
    );
    expect(outputs[2]).toContain('Refused by the user: Mail.send was not run. Ask what they want instead.');
  });

  it('with other arguments runs the command with them, and says so to the model', async () => {
    const edited = `edited ${JSON.stringify({ to: 'ada', text: 'Hi' })}`;
    const { sent, outputs, session } = await work([readSite, mail('mallory')], [edited]);
    expect(sent).toEqual([{ to: 'ada', text: 'Hi' }]);
    expect(outputs[1]).toContain('The user has changed the arguments: it ran with {"to":"ada","text":"Hi"}');
    const steps = await session.steps();
    const [command] = steps.flatMap((step) => step.commands).filter(({ name }) => name === 'Mail.send');
    expect(command).toMatchObject({ args: { to: 'ada', text: 'Hi' }, approvedBy: 'user' });
  });

  it('with other arguments for a change of a file makes that change, without another question', async () => {
    const written: Command = ['Editor.write', { path: '/list.md', content: 'one' }];
    const edited = `edited ${JSON.stringify({ path: '/list.md', content: 'two' })}`;
    const { questions, session } = await work([written], [edited, 'no'], {
      policy: [{ tool: 'Editor.write', do: 'ask' }],
    });
    expect(questions).toHaveLength(1);
    expect(await session.files.read('/list.md')).toBe('two');
  });

  it('with arguments that do not fit runs nothing', async () => {
    const { sent, outputs } = await work([readSite, mail('mallory')], ['edited {"to": 7}']);
    expect(sent).toEqual([]);
    expect(outputs[1]).toContain('The user allowed it with other arguments, which do not fit');
  });

  it('with arguments that a rule denies runs nothing', async () => {
    const rules = [{ tool: 'Mail.send', args: { to: 'boss' }, do: 'deny' }] as const;
    const { sent, outputs } = await work(
      [readSite, mail('mallory')],
      [`edited ${JSON.stringify({ to: 'boss', text: 'Hi' })}`],
      { policy: rules },
    );
    expect(sent).toEqual([]);
    expect(outputs[1]).toContain('Refused: a rule of this application forbids Mail.send here.');
  });

  it('holds no longer than the request offers', async () => {
    const { questions } = await work([readSite, readMine, mail('ada'), mail('bob')], ['session', 'session']);
    expect(questions).toHaveLength(2);
  });

  it.each([
    ['Yes', { isYes: true }],
    ['once', { isYes: true, lifetime: 'once' }],
    ['no', { isYes: false, reason: '' }],
    ['No: too late', { isYes: false, reason: 'too late' }],
    ['not now', { isYes: false, reason: 'not now' }],
    ['yes, but only if it is safe', { isYes: false, reason: 'yes, but only if it is safe' }],
    ['edited nothing', { isYes: false, reason: '' }],
  ])('%j is read as %j', (answer, expected) => {
    expect(readAnswer(answer)).toEqual(expected);
  });
});

describe('session.approvals', () => {
  it('lists what the user has allowed until it is revoked', async () => {
    const policy = [{ tool: 'Mail.*', do: 'ask', lifetime: 'session' }] as const;
    const { session, questions, sent } = await work([mail('ada')], ['session', 'no'], { policy });
    const [granted] = await session.approvals.list();
    expect(granted).toEqual({
      id: expect.any(String) as string,
      role: 'Zero',
      text: 'send a mail to ada',
      lifetime: 'session',
    });
    expect(await session.approvals.revoke('another')).toBe(false);
    expect(await session.approvals.revoke(granted?.id ?? '')).toBe(true);
    expect(await session.approvals.list()).toEqual([]);
    expect([questions.length, sent.length]).toEqual([1, 1]);
    await session.close();
  });

  it('asks again after an approval for the session was revoked', async () => {
    const policy = [{ tool: 'Mail.*', do: 'ask', lifetime: 'session' }] as const;
    const steps = [mail('ada'), end, mail('ada'), end, mail('ada')];
    const { session, questions, sent } = await work(steps, ['session', 'no'], { policy });
    const sendAgain = async () => (await session.send('Write the mail again.')).result;
    await sendAgain();
    expect([questions.length, sent.length]).toEqual([1, 2]);
    await session.approvals.revoke((await session.approvals.list()).map(({ id }) => id));
    await sendAgain();
    expect([questions.length, sent.length]).toEqual([2, 2]);
    await session.close();
  });
});
