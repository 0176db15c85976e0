import { expect } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import type { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { bodyOf, conversationOf, HOLD, model, say, type Step } from './model.js';
import { expectToPass, exportsOf, outputsOf } from './node.js';
import type { Story } from './story.js';

const GUIDE = 'docs/guide.md';
const OLLAMA = 'localhost:11434';

const WORKER = 'openaiBaseURLs.ollama';
const PAGE = "session.send('Write a page that shows the time";

const clock: Step = [['Editor.write', { path: '/clock.html', content: '<h1>12:00</h1>\n' }]];

export const GUIDE_STORIES: Story[] = [
  {
    title: 'the first agent writes a page, and the page side shows its text and activity',
    documents: [GUIDE],
    snippets: [WORKER, PAGE],
    files: (worker = '', page = '') => ({ 'guide/agent.worker.ts': worker, 'guide/main.ts': page }),
    async play(stage) {
      stage.serve({
        [OLLAMA]: model([
          [['RoleZero.ask_human', { question: 'Which cities?' }]],
          clock,
          say('The clock is ready.'),
        ]),
      });
      const page = await stage.visit('guide/main');
      page.on('dialog', (dialog) => void dialog.accept('Rome, Oslo, Lima'));
      const activities = await page.evaluate(async () => {
        const seen = new Set<string>();
        const observer = new MutationObserver(() =>
          seen.add(document.querySelectorAll('p')[1]?.textContent ?? ''),
        );
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        await window.page.run();
        return [...seen];
      });
      expect(activities).toEqual(expect.arrayContaining(['Writing /clock.html', 'Waiting for your answer']));
      expect(await page.locator('p').allTextContents()).toEqual(['The clock is ready.', '']);
      expect(await page.evaluate(() => window.page.logged)).toEqual([
        ['done', 'The clock is ready.', [expect.objectContaining({ path: '/clock.html', size: 15 })]],
      ]);
      const bodies = stage.requests(OLLAMA).map(bodyOf);
      expect(new Set(bodies.map(({ model: name }) => name))).toEqual(new Set(['qwen3:8b']));
      expect(conversationOf(stage.requests(OLLAMA).at(-1))).toContain('Human response: Rome, Oslo, Lima');
    },
  },
  {
    title: 'a closed tab leaves work and questions that the next page resumes',
    documents: [GUIDE],
    snippets: [WORKER, PAGE, 'prompt(session.waiting.text)'],
    files: (worker = '', page = '', resuming = '') => ({
      'guide/agent.worker.ts': worker,
      'guide/main.ts': page,
      'guide/resume.ts': resuming,
    }),
    async play(stage) {
      const profile = await stage.newProfile();
      stage.serve({ [OLLAMA]: model([clock, HOLD]) });
      const first = await stage.visit('guide/main', profile);
      void first.evaluate(() => window.page.run()).catch(() => {}); // The tab is closed in its middle.
      await expect.poll(() => stage.requests(OLLAMA).length).toBe(2);
      await first.close();

      stage.serve({ [OLLAMA]: model([[['RoleZero.ask_human', { question: 'Which cities?' }]]]) });
      const second = await stage.visit('guide/resume', profile);
      await second.evaluate(() => window.page.run());
      expect(await second.evaluate(() => window.page.opened[0]?.waiting?.text)).toBe('Which cities?');
      await second.close();

      stage.serve({ [OLLAMA]: model([say('The clock is ready.')]) });
      const third = await stage.visit('guide/resume', profile);
      third.on('dialog', (dialog) => void dialog.accept('Rome, Oslo, Lima'));
      await third.evaluate(() => window.page.run());
      const left = await third.evaluate(async () => {
        const [session] = window.page.opened;
        const files = await session?.files.history();
        return {
          last: session?.lastRun,
          waiting: session?.waiting,
          changes: files?.map(({ paths }) => paths),
        };
      });
      expect(left).toEqual({
        last: expect.objectContaining({ status: 'done', summary: 'The clock is ready.' }) as object,
        waiting: null,
        changes: [['/clock.html']],
      });
      expect(conversationOf(stage.requests(OLLAMA)[0])).toContain('Human response: Rome, Oslo, Lima');
    },
  },
  {
    title: 'a custom tool converts money and reports what it does not know',
    documents: [GUIDE],
    snippets: ['export const cashier ='],
    async play(_stage, code = '') {
      const { cashier } = await exportsOf<{ cashier: (model: ChatModel) => RoleZero }>(code);
      const scripted = scriptedModel({
        think: [
          commands(['Money.convert', { amount: 100, from: 'USD', to: 'EUR' }]),
          commands(['Money.convert', { amount: 1, from: 'USD', to: 'XYZ' }]),
          commands(['Money.convert', { amount: 'one', from: 'USD', to: 'EUR' }]),
          commands(...say('92.59')),
        ],
      });
      const done = await runRole(cashier(scripted), 'What are 100 dollars in euros?');
      const [converted, unknown, misfit] = outputsOf(done);
      expect(converted).toBe('Command Money.convert executed: 92.59 EUR');
      expect(unknown).toContain('I know EUR, USD and JPY.');
      expect(misfit).toContain('amount');
      expect([done.outcome.status, done.human.replies]).toEqual(['done', ['92.59']]);
    },
  },
  {
    title: 'a test with a scripted model passes in Node',
    documents: [GUIDE],
    snippets: ['What are 100 euros in dollars?'],
    play: (_stage, code = '') => expectToPass(code),
  },
  {
    title: 'a reviewer only reads, except for secrets',
    documents: [GUIDE],
    snippets: ['export class Reviewer'],
    async play(_stage, code = '') {
      const { Reviewer } = await exportsOf<{ Reviewer: new (model: ChatModel) => RoleZero }>(code);
      const read = (path: string): string => commands(['Editor.read', { path }]);
      const scripted = scriptedModel({
        think: [
          read('/a.txt'),
          read('/secrets/key'),
          commands(['Editor.write', { path: '/a.txt', content: 'x' }]),
          commands(...say('Fine.')),
        ],
      });
      const done = await runRole(new Reviewer(scripted), 'Review it.', {
        files: { '/a.txt': 'hello', '/secrets/key': 'hush' },
      });
      const memory = done.memory.map(({ content }) => content).join('\n');
      expect(memory).toContain('hello');
      expect(memory).not.toContain('hush');
      expect(done.files['/a.txt']).toBe('hello');
      expect(done.requests[0]?.messages[0]?.content).toMatch(/the worst first\.$/);
    },
  },
  {
    title: 'a test of a team passes in Node',
    documents: [GUIDE],
    snippets: ['Write a greeting, and have it checked.'],
    play: (_stage, code = '') => expectToPass(code),
  },
];
