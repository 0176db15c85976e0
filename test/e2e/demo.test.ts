import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { startFaultServer, type FaultServer, type SeenRequest } from '../fault-server/fault-server.js';
import {
  done,
  finish,
  hold,
  refusal,
  reply,
  streaming,
  text,
  usage,
  type Reply,
} from '../fault-server/replies.js';
import { startChromium } from './chromium.js';
import { serveDemo } from './demo/served-demo.js';
import { startVisit, type Visit } from './demo/visit.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

const REQUEST = 'Build a tip calculator';
const PAGE = '<!doctype html>\n<title>Tip</title>\n<p>Tip: <b>10</b> %</p>\n';
const SUMMARY = 'Wrote /tip/index.html.';

/** What the model says in the loop, step by step; the last two depend on what the person answered. */
const steps = (answer: string): string[] => [
  commands(
    [
      'Plan.append_task',
      { task_id: '1', dependent_task_ids: [], instruction: 'Write the page', assignee: 'Zero' },
    ],
    [
      'Plan.append_task',
      { task_id: '2', dependent_task_ids: ['1'], instruction: 'Set the tip', assignee: 'Zero' },
    ],
    ['RoleZero.reply_to_human', { content: 'I **begin** with the page.' }],
  ),
  commands(['Editor.write', { path: '/tip/index.html', content: PAGE }], ['Plan.finish_current_task', {}]),
  commands(['RoleZero.ask_human', { question: 'How large a tip?', options: ['15', '20'] }]),
  commands([
    'Editor.edit_file_by_replace',
    {
      path: '/tip/index.html',
      first_replaced_line_number: 3,
      first_replaced_line_content: '<p>Tip: <b>10</b> %</p>',
      last_replaced_line_number: 3,
      last_replaced_line_content: '<p>Tip: <b>10</b> %</p>',
      new_content: `<p>Tip: <b>${answer}</b> %</p>`,
    },
  ]),
  commands(
    ['Plan.finish_current_task', {}],
    ['RoleZero.reply_to_human', { content: `The calculator is ready, with ${answer} %.` }],
    ['end', {}],
  ),
];

/** The step in whose middle the model pauses. */
let pausesAt: number | null = null;

/** A model whose replies follow from the conversation alone, so that they are right after every reload. */
function model({ body }: SeenRequest): Reply {
  const { messages } = body as { messages: { role: string; content: string }[] };
  const last = messages.at(-1)?.content ?? '';
  if (last.includes('what kind of request')) return reply('Thought: work.\n', 'Response Category: TASK');
  if (last.includes('In which natural language')) return reply('English');
  if (last.includes('Sum up in')) return reply(SUMMARY);
  const answer = /Human response: (.*)/.exec(messages.map(({ content }) => content).join('\n'))?.[1] ?? '';
  const said = new Set(messages.filter(({ role }) => role === 'assistant').map(({ content }) => content));
  const step = steps(answer).findLastIndex((known) => said.has(known)) + 1;
  const next = steps(answer)[step] ?? 'Nothing more was recorded.';
  const pause = pausesAt === step ? [hold] : [];
  return [streaming, text(next.slice(0, 12)), ...pause, text(next.slice(12)), finish(), usage(100, 10), done];
}

let demo: Awaited<ReturnType<typeof serveDemo>>;
let url: string;
let browser: Browser;
let server: FaultServer;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  demo = await serveDemo();
  ({ url } = demo);
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await demo.close();
});
beforeEach(async () => {
  pausesAt = null;
  server = await startFaultServer();
  server.script([model], 'repeat');
  visit = await startVisit(browser);
  ({ page } = visit);
});
afterEach(async () => {
  await server.close();
  await visit.end();
});

/** Everything the conversation says, but for how long things took and what is being written. */
function conversation(): Promise<string[]> {
  return page.locator('.scroll > :not(.live, .aside)').evaluateAll((elements) =>
    elements.map((element) => {
      const copy = element.cloneNode(true) as HTMLElement;
      for (const duration of copy.querySelectorAll('.duration, .undo')) duration.remove();
      return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
    }),
  );
}

/** Each task of the plan and whether it is done, in progress or to do. */
async function plan(): Promise<string[]> {
  await openPart(page, 'plan');
  return page
    .locator('[data-task]')
    .evaluateAll((tasks) =>
      tasks.map((task) => `${task.getAttribute('data-task')} ${task.getAttribute('class')}`),
    );
}

async function files(): Promise<(string | null)[]> {
  await openPart(page, 'files');
  return page.locator('[data-file]').evaluateAll((all) => all.map((file) => file.getAttribute('data-file')));
}

/** The content of a file as the page shows it. */
async function fileContent(path: string): Promise<string | null> {
  await openPart(page, 'files');
  await page.locator(`[data-file="${path}"]`).click();
  await page.locator('.viewer .path', { hasText: path }).waitFor();
  return editorText();
}

/** What stands in the code editor. */
async function editorText(): Promise<string> {
  await page.locator('.cm-content').waitFor();
  const lines = await page.locator('.cm-line:not(.cm-deletedLine)').allTextContents();
  return lines.join('\n');
}

const finished = () => page.locator('[data-entry="finished"]').waitFor();
const question = () => page.getByRole('group', { name: 'How large a tip?' });
const paused = () => page.locator('[data-entry="paused"]');

