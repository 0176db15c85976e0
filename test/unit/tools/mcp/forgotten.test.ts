import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { runRole } from '../../../../src/testing/index.js';
import { text } from '../../../mcp-server/mcp-server.js';
import { connect, namesOf, outputs, roleWith, start } from './connect.js';

const ALLOWED = { policy: [{ tool: 'test.*', do: 'allow' } as const] };

/** A response to the request with this id. */
type Respond = (response: ServerResponse, id: unknown) => void;

const json =
  (status: number, body: (id: unknown) => unknown): Respond =>
  (response, id) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body(id)));
  };
/** A stream that stays open after one event. */
const stream =
  (body: unknown): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(body)}\n\n`);
  };
const error = (code: number, message: string) => (id: unknown) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id,
});

/** Calls a tool of which the server answers the first calls, or all, like this. */
async function callWith(respond: Respond, times: number) {
  let left = times;
  const server = await start({
    tools: [{ name: 'pay', run: () => text('paid') }],
    intercept: (_, response, body) => {
      if (!body.includes('tools/call') || left-- <= 0) return false;
      respond(response, (JSON.parse(body) as { id: unknown }).id);
      return true;
    },
  });
  const source = connect(server, { limits: { callMs: 8_000 } });
  await namesOf(source);
  const begun = Date.now();
  const [output] = outputs(await runRole(roleWith(source, [['test.pay', {}]], ALLOWED), 'Pay.'));
  expect(Date.now() - begun).toBeLessThan(4_000);
  const count = (method: string) => server.methods.filter((each) => each === method).length;
  return { output, connections: count('initialize'), calls: count('tools/call') };
}

describe.each<[string, Respond]>([
  [
    'HTTP 400 and an error',
    json(400, () => error(-32000, 'Bad Request: No valid session ID provided')(null)),
  ],
  ['HTTP 400 and a text', (response) => void response.writeHead(400).end('Session not found')],
  ['HTTP 410', (response) => void response.writeHead(410).end()],
  ['error -32001', json(200, error(-32001, 'Session not found'))],
  ['error -32001 without an id', json(200, () => error(-32001, 'Session not found')(null))],
  ['an event with only an error', stream({ error: 'Session not found' })],
])('an MCP server that reports a forgotten session with %s', (_, respond) => {
  it('is connected again, and called once more', async () => {
    expect(await callWith(respond, 1)).toEqual({
      output: 'Command test.pay executed: paid',
      connections: 2,
      calls: 2,
    });
  });

  it('is not called a third time', async () => {
    const { output, calls } = await callWith(respond, Infinity);
    expect(output).toMatch(/^Command test\.pay executed: test\.pay failed: /);
    expect(calls).toBe(2);
  });
});

describe('an MCP server', () => {
  it.each<[string, Respond, string]>([
    [
      'an event with only an error',
      stream({ error: { code: 7, message: 'Out of stock.' } }),
      'Out of stock.',
    ],
    ['JSON with only an error', json(200, () => ({ error: 'Out of stock.' })), 'Out of stock.'],
    ['JSON without an answer', json(200, () => []), 'it is not known whether it took effect.'],
    ['a time limit of its own', json(200, error(-32001, 'Request timed out')), 'Request timed out'],
    ['HTTP 400 for another reason', json(400, () => ({ error: 'Out of stock.' })), 'Out of stock.'],
  ])('has failed a call, which is not repeated, with %s', async (_, respond, reason) => {
    const { output, ...counts } = await callWith(respond, Infinity);
    expect(output).toContain(reason);
    expect(counts).toEqual({ connections: 1, calls: 1 });
  });
});
