import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../src/core/human.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { readMcpOptions } from '../../../../src/tools/mcp/options.js';
import { connect, roleWith, start } from './connect.js';

type Step = readonly [string, Record<string, unknown>];

const list: Step = ['test.list_resources', {}];
const listed: Step = ['test.read_resource', { uri: 'test://readme' }];
const composed: Step = ['test.read_resource', { uri: 'test://DE47-SECRET' }];
const listPrompts: Step = ['test.list_prompts', {}];

/** Runs the commands with a server that is not private, and a user who refuses everything. */
async function work(steps: readonly Step[]) {
  const server = await start({ tools: [{ name: 'a' }] });
  const asked: Question[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [roleWith(connect(server, { private: false }), steps)],
    emit: () => {},
    askUser: async (question) => {
      asked.push(question);
      return 'no';
    },
  });
  await (
    await session.send('Go.')
  ).result;
  const answers = session
    .messages()
    .map(({ content }) => content)
    .filter((text) => text.startsWith('Command '));
  await session.close();
  return { answers, asked, origin: new URL(server.url).origin };
}

describe('a resource of an MCP server', () => {
  it('that the server has listed is read without a question', async () => {
    const { asked, answers } = await work([list, listed]);
    expect(asked).toEqual([]);
    expect(answers[1]).toContain('The text of test://readme');
  });

  it.each<[what: string, steps: Step[]]>([
    ['with a URI that the server has not listed', [list, composed]],
    ['before the server has listed any', [listed]],
    [
      'of a template, whose parts the model writes',
      [list, ['test.read_resource', { uri: 'test://user/DE47' }]],
    ],
    [
      'that is a prompt with arguments',
      [listPrompts, ['test.get_prompt', { name: 'greet', arguments: { who: 'DE47' } }]],
    ],
    [
      'that is a prompt which the server has not listed',
      [listPrompts, ['test.get_prompt', { name: 'DE47' }]],
    ],
  ])('%s is read only after a question that names the server', async (_what, steps) => {
    const { asked, answers, origin } = await work(steps);
    expect(asked.map(({ command }) => command?.name)).toEqual([steps.at(-1)?.[0]]);
    expect(asked[0]?.details).toContain(`MCP server test (${origin})`);
    expect(answers[steps.length - 1]).toContain('Refused by the user');
  });
});

it.each([
  ['https://docs.example/mcp', {}, false],
  ['https://docs.example/mcp', { headers: { Authorization: 'x' } }, true],
  ['http://localhost:3000/mcp', {}, true],
  ['http://192.168.0.7/mcp', {}, true],
  ['https://notes.home.arpa/mcp', {}, true],
  ['http://localhost:3000/mcp', { private: false }, false],
])('the results of %s with %j count as private: %s', (url, options, expected) => {
  expect(readMcpOptions({ name: 'test', url, ...options }).isPrivate).toBe(expected);
});
