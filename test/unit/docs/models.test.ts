import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChatChunk, ChatModel } from '../../../src/core/model.js';
import { openaiBaseURLs } from '../../../src/providers/openai/index.js';
import { PROVIDERS, providerTable } from '../../contracts/provider-table.js';
import { exportsOf } from './snippets.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/models.md contains the table that the contract suite verified', () => {
  const [, table] = /^(\| model \| needs (?:.*\|\n)+)/m.exec(read('docs/models.md')) ?? [];
  expect(table).toBe(providerTable());
});

test('the contract suite tests every provider of the table', () => {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    // Other tests write and remove modules of snippets meanwhile.
    .filter((path) => path.endsWith('.ts') && !/snippet-\d/.test(path))
    .map((path) => read(join('test', path)))
    .join('');
  const claimed = (row: string) => new RegExp(`row: '${row}'|[,(] '${row}'\\)`).test(tests);
  expect(Object.keys(PROVIDERS).filter((row) => !claimed(row))).toEqual([]);
});

test('docs/models.md lists every base URL, and what a page needs to call it', () => {
  const [, table = ''] = /^\| service .*\n\| ---.*\n((?:\|.*\n)+)/m.exec(read('docs/models.md')) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '));
  expect(rows.map(([, address]) => address)).toEqual(
    Object.entries(openaiBaseURLs).map(([name, url]) => `\`${name}\`: \`${url}\``),
  );
  expect(rows.flatMap((cells) => (cells.length === 7 && cells.every(Boolean) ? [] : [cells]))).toEqual([]);
});

/** Returns the request that a model of the page sends. */
async function requestOf(model: ChatModel): Promise<{ url: string; headers: Headers; body: unknown }> {
  const seen: { url: string; headers: Headers; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    seen.push({ url, headers: new Headers(headers), body: JSON.parse(String(body)) });
    return Response.json({ choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] });
  });
  const messages = [{ role: 'user' as const, content: 'Hello?' }];
  const chunks: ChatChunk[] = [];
  const { signal } = new AbortController();
  for await (const chunk of model.chat({ purpose: 'other', messages, signal })) chunks.push(chunk);
  expect(chunks).toContainEqual({ type: 'text-delta', text: 'Hello.' });
  const [request] = seen;
  if (request === undefined || seen.length > 1) throw new Error(`${seen.length} requests were sent.`);
  return request;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  [
    'claude',
    'https://api.anthropic.com/v1/chat/completions',
    { 'anthropic-dangerous-direct-browser-access': 'true' },
    { model: 'claude-sonnet-5' },
  ],
  ['quick', 'https://api.openai.com/v1/chat/completions', {}, { reasoning_effort: 'low' }],
  ['cached', 'https://api.mistral.ai/v1/chat/completions', {}, { prompt_cache_key: 'game' }],
])('the sample %s of docs/models.md sends what the service needs', async (name, url, headers, body) => {
  const samples = await exportsOf<Record<string, (key: string, session: string) => ChatModel>>(
    'docs/models.md',
    `export const ${name} =`,
  );
  const model = samples[name]?.('sk-1234567', 'game') as ChatModel;
  const request = await requestOf(model);
  expect(request.url).toBe(url);
  expect(Object.fromEntries(request.headers)).toMatchObject({
    authorization: 'Bearer sk-1234567',
    ...headers,
  });
  expect(request.body).toMatchObject(body);
});
