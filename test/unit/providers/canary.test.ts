import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import { failover } from '../../../src/providers/failover/index.js';
import { openai } from '../../../src/providers/openai/index.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands } from '../../../src/testing/index.js';
import {
  startFaultServer,
  type FaultServer,
  type Scripted,
  type SeenRequest,
} from '../../fault-server/fault-server.js';
import { drop, event, json, reply, streaming, text } from '../../fault-server/replies.js';

const KEY = 'sk-canary-"7f3a9b2c4d5e6f"';
let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

const sent = ({ headers }: SeenRequest): string => String(headers['authorization']);
const echo =
  (status: number, before = ''): Scripted =>
  (request) =>
    json(status, {
      error: { message: `${before}Bad header: ${sent(request)}`, got: { ...request.headers } },
    });

/** Everything that a session outputs: events, results, steps, messages, its export, and errors on the console. */
async function everything(script: readonly Scripted[], then?: 'repeat'): Promise<string> {
  server.script(script, then);
  const storage = memoryStorage();
  const events: AgentEvent[] = [];
  const model = openai({
    baseURL: server.url,
    model: 'm',
    contextWindow: 8_192,
    apiKey: () => KEY,
    retries: 2,
    random: () => 0,
  });
  const session = await Session.open({
    storage,
    name: 's',
    roles: [new RoleZero({ name: 'Zero', model: failover(model), callPlan: 'merged' })],
    askUser: async () => null,
    emit: (reported) => events.push(reported),
  });
  const result = await (await session.send('Build me a page.')).result;
  const all = {
    events,
    result,
    steps: await session.steps(),
    messages: session.messages(),
    document: await session.export(),
  };
  await session.close();
  expect(server.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${KEY}`);
  return JSON.stringify(all);
}

const done = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

describe('a key of a provider never appears in output', () => {
  it.each<[string, readonly Scripted[], 'repeat'?]>([
    ['on success', [reply(done), reply('Summed up.')]],
    ['when the server quotes the header in a rejection', [echo(401)]],
    ['when it quotes it in every failure until the last retry', [echo(500)], 'repeat'],
    ['when it quotes it in a limit', [echo(429)], 'repeat'],
    ['when it quotes the prompt as too long', [echo(413)], 'repeat'],
    ['when the quotation is cut in the middle of the key', [echo(400, 'x'.repeat(470))]],
    [
      'when it quotes it in the middle of a reply',
      [(request) => [streaming, text('Hm'), event({ error: { message: sent(request) } })]],
      'repeat',
    ],
    ['when the connection breaks', [[streaming, text('a'), drop]], 'repeat'],
  ])('%s', async (_when, script, then) => {
    const shown = await everything(script, then);
    expect(shown.length).toBeGreaterThan(500);
    for (const form of [KEY, 'canary', '7f3a9b'])
      expect(
        shown.includes(form) ? shown.slice(shown.indexOf(form) - 200, shown.indexOf(form) + 60) : '',
      ).toBe('');
  });
});
