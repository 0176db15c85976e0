import { expect, inject, test } from 'vitest';
import { spawn } from '../../../src/spawn/index.js';
import { frame } from '../../../src/tools/browser/frame/index.js';
import { RoleZeroError } from '../../../src/core/error.js';
import { commands, scriptedModel } from '../../../src/testing/scripted-model.js';
import { remoteFaultServer } from '../../fault-server/remote.js';
import { json } from '../../fault-server/replies.js';
import { modelThatSays, whatBecomesOf, written } from './scripted-spawn.js';

test('runs a session without a worker file of the application', async () => {
  expect(await whatBecomesOf({ role: { name: 'Ada', goal: 'write files' } })).toEqual(written);
});

test('with a frame among the tools of the page, the agent has a browser', async () => {
  const session = await spawn({
    session: crypto.randomUUID(),
    tools: [frame()],
    model: await modelThatSays(
      commands(
        ['Editor.write', { path: '/a.html', content: '<h1>It works</h1>' }],
        ['Browser.goto', { url: '/a.html' }],
        ['Browser.view', {}],
      ),
      commands(['end', {}]),
      'Looked at a.html.',
    ),
  });
  const outputs: string[] = [];
  for await (const event of session.send('Write a page and look at it.'))
    if (event.type === 'command-end' && event.name === 'Browser.view') outputs.push(event.output);
  await session.close();
  expect(outputs).toEqual([expect.stringContaining("heading 'It works'")]);
});

test('with a terminal, the agent has a shell over the same files', async () => {
  const session = await spawn({
    session: crypto.randomUUID(),
    terminal: { workerUrl: new URL('../../../src/tools/terminal/shell-worker.ts', import.meta.url) },
    model: await modelThatSays(
      commands(
        ['Editor.write', { path: '/a.txt', content: 'one\ntwo\n' }],
        ['Terminal.run_command', { cmd: 'wc -l < /a.txt > /lines.txt' }],
      ),
      commands(['end', {}]),
      'Done.',
      'Counted the lines.',
    ),
  });
  expect(await session.send('Count the lines.').result()).toMatchObject({ status: 'done' });
  expect((await session.files.read('/lines.txt')).trim()).toBe('2');
  await session.close();
});

test('a model of the page is called on the page, and its commands run in the worker', async () => {
  const page = scriptedModel({
    think: [commands(['Editor.write', { path: '/a.txt', content: 'from the page' }]), commands(['end', {}])],
    report: 'Wrote a.txt.',
  });
  const session = await spawn({
    session: crypto.randomUUID(),
    model: { provider: 'page', name: 'mine' },
    models: { mine: page, other: scriptedModel({}) },
  });
  const { status, summary } = await session.send('Write it.').result();
  expect({ status, summary }).toEqual({ status: 'done', summary: 'Wrote a.txt.' });
  expect(await session.files.read('/a.txt')).toBe('from the page');
  await session.close();
});

test('passes on the error of a model of the page, and names a missing model', async () => {
  const broken = {
    ...scriptedModel({}),
    async *chat() {
      await Promise.resolve();
      throw new RoleZeroError('model-load', 'The browser lost its model.');
    },
  };
  const session = await spawn({
    session: crypto.randomUUID(),
    model: { provider: 'page', name: 'mine' },
    models: { mine: broken },
  });
  expect(await session.send('Hello').result()).toMatchObject({
    status: 'failed',
    error: { code: 'model-load', message: 'The browser lost its model.' },
  });
  await session.close();

  await expect(
    spawn({ model: { provider: 'page', name: 'gemini' }, models: { mine: broken } }),
  ).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('no model "gemini"') as string,
  });
});

test('reports a URL without a worker, and tries no other', async () => {
  await expect(whatBecomesOf({ workerUrl: '/no-such-worker.js' })).rejects.toMatchObject({
    code: 'worker-start',
  });
});

test('the worker requests the context window of an unknown model from the server', async () => {
  const server = await remoteFaultServer(inject('faultServer'));
  await server.script([json(200, { data: [{ id: 'own', max_model_len: 20_000 }] })]);
  const session = await spawn({
    session: crypto.randomUUID(),
    model: { baseURL: server.url, model: 'own', apiKey: 'sk-canary-7f3a' },
  });
  await session.close();
  expect((await server.requests()).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/models',
  ]);
});

test('rejects a model whose context window is unknown and names the option to set', async () => {
  const server = await remoteFaultServer(inject('faultServer'));
  const spawned = spawn({ session: crypto.randomUUID(), model: { baseURL: server.url, model: 'own' } });
  await expect(spawned).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('Write contextWindow: 32_768') as string,
  });
});

test('rejects a placeholder key before any request', async () => {
  const server = await remoteFaultServer(inject('faultServer'));
  const model = { baseURL: server.url, model: 'gpt-5-mini', apiKey: 'sk-…' };
  await expect(spawn({ session: crypto.randomUUID(), model })).rejects.toMatchObject({
    code: 'invalid',
    message: '"sk-…" is a placeholder: put your key into `apiKey`.',
  });
  expect(await server.requests()).toEqual([]);
});

test('rejects on the page options that cannot be sent to a worker', async () => {
  const apiKey = (() => 'key') as unknown as string;
  const spawned = spawn({ model: { baseURL: 'http://localhost/v1', model: 'm', apiKey } });
  await expect(spawned).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('plain data') as string,
  });
});

test('rejects in the worker options that do not exist', async () => {
  const model = { baseURL: 'http://localhost/v1', model: 'm', temprature: 1 };
  await expect(spawn({ model })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('model: must not have the property "temprature"') as string,
  });
});
