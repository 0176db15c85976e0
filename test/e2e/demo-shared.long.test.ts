/** @module-tag nightly */
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { useServedDemo } from './demo/served-demo.js';
import { startVisit, type Visit } from './demo/visit.js';
import { ask, confirmDeletion, connectModel, openPart } from './demo/visitor.js';

const WORD = 'Note: the word of the gate is swordfish.';
/** Steps per request. */
const STEPS = 24;

const demo = useServedDemo();
let server: FaultServer;
let visit: Visit;
const prompts: string[] = [];

beforeEach(async () => {
  server = await startFaultServer();
  server.script(
    [
      ({ body }) => {
        const { messages } = body as { messages: { role: string; content: unknown }[] };
        prompts.push(JSON.stringify(messages.at(-1)?.content));
        const step = messages.filter(({ role }) => role === 'assistant').length;
        const isLast = step % STEPS === STEPS - 1 || JSON.stringify(messages).includes('Open the gate');
        return reply(
          isLast
            ? commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}])
            : commands(['Editor.write', { path: `/notes/${step}.txt`, content: `Step ${step}` }]),
        );
      },
    ],
    'repeat',
  );
  visit = await startVisit(demo.browser, { reducedMotion: 'reduce' });
});
afterEach(async () => {
  await visit.end();
  await server.close();
});

const finished = (page: Page, count: number) =>
  page
    .locator('[data-entry="finished"]')
    .nth(count - 1)
    .waitFor({ state: 'attached' });
const memory = (page: Page) => page.locator('[data-memory]', { has: page.getByText(WORD, { exact: true }) });

it('recalls in another tab what one session has stored, says that it is shared, and deletes it', async () => {
  const { page } = visit;
  await page.goto(demo.url);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Sessions share memories and notes').check();
  await page.locator('dialog .away').click();
  await connectModel(page, server.url);
  for (const [at, request] of [WORD, 'Write more notes.', 'Write the last notes.'].entries()) {
    await ask(page, request);
    await finished(page, at + 1);
  }
  await openPart(page, 'memory');
  await memory(page).getByText('shared, from').waitFor();

  const other = await page.context().newPage();
  await other.goto(demo.url);
  await other.getByRole('button', { name: 'New session' }).click();
  const before = prompts.length;
  await ask(other, 'Open the gate with its word.');
  await expect.poll(() => prompts.slice(before).join(), { timeout: 60_000 }).toContain('Open the gate');
  await finished(other, 1);
  expect(prompts.slice(before).join()).toContain(WORD);
  await openPart(other, 'memory');
  await other.getByText('Memories and notes here are shared').waitFor();
  await other.getByLabel('Search memories').fill('swordfish');
  await memory(other).waitFor();
  expect(await seriousIssues(other)).toEqual([]);
  await other.getByRole('button', { name: 'Delete shared memories and notes' }).click();
  await confirmDeletion(other, 'Delete');
  await memory(other).waitFor({ state: 'detached' });
  await page.getByLabel('Search memories').fill('swordfish');
  await page.getByText('No matching memories.').waitFor();
});
