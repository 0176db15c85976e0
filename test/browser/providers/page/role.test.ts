import { connect, sessions, type AgentEvent } from 'rolezero';
import { chrome } from 'rolezero/providers/chrome';
import { expect, onTestFinished, test } from 'vitest';
import type { TestReply } from '../../../contracts/chat-model.js';
import { PromptApi } from '../../../fixtures/language-model.js';

async function open(session: string, replies: readonly TestReply[], model = 'chrome') {
  const worker = new Worker(new URL('./role.worker.ts', import.meta.url), { type: 'module' });
  const api = new PromptApi(replies, { window: 1_000_000 });
  onTestFinished(async () => {
    worker.terminate();
    await sessions.remove(session);
  });
  const models = { chrome: chrome({ languageModel: api, contextWindow: 32_768 }) };
  return { api, session: await connect(worker, { session, config: { model }, models }) };
}

test("a role in a worker uses the browser's own model, which exists only in pages", async () => {
  const reply = JSON.stringify({
    thought: 'Done.',
    category: 'TASK',
    commands: [
      { command_name: 'Editor.write', args: { path: '/a.txt', content: 'from the page' } },
      { command_name: 'end', args: {} },
    ],
  });
  const pieces = [reply.slice(0, 30), reply.slice(30)];
  const report = { pieces: ['It is written.'] };
  const { session } = await open('page-model', [{ pieces }, report, report, report]);
  const events: AgentEvent[] = [];
  for await (const event of session.send('Write a file.')) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done', error: null });
  expect(await session.files.read('/a.txt')).toBe('from the page');
  const words = events.flatMap((event) => (event.type === 'thought-delta' ? [event.text] : []));
  expect(words.join('')).toMatch(/^Done\./);
  expect(events.filter(({ type }) => type === 'usage').length).toBeGreaterThan(0);
  await session.close();
});

test('a stop and the end of a session reach the model on the page', async () => {
  const { api, session } = await open('page-model-stop', [{ then: 'hang' }, { then: 'hang' }]);
  const run = session.send('Write a file.');
  await expect.poll(() => api.open).toBe(1);
  run.stop();
  expect((await run.result()).status).toBe('stopped');
  await expect.poll(() => api.open).toBe(0);

  const second = session.send('Again.');
  const ending = second.result().catch((error: unknown) => error);
  await expect.poll(() => api.open).toBe(1);
  await session.close();
  await expect.poll(() => api.open).toBe(0);
  await ending;
});

test('an unknown model of the page is named, with the known ones', async () => {
  await expect(open('page-model-none', [], 'gemini')).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('no model "gemini"') as string,
  });
});
