import { expect } from 'vitest';
import type { ConnectOptions, Session } from 'rolezero';
import { HOLD, model, say, type Step } from './model.js';
import type { Story } from './story.js';
import { OPENAI, workerWith } from './worker.js';

const HOW_TO = 'docs/how-to/';
const WORKER = '// src/agent.worker.ts';
const PAGE = '// src/main.ts';

const game: Step = [['Editor.write', { path: '/2048/index.html', content: '<h1>2048</h1>' }]];

/** Stories of the how-to pages that need several tabs, or files beside those of the README. */
export const HOW_TO_STORIES: Story[] = [
  {
    title: 'a second tab only reads, then becomes the writer and continues the run',
    documents: ['README.md', HOW_TO],
    snippets: [WORKER, PAGE, 'view: true'],
    files: (worker = '', page = '', viewer = '') => ({
      'readme/agent.worker.ts': worker,
      'readme/main.ts': page,
      'readme/viewer.ts': viewer,
    }),
    async play(stage) {
      const profile = await stage.newProfile();
      stage.serve({ [OPENAI]: model([game, HOLD, say('Have fun.')]) });
      const first = await stage.visit('readme/main', profile);
      void first.evaluate(() => window.page.run()).catch(() => {}); // closed before it ends
      await expect.poll(() => stage.requests(OPENAI).length, { timeout: 60_000 }).toBe(2);

      const second = await stage.visit('readme/viewer', profile);
      await second.evaluate(() => window.page.run());
      const isReadOnly = () => second.locator('body[data-read-only]').count();
      expect(await isReadOnly()).toBe(1);
      await first.close();
      await expect.poll(isReadOnly, { timeout: 60_000 }).toBe(0);
      const lastRun = () => second.evaluate(() => window.page.opened[0]?.lastRun?.status);
      await expect.poll(lastRun, { timeout: 60_000 }).toBe('done');
    },
  },
  {
    title: 'the schema of the config names what is wrong',
    documents: [HOW_TO],
    snippets: ['baseURL: z.url()'],
    files: (worker = '') => ({
      'config/agent.worker.ts': worker,
      'config/open.ts': `
        import { connect, type ConnectOptions } from 'rolezero';
        export const open = (options: ConnectOptions) =>
          connect(() => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }), options);
      `,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([say('Hello.')]) });
      const page = await stage.visit('config/open');
      await page.evaluate(() => window.page.run());
      const config = { baseURL: `https://${OPENAI}/v1`, apiKey: 'sk-snippets', contextWindow: 32_000 };
      const open = (given: unknown) =>
        page.evaluate(async (sent) => {
          const connect = window.page.exports['open'] as (options: ConnectOptions) => Promise<Session>;
          try {
            const session = await connect({ config: sent });
            const { summary } = await session.send('Say hello in the file').result();
            return { summary };
          } catch (error) {
            const { code, message } = error as { code: string; message: string };
            return { code, message };
          }
        }, given);
      expect(await open({ ...config, modelName: 'gpt' })).toEqual({
        code: 'invalid',
        message: expect.stringMatching(/model[^]*modelName|modelName[^]*model/) as string,
      });
      expect(await open({ ...config, model: 'gpt' })).toEqual({ summary: expect.any(String) as string });
    },
  },
  {
    title: 'the page shows the whole command before the user approves it',
    documents: [HOW_TO],
    snippets: ['export const careful =', 'approve: (command, { text, details })'],
    files: (careful = '', page = '') => ({
      'approvals/careful.ts': careful,
      'approvals/agent.worker.ts': `
        import { openai } from 'rolezero/providers/openai';
        import { serve } from 'rolezero/worker';
        import { careful } from './careful';
        serve(() => careful(openai({ baseURL: 'https://${OPENAI}/v1', model: 'gpt-5-mini', apiKey: 'sk-snippets' })));
      `,
      'approvals/page.ts': page,
    }),
    async play(stage) {
      const write: Step = [['Editor.write', { path: '/a.txt', content: 'first line' }]];
      stage.serve({ [OPENAI]: model([write, say('Written.')]) });
      const page = await stage.visit('approvals/page');
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.message());
        void dialog.accept();
      });
      await page.evaluate(() => window.page.run());
      const text = await page.evaluate(async () => {
        const session = window.page.exports['session'] as Session;
        await session.send('Write /a.txt').result();
        return session.files.read('/a.txt');
      });
      expect(text).toBe('first line');
      expect(asked).toEqual([expect.stringMatching(/^May .+ change \/a\.txt\?[^]*\/a\.txt[^]*first line/)]);
    },
  },
  {
    title:
      'the chat element shows other words, a click on a file opens it, and the page follows the conversation',
    documents: ['README.md', HOW_TO],
    snippets: [WORKER, '// src/chat.ts', 'export function prepare', 'export function showPaths'],
    files: (worker = '', chat = '', prepare = '', paths = '') => ({
      'chat/agent.worker.ts': worker,
      'chat/prepare.ts': prepare,
      'chat/paths.ts': paths,
      // The sample, and what an application does with its element.
      'chat/page.ts': `${chat}
        import { showPaths } from './paths';
        import { prepare } from './prepare';
        export const opened: string[] = [];
        prepare(chat, (path) => opened.push(path));
        const place = document.body.appendChild(document.createElement('output'));
        void Promise.resolve(chat.session).then((session) => session && showPaths(session, place));
      `,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([game, say('Have fun.')]) });
      const page = await stage.visit('chat/page');
      await page.evaluate(() => window.page.run());
      await page.getByPlaceholder('Was ist zu tun?').fill('Write a 2048 game');
      await page.getByRole('button', { name: 'Los' }).click();
      await page.getByText('Have fun.').first().waitFor();
      await page.locator('output', { hasText: '/2048/index.html' }).waitFor();
      await page
        .getByRole('button', { name: /index\.html/ })
        .first()
        .click();
      expect(await page.evaluate(() => window.page.exports['opened'])).toEqual(['/2048/index.html']);
    },
  },
  {
    title: 'a session with a server that needs a sign-in works while the server is away',
    documents: [HOW_TO],
    snippets: ['export const github', 'mcpSignIn({', 'finishMcpSignIn(keyVault())'],
    files: (github = '', page = '', signedIn = '') => ({
      'sign-in/github.ts': github,
      'sign-in/agent.worker.ts': workerWith("import { github } from './github';", 'github'),
      'sign-in/page.ts': page,
      'sign-in/signed-in.ts': signedIn,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([say('The server is away.')]) });
      const page = await stage.visit('sign-in/page');
      await page.evaluate(() => window.page.run());
      const result = await page.evaluate(async () => {
        const session = window.page.exports['session'] as Session;
        const { status } = await session.send('List my issues in /issues.md').result();
        return [status, document.querySelector('button')];
      });
      expect(result).toEqual(['done', null]);
      const back = await stage.visit('sign-in/signed-in');
      await back.evaluate(() => window.page.run()); // Without an answer of a server there is nothing to do.
      expect(await back.title()).toBe('Snippet');
    },
  },
  {
    title: 'the page offers a session to the agent of the browser, where it has WebMCP',
    documents: [HOW_TO],
    snippets: ['registerWebMcp(session'],
    files: (page = '') => ({
      'offered/agent.worker.ts': workerWith("import { webMcp } from 'rolezero/tools/web-mcp';", 'webMcp()'),
      'offered/page.ts': page,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([say('Hello.')]) });
      const page = await stage.visit('offered/page');
      await page.evaluate(() => window.page.run());
      const [isOffered, status] = await page.evaluate(async () => {
        const session = window.page.exports['session'] as Session;
        const result = await session.send('Say hello to /hello.md').result();
        return [window.page.exports['isOffered'], result.status];
      });
      expect([isOffered, status]).toEqual([false, 'done']); // This Chromium is started without WebMCP.
    },
  },
  {
    title: 'a site that supports agents still works for its visitors',
    documents: [HOW_TO],
    snippets: ['allowDriving({'],
    files: (site = '') => ({ 'site/shop.ts': site }),
    async play(stage) {
      const page = await stage.visit('site/shop');
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      await page.evaluate(() => window.page.run());
      expect(errors).toEqual([]);
      expect(await page.title()).toBe('Snippet');
    },
  },
];
