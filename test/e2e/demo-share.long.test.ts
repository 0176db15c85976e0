import { randomBytes } from 'node:crypto';
import type { Browser, Page, Request } from 'playwright';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { finished, page, REQUEST, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

useDemo();

const PAGE = `<!doctype html><title>Tea</title><link rel="stylesheet" href="style.css"><output></output><script src="main.js"></script>`;
const SCRIPT = `localStorage.count = 1; localStorage.setItem('a', 'stored');
document.querySelector('output').textContent = localStorage.getItem('a') + ' ' + origin;
document.title = 'ran';
fetch('https://example.com/').catch(() => document.body.append(' no network'));`;

/** The agent has built a page; the ways to take it out are open. */
async function build(files: Record<string, string>): Promise<void> {
  const writes = Object.entries(files).map(([path, content]) => ['Editor.write', { path, content }] as const);
  server.script([reply(commands(...writes, ['end', {}]))], 'repeat');
  await page.goto(url);
  await connectModel(page, server.url);
  await ask(page, REQUEST);
  await finished();
  await page.locator('[data-entry="result"] [data-share]').click();
}
const way = (name: string) => page.locator(`[data-way="${name}"]`);
const notice = () => page.locator('[data-entry="shared"]');
const tea = { '/tea/index.html': PAGE, '/tea/main.js': SCRIPT, '/tea/style.css': 'output { color: red }' };
const shown = (tab: Page) => tab.frameLocator('iframe');

describe('the result', () => {
  it('has a button that opens the page, unless the page is beside it', async () => {
    await build(tea);
    await page.locator('dialog .away').click();
    await page.locator('#tab-preview[aria-selected="true"]').waitFor();
    const open = page.locator('[data-entry="result"]').getByRole('button', { name: 'Open page' });
    await open.waitFor({ state: 'hidden' });
    await openPart(page, 'files');
    await open.click();
    await page.locator('#tab-preview[aria-selected="true"]').waitFor();
  });

  it('opens in a new tab, without the origin of the demo and without a network, also after a reload', async () => {
    await build(tea);
    const opening = page.context().waitForEvent('page');
    await way('tab').click();
    const tab = await opening;
    for (let time = 0; time < 2; time++) {
      await shown(tab).getByText('stored null').waitFor();
      await shown(tab).getByText('no network').waitFor();
      await tab.getByText('A page of your session.').waitFor();
      expect(await tab.title()).toBe('Tea');
      await tab.reload();
    }
    await notice().getByText('The page is open in a new tab.').waitFor();
  });

  it('is a link that holds all of it: another browser shows it, and says that somebody made it', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await build(tea);
    await way('link').click();
    await notice().getByText('The link is copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link.length).toBeLessThan(3_000);
    const other = await (page.context().browser() as Browser).newContext();
    const tab = await other.newPage();
    const requested: string[] = [];
    tab.on('request', (request) => requested.push(request.url()));
    await tab.goto(link);
    await shown(tab).getByText('stored null').waitFor();
    await tab.getByText('Somebody made this page and put it into the link.').waitFor();
    expect(
      requested.filter((address) => !address.startsWith(url) && !/^(data|blob|about):/.test(address)),
    ).toEqual([]);
    await tab.goto(link.slice(0, -200));
    await tab.getByText('This link is incomplete or damaged.').waitFor();
    await other.close();
  });

  it('that is too large for a link says so, and what to do', { tags: 'nightly' }, async () => {
    await build({ '/index.html': `<title>Large</title><p>${randomBytes(120_000).toString('base64')}</p>` });
    await way('link').click();
    await notice()
      .getByText(/too large for a link: it needs \d+ kB, and links hold up to 100 kB/)
      .waitFor();
  });

  it.each([
    ['stackblitz', 'https://stackblitz.com/run'],
    ['codepen', 'https://codepen.io/pen/define'],
  ])('is sent to %s only by a click that says so', async (service, address) => {
    const sent: Request[] = [];
    await page.context().route(`${new URL(address).origin}/**`, (route) => {
      sent.push(route.request());
      return route.fulfill({ body: 'received', contentType: 'text/html' });
    });
    await build({ ...tea, '/notes.txt': 'for me' });
    await page.locator('.share-ways li').last().waitFor();
    expect(await way(service).textContent()).toContain(
      `Sends the files of the page to ${new URL(address).host}`,
    );
    expect(sent).toEqual([]);
    const opening = page.context().waitForEvent('page');
    await way(service).click();
    await (await opening).getByText('received').waitFor();
    expect(sent.map((request) => [request.method(), request.url()])).toEqual([['POST', address]]);
    const fields = new URLSearchParams(sent[0]?.postData() ?? '');
    if (service === 'codepen') {
      const data = JSON.parse(fields.get('data') ?? '') as { title: string; html: string };
      expect(data.title).toBe('Tea');
      expect(data.html).toMatch(/<output><\/output><script src="data:text\/javascript/);
      return;
    }
    expect(fields.get('project[template]')).toBe('html');
    expect(fields.get('project[files][index.html]')).toBe(PAGE);
    expect(fields.get('project[files][main.js]')?.replaceAll('\r\n', '\n')).toBe(SCRIPT);
    expect([...fields.keys()].some((name) => name.includes('notes.txt'))).toBe(false);
    await notice().getByText('/notes.txt: it is not in the folder of the page').waitFor();
  });
});
