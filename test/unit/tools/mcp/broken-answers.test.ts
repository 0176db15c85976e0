import type { ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { runRole } from '../../../../src/testing/index.js';
import { text, type TestMcpServer } from '../../../mcp-server/mcp-server.js';
import { startProxy, type Proxy } from '../../../mcp-server/proxy.js';
import { connect, outputs, roleWith, start } from './connect.js';

const proxies: Proxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

const ALLOWED = { policy: [{ tool: 'test.*', do: 'allow' } as const] };
const UNKNOWN =
  'Command test.pay executed: The connection to the MCP server test was lost, and it is not known whether test.pay took effect. Check before you call it again.';
const STREAM = { 'content-type': 'text/event-stream' };
const PROGRESS = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n\n`;

/** Ends a response to a call before its answer, after the server has run the call. */
type Break = (response: ServerResponse, answer: string) => void;

const BREAKS: Record<string, Break> = {
  'is reset in the middle of the answer': (response, answer) => {
    response.writeHead(200, STREAM);
    response.write(`data: ${answer.slice(0, answer.length / 2)}`, () => response.destroy());
  },
  'ends after other events': (response) => {
    response.writeHead(200, STREAM).end(PROGRESS);
  },
  'has headers only': (response) => {
    response.writeHead(200, STREAM).end();
  },
  'ends after an event id, and cannot be resumed': (response) => {
    response.writeHead(200, STREAM).end('id: 7\nretry: 10\ndata:\n\n');
  },
  'ends after an event id, and ends again when it is resumed': (response) => {
    response.writeHead(200, STREAM).end('id: empty\nretry: 10\ndata:\n\n');
  },
  'is JSON that ends in the middle': (response, answer) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer.slice(0, -2));
  },
};

/** A server whose responses to calls of some tools break, the first `times` times. */
async function breaking(
  breakOff: Break,
  tools: TestMcpServer['tools'] = [{ name: 'pay' }, { name: 'get' }],
  times = Infinity,
) {
  const server = await start({
    tools,
    intercept: ({ method, headers }, response) => {
      const id = headers['last-event-id'];
      if (method !== 'GET' || (id !== 'empty' && id !== '7')) return false;
      if (id === 'empty') response.writeHead(200, STREAM).end(': nothing\n\n');
      else response.writeHead(404).end();
      return true;
    },
  });
  const proxy = await startProxy(server.url);
  proxies.push(proxy);
  let left = times;
  proxy.replaces = async (body, answer, response) => {
    if (!/"name":"(?:pay|get)"/.test(body) || left-- <= 0) return false;
    const stream = await textOf(answer);
    const data = stream
      .split('\n')
      .flatMap((line) => (/^data: ?\S/.test(line) ? [line.slice(5).trim()] : []));
    breakOff(response, data.at(-1) ?? '');
    return true;
  };
  return { server, source: connect(proxy, { reads: ['get'], limits: { callMs: 8_000 } }) };
}

describe.each(Object.entries(BREAKS))('an answer of an MCP server that %s', (_, breakOff) => {
  it('is reported as unknown at once, and the call is not repeated', async () => {
    const { server, source } = await breaking(breakOff);
    const begun = Date.now();
    const result = await runRole(roleWith(source, [['test.pay', {}]], ALLOWED), 'Pay.');
    expect(outputs(result)[0]).toBe(UNKNOWN);
    expect(server.calls).toEqual([{ name: 'pay', args: {} }]);
    expect(Date.now() - begun).toBeLessThan(4_000);
  });

  it('is requested again from a tool that only reads', async () => {
    const { server, source } = await breaking(breakOff, undefined, 1);
    const result = await runRole(roleWith(source, [['test.get', {}]], ALLOWED), 'Look.');
    expect(outputs(result)[0]).toBe('Command test.get executed: get done');
    expect(server.calls).toHaveLength(2);
  });
});

describe('calls of an MCP server at the same time', () => {
  it.each(
    Object.entries({ ...BREAKS, 'has no response': (response: ServerResponse) => void response.destroy() }),
  )('are not disturbed by one whose answer %s', async (_, breakOff) => {
    let finish = (): void => {};
    const { server, source } = await breaking(breakOff, [
      { name: 'pay' },
      { name: 'wait', run: () => new Promise((resolve) => (finish = () => resolve(text('waited')))) },
    ]);
    const { tools } = await source.current({ signal: new AbortController().signal });
    const call = async (name: string): Promise<unknown> => {
      const context = { signal: new AbortController().signal, callId: '1', files: {} };
      return tools.find((tool) => tool.name === name)?.run({}, context as never);
    };
    const waiting = call('test.wait');
    waiting.catch(() => {}); // awaited below
    await expect.poll(() => server.calls.length).toBe(1);
    await expect(call('test.pay')).rejects.toThrow('it is not known whether test.pay took effect');
    finish();
    expect(await waiting).toBe('waited');
    expect(server.calls).toHaveLength(2);
  });
});
