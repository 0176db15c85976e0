import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { serveDemo } from '../e2e/demo/served-demo.js';
import { model, pauseAt, REQUEST } from '../e2e/demo/tip-calculator.js';
import { commands } from '../../src/testing/index.js';
import { startFaultServer, type FaultServer, type SeenRequest } from '../fault-server/fault-server.js';
import { json, reply } from '../fault-server/replies.js';
import {
  ask,
  clickText,
  connectModel,
  finished,
  openPart,
  startTour,
  texts,
  waitFor,
} from './demo-visitor.js';
import type { Engine, Tab } from './engine-browser.js';
import { inEachEngine } from './in-each-engine.js';

const reports = fileURLToPath(new URL('../../reports/engines/', import.meta.url));

/** `e2e/demo*.test.ts` try more of the demo in Chromium. */
const OTHERS: readonly Engine[] = ['firefox', 'webkit'];

let demo: Awaited<ReturnType<typeof serveDemo>>;
let server: FaultServer;
beforeAll(async () => {
  demo = await serveDemo();
  server = await startFaultServer();
});
afterAll(async () => {
  await server.close();
  await demo.close();
});
afterEach(() => pauseAt(null));

inEachEngine((browser, engine) => {
  let opened: Tab | null = null;
  /** Opens the demo, in one tab for all tests. Each test leaves a screenshot. */
  async function visit(url = demo.url): Promise<Tab> {
    if (opened === null) opened = await browser().open(url);
    else await opened.goto(url);
    const tab = opened;
    onTestFinished(async ({ task }) => {
      mkdirSync(reports, { recursive: true });
      writeFileSync(`${reports}${engine} ${task.name.replaceAll(/\W+/g, ' ')}.png`, await tab.screenshot());
    });
    return tab;
  }
  const failedCommands = (tab: Tab) => texts(tab, '.command.failed');
  const filesOf = async (tab: Tab) => {
    await openPart(tab, 'files');
    return tab.evaluate(() =>
      [...document.querySelectorAll('[data-file]')].map((file) => file.getAttribute('data-file')),
    );
  };

  it('build-a-game: the agent plays its game in a sandboxed page', { tags: 'nightly' }, async () => {
    const tab = await visit();
    await startTour(tab, 'build-a-game');
    await clickText(tab, 'button.option', 'Forest');
    await finished(tab);
    expect(await failedCommands(tab)).toEqual([]);
    await waitFor(tab, '[data-command="Browser.press"]', { count: 3 });
    expect(await filesOf(tab)).toEqual(['/game.js', '/index.html', '/style.css']);
    await openPart(tab, 'preview');
  });

  it('find-and-fix: asks for approval, runs a shell, undoes a step', { tags: 'nightly' }, async () => {
    const tab = await visit();
    await startTour(tab, 'find-and-fix');
    await clickText(tab, '.question button', 'Approve');
    await finished(tab);
    expect(await failedCommands(tab)).toEqual([]);
    await openPart(tab, 'terminal');
    await waitFor(tab, '.shell .agent pre', { text: '6:const DISCOUNT' });
  });

  it('survive-a-reload: is reloaded in the middle of a thought and does nothing twice', async () => {
    const tab = await visit();
    await startTour(tab, 'survive-a-reload');
    await finished(tab);
    await openPart(tab, 'plan');
    await waitFor(tab, '[data-task].done', { count: 5 });
    expect(await texts(tab, '[data-command="Editor.write"]')).toHaveLength(5);
  });

  it('takes a request over HTTP to its end, through a question and a reload in the middle of a reply', async () => {
    server.script([model], 'repeat');
    pauseAt(3);
    const tab = await visit();
    await connectModel(tab, server.url);
    await ask(tab, REQUEST);
    await clickText(tab, '.question button', '20');
    await waitFor(tab, '.live');
    await tab.reload();
    await waitFor(tab, '[data-entry="paused"]', { text: 'This run was interrupted' });
    pauseAt(null);
    await clickText(tab, '[data-entry="paused"] button', 'Continue');
    await finished(tab);
    const conversation = await texts(tab, '.entries > :not(.live, .aside)');
    expect(conversation.join('\n')).toContain('The calculator is ready, with 20 %.');
    expect(await failedCommands(tab)).toEqual([]);
    expect(await filesOf(tab)).toEqual(['/tip/index.html']);
  });

  it('shows the groups of models, finds a command by words, and makes one file of a page', async () => {
    const write = [
      'Editor.write',
      { path: '/index.html', content: '<title>One</title><p>Made</p>' },
    ] as const;
    const list = json(200, { data: [{ id: 'one' }] });
    const script = ({ method }: SeenRequest) =>
      method === 'GET' ? list : reply(commands(write, ['end', {}]));
    server.script([script], 'repeat');
    await (await visit()).evaluate(() => localStorage.clear()); // the server lists no model that was connected before
    const tab = await visit();
    await waitFor(tab, 'button.model');
    await tab.click('button.model');
    for (const [card, content] of [
      ['key', '.server-form[data-kind="hosted"]'],
      ['server', '[data-start]'],
      ['here', '.card-body .reasons'],
    ] as const) {
      await waitFor(tab, `[data-card="${card}"]`);
      await tab.click(`[data-card="${card}"]`);
      await waitFor(tab, `[data-card="${card}"][aria-pressed="true"]`);
      await waitFor(tab, content);
    }
    await tab.click('dialog .away');
    await connectModel(tab, server.url);
    await ask(tab, 'Write a page');
    await finished(tab);
    await waitFor(tab, '[data-share]'); // the card of the result lists the files, which arrive after the end
    await tab.click('[data-share]');
    await waitFor(tab, '[data-way="file"]');
    await tab.click('[data-way="file"]');
    await waitFor(tab, '[data-entry="shared"]', { text: 'It needs no network.' });
    await tab.click('dialog .away');
    await tab.click('.palette-key');
    await waitFor(tab, '.palette-list li');
    await tab.type('theme dark');
    await waitFor(tab, '.palette-list li[aria-selected="true"]', { text: 'Theme: Dark' });
    await tab.click('.palette-list li[aria-selected="true"]');
    await waitFor(tab, ':root[data-theme="dark"]');
    expect(await texts(tab, 'dialog[open]')).toEqual([]);
  });

  it('works without its server after a visit', async () => {
    const short = await serveDemo();
    const tab = await visit(short.url);
    await tab.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await short.close();
    await tab.goto(short.url);
    await startTour(tab, 'survive-a-reload');
    await finished(tab);
  });
}, OTHERS);
