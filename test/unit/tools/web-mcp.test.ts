import { expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { RoleZeroError } from '../../../src/core/error.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { webMcp } from '../../../src/tools/web-mcp/index.js';
import { webMcpTools } from '../../../src/tools/web-mcp/page/index.js';
import type { WebMcpRequest } from '../../../src/tools/web-mcp/protocol.js';

const CART = {
  name: 'cart',
  description: 'Fills the cart.',
  inputSchema: { type: 'object', properties: { article: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

/** Runs a role that fills the cart, on a page that answers like this. */
async function fillCart(page: (request: WebMcpRequest) => unknown, answer = 'yes') {
  const end = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
  const think = [commands(['WebMcp.cart', { article: 'bread' }]), end];
  const questions: string[] = [];
  const warnings: string[] = [];
  const role = new RoleZero({
    model: scriptedModel({ think }),
    tools: [webMcp()],
    language: 'English',
    summarize: false,
  });
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'shop',
    roles: [role],
    emit: (event) => void (event.type === 'warning' && warnings.push(event.message)),
    callPage: async (_id, _name, request) => page(request as WebMcpRequest),
    askUser: async ({ text }) => {
      questions.push(text);
      return answer;
    },
  });
  await (
    await session.send('Buy bread.')
  ).result;
  const [output] = session
    .messages()
    .map(({ content }) => content)
    .filter((content) => content.startsWith('Command '));
  await session.close();
  return { output, questions, warnings, state: role.agent.state };
}

it('asks before a tool of the page, and labels its result as untrusted and private', async () => {
  const calls: WebMcpRequest[] = [];
  const { output, questions, state } = await fillCart((request) => {
    if (request.do === 'list') return [CART, { name: 1 }, null];
    calls.push(request);
    return 'bread is in the cart';
  });
  expect(output).toBe('Command WebMcp.cart executed: bread is in the cart');
  expect(questions).toEqual(['May Zero use “WebMcp: cart”?']);
  expect(calls).toEqual([{ do: 'call', tool: CART, input: { article: 'bread' } }]);
  expect(state.untrusted).toEqual(['scripts of the page (WebMCP)']);
  expect(state.private).toBe(true);
});

it('does not run a tool of the page that the user refuses', async () => {
  const calls: WebMcpRequest[] = [];
  const page = (request: WebMcpRequest) => (request.do === 'list' ? [CART] : calls.push(request));
  expect((await fillCart(page, 'no')).output).toContain('Refused by the user');
  expect(calls).toEqual([]);
});

it('continues without a page that shares its tools', async () => {
  const { output, warnings } = await fillCart(() => {
    throw new RoleZeroError('not-found', 'The page has no tool WebMcp.page.');
  });
  expect(output).toBe('Command WebMcp.cart not found.');
  expect(warnings).toEqual(['The page shares no tools: give webMcpTools() to connect({ tools }).']);
});

it('warns once when the browser has no WebMCP', async () => {
  const page = webMcpTools();
  const { warnings } = await fillCart((request) =>
    page.call(request, { signal: new AbortController().signal } as never),
  );
  expect(warnings).toEqual([
    'The page shares no tools: this browser has no WebMCP that lists tools (`document.modelContext.getTools`). Load a polyfill before connect(), or leave out webMcp().',
  ]);
});
