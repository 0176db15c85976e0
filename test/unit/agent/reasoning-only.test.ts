import { afterAll, beforeAll, expect, it } from 'vitest';
import { openai } from '../../../src/providers/openai/index.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { startFaultServer, type FaultServer } from '../../fault-server/fault-server.js';
import { delta, done, finish, reply, streaming, usage, type Reply } from '../../fault-server/replies.js';

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

/** A reply of a reasoning model that used all its tokens for thinking. */
const spent = (tokens: number): Reply => [
  streaming,
  delta({ reasoning_content: 'Let me think about it.' }),
  finish('length'),
  usage(1_500, tokens),
  done,
];
const written = commands(['Editor.write', { path: '/a.txt', content: 'hi' }], ['end', {}]);

it('names the option to raise when a reasoning model spends every reply on thinking', async () => {
  server.script([
    reply('Response Category: TASK'),
    reply('English'),
    spent(2_048),
    spent(2_048),
    spent(2_048),
    reply(commands(['end', {}])), // a small window: it is asked once about an end before any work
    reply(commands(['end', {}])),
    reply('Done.'),
    reply('Nothing was done.'),
  ]);
  const model = openai({ baseURL: server.url, model: 'thinker', contextWindow: 8_192, retries: 0 });
  const { human, events, outcome } = await runRole(new RoleZero({ model }), 'Write a.txt', {
    answers: ['go on'],
  });
  expect(human.questions).toEqual([
    "The model's last 3 replies could not be read as commands. The last one reached its output limit of 2,048 tokens without any text. A reasoning model spends these tokens on thinking first. Raise contextWindow of the model (a reply may take a quarter of it), and the setting of the server with it, or lower its reasoning effort (extraBody: { reasoning_effort: 'low' }). How should the work continue?",
  ]);
  expect(events.filter(({ type }) => type === 'warning')).toHaveLength(3);
  expect(outcome.status).toBe('done');
});

it('reserves tokens for a known reasoning model, and counts its price', async () => {
  (server.requests as unknown[]).length = 0;
  server.script([
    reply('Response Category: TASK'),
    reply('English'),
    [
      streaming,
      delta({ reasoning_content: 'Hm.' }),
      delta({ content: written }),
      finish(),
      usage(1_500, 9_000),
      done,
    ],
    reply('Done.'),
    reply('Wrote a.txt.'),
  ]);
  const model = openai({ baseURL: server.url, model: 'gpt-5-mini', retries: 0 });
  const { files, events, outcome } = await runRole(
    new RoleZero({ callPlan: 'classic', model, tools: editor() }),
    'Write a.txt',
  );
  expect({ status: outcome.status, files }).toEqual({ status: 'done', files: { '/a.txt': 'hi' } });
  expect(server.requests[2]?.body).toMatchObject({ max_tokens: 32_768 });
  const start = events.find((event) => event.type === 'call-start' && event.purpose === 'think');
  expect(start).toMatchObject({ maxCompletionTokens: 32_768 });
  const used = events.find((event) => event.type === 'usage' && event.purpose === 'think');
  expect(used).toMatchObject({ completionTokens: 9_000, costUsd: (1_500 * 0.25 + 9_000 * 2) / 1e6 });
});
