import { expect, inject, test } from 'vitest';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { search, searxng, wikipedia } from '../../../../src/tools/search/index.js';
import { openaiEmbedder } from '../../../../src/embedders/openai/index.js';
import { fetchPage } from '../../../../src/tools/search/search.js';
import { remoteFaultServer } from '../../../fault-server/remote.js';
import { head, json, send } from '../../../fault-server/replies.js';

test('in a browser: skips a server without CORS, searches and reads one with it', async () => {
  const closed = await remoteFaultServer(inject('faultServer'), { cors: false });
  const open = await remoteFaultServer(inject('faultServer'));
  await closed.script([json(200, { results: [{ url: 'https://a.example/', title: 'A', content: '' }] })]);
  await open.script([
    json(200, { query: { search: [{ title: 'Game of life', snippet: 'A <b>cell</b>' }] } }),
    json(200, { query: { pages: [{ extract: 'Conway made it.\nIn 1970.' }] } }),
  ]);
  const model = scriptedModel({
    think: [
      commands(['SearchEnhancedQA.run', { query: 'who made life?' }]),
      commands(['RoleZero.reply_to_human', { content: 'ok' }], ['end', {}]),
    ],
    'search-rewrite': '{"query": "life"}',
    'search-rank': '[0]',
    'search-answer': 'Conway.',
  });
  const engines = [searxng({ baseURL: closed.origin }), wikipedia({ baseURL: open.origin })];
  const { memory } = await runRole(new RoleZero({ model, tools: search({ engines }) }), 'find out');
  expect(memory[2]?.content).toBe(`Command SearchEnhancedQA.run executed: Conway.

Search engine: wikipedia (searxng failed: it could not be fetched: it is not reachable, or its server does not let pages of other origins read it (CORS))
Query: life
Source: ${open.origin}/wiki/Game_of_life`);
  const answer = model.requests.find(({ purpose }) => purpose === 'search-answer');
  expect(answer?.messages[0]?.content).toContain('[[citation:0]] Conway made it. In 1970.');
  expect((await open.requests()).map(({ headers }) => [headers['cookie'], headers['referer']])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('in a browser: where no page can be read, the answer uses the snippets and says so', async () => {
  const closed = await remoteFaultServer(inject('faultServer'), { cors: false });
  await closed.script([json(200, {})]);
  const engine = () =>
    Promise.resolve([{ link: `${closed.origin}/page`, title: 'Life', snippet: 'by Conway' }]);
  const model = scriptedModel({
    think: [
      commands(['SearchEnhancedQA.run', { query: 'who made life?', rewrite_query: false }]),
      commands(['RoleZero.reply_to_human', { content: 'ok' }], ['end', {}]),
    ],
    'search-rank': '[0]',
    'search-answer': 'Conway.',
  });
  const { memory } = await runRole(new RoleZero({ model, tools: search({ engine }) }), 'find out');
  expect(memory[2]?.content).toContain('No page could be read');
  expect(memory[2]?.content).toContain(`Not read: ${closed.origin}/page (it could not be fetched`);
});

test('in a browser: a redirect to another host is neither read nor given a key', async () => {
  const [here, there] = await Promise.all([
    remoteFaultServer(inject('faultServer')),
    remoteFaultServer(inject('faultServer')),
  ]);
  await there.script([[head(200, { 'content-type': 'text/plain' }), send('theirs')]], 'repeat');
  await here.script([[head(302, { location: `${there.origin}/page` })]]);
  const signal = new AbortController().signal;
  await expect(fetchPage(`${here.origin}/page`, signal)).rejects.toThrow(
    `it redirects to ${there.origin}/page: ask for that address itself`,
  );
  const before = (await there.requests()).length;
  await here.script([[head(307, { location: `${there.url}/embeddings` })]]);
  const options = {
    baseURL: here.url,
    model: 'm',
    dimensions: 2,
    headers: { 'x-api-key': 'sk-canary-7f3a' },
  };
  await expect(openaiEmbedder(options).embed(['a'])).rejects.toThrow('Give the final address as baseURL');
  expect((await there.requests()).length).toBe(before);
});
