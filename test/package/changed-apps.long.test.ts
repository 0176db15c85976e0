/** @module-tag nightly */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import type { ChatTransport } from 'ai';
import type { Session } from 'rolezero';
import type { SessionUIMessage } from 'rolezero/ai-sdk-ui';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { commands } from '../../src/testing/scripted-model.js';
import { reply } from '../fault-server/replies.js';
import { launch } from './browser.js';
import { openBuilt, startModel } from './built-app.js';
import { changingApps, withAccess } from './readme-apps.js';

const packed = inject('packed');

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** The chat of the AI SDK in each framework: the result of `useChat` in React, else an object with a list that can be set. */
interface Chat {
  status: string;
  messages: SessionUIMessage[];
  setMessages?: (messages: SessionUIMessage[]) => void;
  sendMessage: (message: { text: string; messageId?: string }) => Promise<void>;
  regenerate: () => Promise<void>;
  transport?: ChatTransport<SessionUIMessage>;
}

declare global {
  interface Window {
    /** What the application has given to the test, once its session is open. */
    changing?: { chat: Chat; session: Session; read: (session: Session) => Promise<SessionUIMessage[]> };
  }
}

const write = (color: string): string =>
  commands(
    ['Editor.write', { path: '/color.txt', content: color }],
    ['RoleZero.reply_to_human', { content: `It is ${color}.` }],
    ['end', {}],
  );

interface Held {
  chat: string[];
  session: string[];
  color: string | null;
}

/** Which messages the interface and the session hold, and the file, when the chat is at rest. */
const held = (page: Page): Promise<Held> =>
  page.evaluate(async () => {
    const lines = (messages: SessionUIMessage[]): string[] =>
      messages.map(({ id, role, parts }) => {
        const texts = parts.map((part) => (part.type === 'text' ? part.text : part.type));
        const isShown = (text: string): boolean => text !== 'step-start' && !text.startsWith('data-');
        return [id, role, ...texts.filter(isShown)].join(' ');
      });
    while (window.changing === undefined || !['ready', 'error'].includes(window.changing.chat.status))
      await new Promise((done) => setTimeout(done, 20));
    const { chat, session, read } = window.changing;
    const color = (await session.files.list()).some(({ path }) => path === '/color.txt')
      ? await session.files.read('/color.txt')
      : null;
    return { chat: lines(chat.messages), session: lines(await read(session)), color };
  });

/** Interface and session hold the same list, which a reload does not change. */
async function agree(page: Page, requests: readonly string[], color: string | null): Promise<void> {
  await expect
    .poll(async () => (await held(page)).chat.filter((line) => / user /.test(line)).map(last))
    .toEqual(requests);
  const before = await held(page);
  expect(before.chat).toEqual(before.session);
  expect(before.color).toBe(color);
  await page.reload();
  await expect.poll(() => held(page)).toEqual(before);
}

/** The text of a line of one text. */
const last = (line: string): string => line.split(' ').slice(2).join(' ');

describe.each(changingApps())('a conversation that is changed in a fresh application: $name', (app) => {
  let built: string;
  beforeAll(async () => {
    built = await app.build(packed);
  });

  test('is the same in the interface, in the session, and after a reload', async () => {
    const model = await startModel();
    model.script(['blue', 'red', 'dark red', 'green'].map((color) => reply(write(color))));
    const folder = mkdtempSync(join(packed.scratch, 'changed-'));
    withAccess(built, folder, { baseURL: model.url, apiKey: 'sk-1234567890abcdef' });
    const { page, uncaught } = await openBuilt(browser, folder);
    await agree(page, [], null);

    await page.evaluate(() => void window.changing?.chat.sendMessage({ text: 'Paint it blue' }));
    await agree(page, ['Paint it blue'], 'blue');

    await page.evaluate(() => {
      const id = window.changing?.chat.messages.find(({ role }) => role === 'user')?.id ?? '';
      void window.changing?.chat.sendMessage({ text: 'Paint it red', messageId: id });
    });
    await agree(page, ['Paint it red'], 'red');

    await page.evaluate(() => void window.changing?.chat.regenerate());
    await expect.poll(async () => (await held(page)).color).toBe('dark red');
    await agree(page, ['Paint it red'], 'dark red');

    await page.evaluate(() => void window.changing?.chat.sendMessage({ text: 'Paint it green' }));
    await agree(page, ['Paint it red', 'Paint it green'], 'green');

    const undone = await page.evaluate(async () => {
      const { session } = window.changing ?? {};
      const run = (await session?.files.history())?.findLast(({ by }) => by === 'agent');
      const { id = '' } = (await session?.files.undo(run?.step ?? '')) ?? {};
      return id;
    });
    await agree(page, ['Paint it red', 'Paint it green'], 'dark red');
    await page.evaluate((id) => window.changing?.session.files.undo(id), undone);
    await agree(page, ['Paint it red', 'Paint it green'], 'green');

    await page.evaluate(async () => {
      const { chat, session, read } = window.changing ?? {};
      if (chat === undefined || session === undefined || read === undefined) throw new Error('No chat.');
      const [first] = await session.branches.list();
      await session.branches.open(first?.id ?? '');
      const messages = await read(session);
      if (chat.setMessages === undefined) chat.messages = messages;
      else chat.setMessages(messages);
    });
    await agree(page, ['Paint it blue'], 'blue');
    expect(model.requests.length).toBe(4);
    expect(uncaught).toEqual([]);
  });
});
