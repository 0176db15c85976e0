import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { refusal, reply, stall, streaming, text } from '../fault-server/replies.js';
import { firstOf } from '../size.js';
import { launch } from './browser.js';
import { openBuilt, startModel, textOf, type OpenApp } from './built-app.js';
import {
  chatApps,
  DOCUMENTED,
  plainHtml,
  readmeApps,
  replies,
  withAccess,
  type ModelAccess,
} from './readme-apps.js';
import { serveFolder, type Site } from './static-server.js';

const packed = inject('packed');
const KEY = 'sk-1234567890abcdef';

const COMMAND_SYNTAX = /command_name|"args"|```/;

let browser: Browser;
/** Serves the installed packages, as a CDN does. */
let cdn: Site;
beforeAll(async () => {
  [browser, cdn] = await Promise.all([launch(), serveFolder(join(packed.app, 'node_modules'))]);
});
afterAll(() => Promise.all([browser?.close(), cdn?.close()]));

/** Records the text of a page whenever it changes, so that no briefly visible text is missed. */
function recordText(): void {
  const shown: string[] = [];
  Object.assign(window, { shown });
  new MutationObserver(() => {
    const text = document.body?.innerText ?? '';
    if (text !== shown.at(-1)) shown.push(text);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

describe.each(firstOf([...readmeApps, ...chatApps, plainHtml(() => cdn)]))(
  'the documented files in a fresh application: $name',
  (app) => {
    let built: string;
    beforeAll(async () => {
      built = await app.build(packed);
    });

    /** Opens the application in a new browser profile, and records what it shows. */
    function open(access: ModelAccess, prepare?: () => Promise<unknown>): Promise<OpenApp> {
      const folder = mkdtempSync(join(packed.scratch, 'readme-case-'));
      withAccess(built, folder, access);
      return openBuilt(browser, folder, async (page) => {
        await prepare?.();
        await page.addInitScript(recordText);
      });
    }

    /** Sends the request where the page does not send it on load. */
    async function send(page: Page): Promise<void> {
      if (app.button !== undefined) await page.getByRole('button', { name: app.button }).click();
    }

    test('shows the result and no command syntax', async () => {
      const model = await startModel();
      model.script(replies.map((text) => reply(...(text.match(/[^]{1,8}/g) ?? []))));
      const { page, uncaught } = await open({ baseURL: model.url, apiKey: KEY });
      await send(page);
      await expect.poll(() => model.requests.length).toBe(replies.length);
      if (app.button !== undefined) {
        // It is disabled or absent until the run has ended.
        const button = page.getByRole('button', { name: app.button });
        await expect.poll(() => button.isEnabled()).toBe(true);
      }
      for (const part of app.result) await expect.poll(() => textOf(page)).toContain(part);
      if (app.preview !== undefined) await page.locator(app.preview).waitFor(); // visible
      const shown = await page.evaluate<string[]>('window.shown');
      expect(shown.length).toBeGreaterThan(1);
      expect(shown.filter((text) => COMMAND_SYNTAX.test(text))).toEqual([]);
      const observations = JSON.stringify(model.requests.at(-1)?.body);
      expect(observations).toContain('The file 2048.html has been successfully created');
      expect(model.requests.map(({ headers }) => headers['authorization'])).toEqual(
        replies.map(() => `Bearer ${KEY}`),
      );
      if (app.remembers === true) {
        await page.reload();
        for (const part of app.result) await expect.poll(() => textOf(page)).toContain(part);
        expect(model.requests.length).toBe(replies.length);
      }
      expect(uncaught).toEqual([]);
    });

    test.runIf(app.resumes === true)('continues after a reload in the middle', async () => {
      const model = await startModel();
      const last = replies.length - 1;
      const [before, after] = [replies.slice(0, last), replies.slice(last)].map((list) =>
        list.map((text) => reply(...(text.match(/[^]{1,8}/g) ?? []))),
      );
      model.script([...(before ?? []), [streaming, text('I will'), stall], ...(after ?? [])]);
      const { page, uncaught } = await open({ baseURL: model.url, apiKey: KEY });
      await send(page);
      await expect.poll(() => model.requests.length).toBe(replies.length);
      await page.reload();
      for (const part of app.result) await expect.poll(() => textOf(page)).toContain(part);
      expect(model.requests.length).toBe(replies.length + 1); // only the interrupted call is made again
      expect(uncaught).toEqual([]);
    });

    test.runIf(app.resumes === true)('shows the same after Again as after a reload', async () => {
      const model = await startModel();
      const [write = '', answer = ''] = replies;
      const other = answer.replace('to play', 'in the browser');
      model.script([write, answer, write, other].map((text) => reply(text)));
      const { page, uncaught } = await open({ baseURL: model.url, apiKey: KEY });
      await send(page);
      await expect.poll(() => textOf(page)).toContain('Open 2048.html to play.');
      await page.getByRole('button', { name: 'Again' }).click();
      await expect.poll(() => textOf(page)).toContain('Open 2048.html in the browser.');
      const shown = await textOf(page);
      expect(shown).not.toContain('to play');
      expect(model.requests.length).toBe(4);
      const paragraphs = () => page.locator('p').allTextContents();
      const before = await paragraphs();
      await page.reload();
      await expect.poll(paragraphs).toEqual(before);
      expect(model.requests.length).toBe(4);
      expect(uncaught).toEqual([]);
    });

    test('shows that the server rejected a wrong key, without the key', async () => {
      const model = await startModel();
      model.script([refusal(401, `Incorrect API key provided: ${KEY}.`)], 'repeat');
      const { page, uncaught } = await open({ baseURL: model.url, apiKey: KEY });
      await send(page);
      await expect.poll(() => textOf(page)).toContain(`${new URL(model.url).host} refused the API key`);
      expect(await textOf(page)).not.toContain(KEY);
      expect(uncaught).toEqual([]);
    });

    test('shows that the address is not reachable', async () => {
      // A port that is not in use: it becomes free only after the page has got its own.
      const model = await startModel();
      const { page, uncaught } = await open({ baseURL: model.url, apiKey: KEY }, () => model.close());
      await send(page);
      await expect.poll(() => textOf(page)).toContain(`Nothing listens at ${new URL(model.url).host}`);
      expect(uncaught).toEqual([]);
    });

    test('shows that the server does not allow this origin (CORS)', async () => {
      const model = await startModel({ cors: false });
      const { page, origin, uncaught } = await open({ baseURL: model.url, apiKey: KEY });
      await send(page);
      await expect
        .poll(() => textOf(page))
        .toContain(`CORS: the server does not allow pages of ${origin} to read it.`);
      expect(uncaught).toEqual([]);
    });

    test('shows that the key is a placeholder, and sends nothing', async () => {
      const model = await startModel();
      const { page, uncaught } = await open({ baseURL: model.url, apiKey: DOCUMENTED.apiKey });
      await expect
        .poll(() => textOf(page))
        .toContain(`"${DOCUMENTED.apiKey}" is a placeholder: put your key into \`apiKey\`.`);
      expect(model.requests).toEqual([]);
      expect(uncaught).toEqual([]);
    });
  },
);