describe('the demo page', () => {
  it('takes a request through plan, files, a question and an edit to its end, and a reload shows the same', async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().waitFor();
    expect(await plan()).toEqual(['1 done', '2 current']);
    await openPart(page, 'files');
    await page.locator('.cm-line', { hasText: '<b>10</b>' }).waitFor();
    expect(await editorText()).toBe(PAGE);
    await question().getByRole('button', { name: '15' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await finished();
    const before = { conversation: await conversation(), plan: await plan(), files: await files() };
    expect(before.plan).toEqual(['1 done', '2 done']);
    expect(before.files).toEqual(['/tip/index.html']);
    expect(before.conversation[0]).toBe(`You${REQUEST}`);
    expect(before.conversation.join('\n')).toContain('I begin with the page.');
    expect(before.conversation.join('\n')).toContain('You answered20');
    expect(before.conversation.at(-1)).toContain(SUMMARY);
    await openPart(page, 'files');
    await expect
      .poll(() => page.locator('.cm-changedLine').allTextContents())
      .toEqual(['<p>Tip: <b>20</b> %</p>']);

    await page.reload();
    await finished();
    await expect
      .poll(async () => ({ conversation: await conversation(), plan: await plan(), files: await files() }))
      .toEqual(before);
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '20'));
  });

  it('accepts typing at the moment the dialog for models is closed', async () => {
    await page.goto(url);
    await page.locator('button.model').click();
    await page.getByLabel('Base URL').fill(server.url);
    await page.getByLabel('Model name').fill('test-model');
    await page.getByLabel('Context window').fill('32000');
    // In one task of the page: nothing may wait for a frame in between.
    const focused = await page.evaluate(() => {
      document.querySelector<HTMLElement>('dialog form [type="submit"]')?.click();
      document.querySelector<HTMLElement>('.composer textarea')?.focus();
      return document.activeElement?.getAttribute('name');
    });
    expect(focused).toBe('request');
  });

  it('asks the same question after a reload, and goes on with the answer', async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().waitFor();
    await page.reload();
    await question().getByLabel('Your answer').fill('12.5');
    await question().getByRole('button', { name: 'Answer' }).click();
    await finished();
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '12.5'));
  });

  it('stops in the middle of a thought at Escape and continues from there', async () => {
    pausesAt = 1;
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await page.locator('.live', { hasText: 'I will run E' }).waitFor();
    await page.keyboard.press('Escape');
    await paused().waitFor();
    expect(await paused().textContent()).toContain('Stopped');
    expect(await files()).toEqual([]);
    pausesAt = null;
    await page.getByRole('button', { name: 'Continue' }).click();
    await question().getByRole('button', { name: '15' }).click();
    await finished();
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '15'));
    await expect.poll(() => page.locator('[data-command="Plan.append_task"]').count()).toBe(2);
  });

  it('continues a run that a reload cut off, and does nothing twice', async () => {
    pausesAt = 3;
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().getByRole('button', { name: '20' }).click();
    await page.locator('.live').waitFor();
    const before = await conversation();
    await page.reload();
    await paused().waitFor();
    expect(await paused().textContent()).toMatch(/This run was interrupted\s+at .+\./);
    expect((await conversation()).slice(0, before.length)).toEqual(before);
    expect(await plan()).toEqual(['1 done', '2 current']);
    pausesAt = null;
    await page.getByRole('button', { name: 'Continue' }).click();
    await finished();
    const after = await conversation();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '20'));
    await page.reload();
    await finished();
    expect(await conversation()).toEqual(after);
  });

  it('names a refused key and says what to do; with the right one the run continues', async () => {
    server.script([refusal(401, 'Incorrect API key provided.')], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url, { key: 'wrong-key' });
    await ask(page, REQUEST);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(
      /refused the API key[^]*model-request[^]*Check address, model name and key/,
    );
    expect(await alert.textContent()).not.toContain('wrong-key');

    server.script([model], 'repeat');
    await connectModel(page, server.url, { key: 'right-key' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await question().waitFor();
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer right-key');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('right-key');

    await page.reload();
    await page.getByRole('button', { name: 'Enter the key' }).first().waitFor(); // the key was in memory only
  });

  it('remembers a key when asked to', async () => {
    await page.goto(url);
    await connectModel(page, server.url, { key: 'kept-key', remember: true });
    await page.reload();
    await ask(page, REQUEST);
    await question().waitFor();
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer kept-key');
  });

  it('names a server that is not there and says what to do', async () => {
    await page.goto(url);
    await connectModel(page, `http://127.0.0.1:${await freePort()}/v1`);
    await ask(page, REQUEST);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/Could not reach[^]*model-unreachable[^]*Start the server/);
  });

  it('says which models can be connected when there is none, and keeps what was typed', async () => {
    await page.goto(url);
    await ask(page, REQUEST);
    expect(await page.getByRole('alert').textContent()).toMatch(
      /No model is connected yet[^]*Ollama[^]*OpenRouter/,
    );
    expect(await page.getByLabel('Your request').inputValue()).toBe(REQUEST);
  });

  it('shows what a model writes as text, never as a part of the page', async () => {
    const attack =
      '<img src=x onerror="document.title=1"><script>document.title=2</script>[x](javascript:alert(1))';
    server.script([
      reply('Response Category: TASK'),
      reply('English'),
      reply(commands(['RoleZero.reply_to_human', { content: attack }], ['end', {}])),
      reply(attack),
    ]);
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await finished();
    expect(await page.locator('.reply').textContent()).toContain('<img src=x onerror=');
    expect(await page.locator('.scroll :is(img, script, a[href^="javascript"])').count()).toBe(0);
    expect(await page.title()).toBe('RoleZero');
  });
});

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const probe = createHttpServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
