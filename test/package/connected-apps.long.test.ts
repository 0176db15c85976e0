import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { commands } from '../../src/testing/scripted-model.js';
import type { FaultServer, SeenRequest } from '../fault-server/fault-server.js';
import { refusal, reply, stall, streaming, text, type Reply } from '../fault-server/replies.js';
import { startEverything, type Everything } from '../mcp-server/everything.js';
import { launch } from './browser.js';
import { openBuilt, startModel, textOf, type OpenApp } from './built-app.js';
import { connectedApps, elementApp, replies, withAccess } from './readme-apps.js';
import { firstOf } from '../size.js';

const packed = inject('packed');

let browser: Browser;
let everything: Everything;
beforeAll(async () => {
  [browser, everything] = await Promise.all([launch(), startEverything()]);
});
afterAll(() => Promise.all([browser?.close(), everything?.stop()]));

const KEY = 'sk-1234567890abcdef';

const SUM = commands(['everything.get-sum', { a: 19, b: 23 }]);
const ASK = commands(['Subagent.run', { task: 'Read the sum.' }]);
const SAY = commands(
  ['RoleZero.reply_to_human', { content: 'The server and the helper say 42.' }],
  ['end', {}],
);
const END = commands(['RoleZero.reply_to_human', { content: 'It is 42.' }], ['end', {}]);

/** A model that asks the MCP server, then a sub-agent, and answers when both have reported what they should. */
function model({ body }: SeenRequest, isInterrupted: () => boolean): Reply {
  const { messages } = body as { messages: { role: string; content: string }[] };
  const last = messages.at(-1)?.content ?? '';
  const hasReplied = (each: string) =>
    messages.some(({ role, content }) => role === 'assistant' && content === each);
  const expected = (text: string, next: Reply) =>
    last.includes(text) ? next : refusal(400, `Expected "${text}" in: ${last}`);
  if (!hasReplied(SUM)) {
    const isHelper = messages.some(({ content }) => content.includes('Read the sum.'));
    return isHelper ? reply(END) : reply(SUM);
  }
  if (!hasReplied(ASK)) return expected('The sum of 19 and 23 is 42.', reply(ASK));
  return expected('It is 42.', isInterrupted() ? [streaming, text('I will'), stall] : reply(SAY));
}

/** Opens a built application with the address of a model in a new browser profile. */
function open(built: string, server: FaultServer): Promise<OpenApp> {
  const folder = mkdtempSync(join(packed.scratch, 'connected-'));
  withAccess(built, folder, { baseURL: server.url, apiKey: KEY });
  return openBuilt(browser, folder);
}

describe.each(firstOf(connectedApps('')))(
  'the packed connectors in a fresh application: $name',
  ({ name }) => {
    let built: string;
    beforeAll(async () => {
      const app = connectedApps(everything.url).find((each) => each.name === name);
      built = (await app?.build(packed)) ?? '';
    });

    /** Opens the application, sends the request, and returns the page and the model. */
    async function start(isInterrupted: () => boolean): Promise<OpenApp & { server: FaultServer }> {
      const server = await startModel();
      server.script([(request) => model(request, isInterrupted)], 'repeat');
      const app = await open(built, server);
      await app.page.getByRole('button', { name: 'Build' }).click();
      return { ...app, server };
    }

    test('uses a tool of an MCP server and a sub-agent, and shows the answer', async () => {
      const { page, uncaught } = await start(() => false);
      await expect.poll(() => textOf(page)).toContain('The server and the helper say 42.');
      expect(uncaught).toEqual([]);
    });

    test('continues after a reload in the middle, and asks neither of them again', async () => {
      let isFirst = true;
      const { page, server, uncaught } = await start(() => isFirst);
      await expect.poll(() => server.requests.length).toBe(4);
      isFirst = false;
      await page.reload();
      await expect.poll(() => textOf(page)).toContain('The server and the helper say 42.');
      expect(server.requests.length).toBe(5);
      expect(uncaught).toEqual([]);
    });
  },
);

describe('the chat element in a fresh application', () => {
  let built: string;
  beforeAll(async () => {
    built = await elementApp(packed);
  });

  test('takes a request to its end, and shows the same after a reload', async () => {
    const server = await startModel();
    server.script(replies.map((each) => reply(each)));
    const { page, uncaught } = await open(built, server);
    await page.getByRole('textbox').fill('Write a 2048 game');
    await page.keyboard.press('Enter');
    const log = page.getByRole('log');
    await expect.poll(() => log.innerText()).toContain('Open 2048.html to play.');
    await log.getByRole('button', { name: 'Download /2048.html' }).waitFor();
    await page.reload();
    await expect.poll(() => log.innerText()).toContain('Open 2048.html to play.');
    expect(await log.innerText()).toContain('Write a 2048 game');
    expect(uncaught).toEqual([]);
  });

  test('shows that the server rejected the key, without the key', async () => {
    const server = await startModel();
    server.script([refusal(401, `Incorrect API key provided: ${KEY}.`)], 'repeat');
    const { page, uncaught } = await open(built, server);
    await page.getByRole('textbox').fill('Write a 2048 game');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'refused the API key' }).waitFor();
    expect(await page.getByRole('log').innerText()).not.toContain(KEY);
    expect(uncaught).toEqual([]);
  });
});
