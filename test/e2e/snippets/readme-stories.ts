import { strToU8, unzipSync, zipSync } from 'fflate';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { ConnectOptions, Session } from 'rolezero';
import type { ChatModel } from '../../../src/core/model.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session as NodeSession } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import {
  done,
  finish,
  hold,
  json,
  refusal,
  reply,
  streaming,
  text,
  usage,
} from '../../fault-server/replies.js';
import { bodyOf, conversationOf, isThought, model, say, type Step } from './model.js';
import { expectToPass, exportsOf, outputsOf } from './node.js';
import type { Story } from './story.js';

const README = 'README.md';
const START = 'docs/start.md';
const HOW_TO = 'docs/how-to/';
const OPENAI = 'api.openai.com';

const WORKER = '// src/agent.worker.ts';
const PAGE = '// src/main.ts';

/** A page that only connects to a worker of the document. */
const opener = (worker: string): string => `
  import { connect, type ConnectOptions } from 'rolezero';
  export const open = (options: ConnectOptions) =>
    connect(() => new Worker(new URL('./${worker}', import.meta.url), { type: 'module' }), options);
`;
const anyText = expect.any(String) as string;

/** The heading of the game in the frames of a preview. */
const gameIn = (page: Page, place: string): Locator =>
  page
    .locator(`${place} > div > .rolezero-pages > iframe`)
    .contentFrame()
    .locator('iframe')
    .contentFrame()
    .getByText('2048');

type Open = (options: ConnectOptions) => Promise<Session>;

const game: Step = [['Editor.write', { path: '/2048/index.html', content: '<h1>2048</h1>' }]];
const question: Step = [['RoleZero.ask_human', { question: 'Which language?' }]];

export const README_STORIES: Story[] = [
  {
    title: 'the two files build a game and show what happens',
    documents: [README],
    snippets: [WORKER, PAGE],
    files: (worker = '', page = '') => ({ 'readme/agent.worker.ts': worker, 'readme/main.ts': page }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([question, game, say('Have fun.')]) });
      const page = await stage.visit('readme/main');
      page.on('dialog', (dialog) => void dialog.accept('Plain JavaScript'));
      await page.evaluate(() => window.page.run());
      const shown = (await page.locator('pre').textContent()) ?? '';
      expect(shown).toMatch(/I will run Editor\.write\.\n+Editor\.write ok\n/);
      expect(shown).toMatch(new RegExp(`\\ndone: Have fun.\\n/2048/index\\.html \\(13 bytes\\)\\n$`));
      expect(shown).not.toContain('command_name');
      await gameIn(page, 'body').waitFor();
      const [first] = stage.requests(OPENAI);
      expect([first?.path, first?.headers['authorization']]).toEqual([
        '/v1/chat/completions',
        'Bearer sk-snippets',
      ]);
      expect(first?.body).toMatchObject({ model: 'gpt-5-mini' });
      expect(first && bodyOf(first).tools?.length).toBeGreaterThan(10);
      expect(conversationOf(first)).toMatch(
        /named Zero, your goal is build what the user asks for[^]*Editor\.write[^]*Terminal\.run_command/,
      );
      expect(conversationOf(stage.requests(OPENAI).at(-1))).toContain('Human response: Plain JavaScript');
    },
  },
  {
    title: 'a failed run shows the reason on the page',
    documents: [README],
    snippets: [WORKER, PAGE],
    async play(stage) {
      stage.serve({ [OPENAI]: refusal(401, 'Incorrect API key provided.') });
      const page = await stage.visit('readme/main');
      await page.evaluate(() => window.page.run());
      expect(await page.locator('pre').textContent()).toMatch(/^\nfailed: .*refused the API key/);
    },
  },
  {
    title: 'the printed key is rejected as a placeholder',
    documents: [README],
    snippets: [WORKER, PAGE],
    files: (worker = '', page = '') => ({
      'readme/agent.worker.ts': worker,
      'readme/printed-key.ts': page.replace("'sk-snippets'", "'sk-…'"),
    }),
    async play(stage) {
      const page = await stage.visit('readme/printed-key');
      await page.evaluate(() => window.page.run());
      expect(await page.locator('pre').textContent()).toContain(
        '"sk-…" is a placeholder: put your key into `apiKey`.',
      );
    },
  },
  {
    title: 'the React component asks, answers, stops, and shows text and errors',
    documents: [README, START],
    snippets: [WORKER, 'export function Agent()'],
    files: (worker = '', component = '') => ({
      'readme/agent.worker.ts': worker,
      'readme/agent.tsx': component,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([question, game, say('Have fun.')]) });
      const page = await stage.visit('readme/agent');
      page.on('dialog', (dialog) => void dialog.accept('Plain JavaScript'));
      await page.evaluate(async () => {
        await window.page.run();
        await window.page.render('Agent');
      });
      const build = page.getByRole('button', { name: 'Build' });
      await build.click();
      await page.getByRole('button', { name: 'Which language?' }).click();
      await page.getByText('Have fun.').waitFor();
      await build.waitFor();
      expect(conversationOf(stage.requests(OPENAI).at(-1))).toContain('Human response: Plain JavaScript');

      stage.serve({ [OPENAI]: [hold] });
      await build.click();
      await page.getByRole('status').filter({ hasText: 'Thinking' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await build.waitFor();

      stage.serve({ [OPENAI]: refusal(401, 'Incorrect API key provided.') });
      await build.click();
      await page.getByRole('alert').filter({ hasText: 'refused the API key' }).waitFor();
    },
  },
  {
    title: 'a page shows what was built, also in a React component',
    documents: [README, START],
    snippets: [WORKER, 'export const showPage', 'export function Preview'],
    files: (worker = '', show = '', component = '') => ({
      'readme/agent.worker.ts': worker,
      'readme/show-page.ts': show,
      'readme/preview.tsx': component,
      'readme/shown.tsx': `
        import { connect } from 'rolezero';
        import { Preview } from './preview';
        import { showPage } from './show-page';
        const makeWorker = () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
        export const session = await connect(makeWorker, { session: 'shown', config: { apiKey: 'sk-snippets' } });
        const page = document.body.appendChild(document.createElement('section'));
        page.id = 'page';
        export const end = showPage(session);
        export const Shown = () => <Preview session={session} />;
      `,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([game, say('Have fun.')]) });
      const page = await stage.visit('readme/shown');
      await page.evaluate(async () => {
        await window.page.run();
        await window.page.render('Shown');
        await (window.page.exports['session'] as Session).send('Write a 2048 game').result();
      });
      await Promise.all(['#page', 'main > div'].map((place) => gameIn(page, place).waitFor()));
      await page.evaluate(() => (window.page.exports['end'] as () => void)());
      expect(await page.locator('iframe').count()).toBe(1);
    },
  },
  {
    title: 'without a worker file, the agent has the Editor and a shell over the same files',
    documents: [START],
    snippets: ["from 'rolezero/spawn'"],
    files: (page = '') => ({ 'readme/spawn.ts': page }),
    async play(stage) {
      const host = 'localhost:11434';
      stage.serve({
        [host]: model([
          [
            [
              'Editor.write',
              { path: '/haiku.txt', content: 'An old pond\nA frog leaps in\nThe sound of water\n' },
            ],
          ],
          [['Terminal.run_command', { cmd: 'wc -l < /haiku.txt; grep frog /haiku.txt' }]],
          say('It is in /haiku.txt.'),
        ]),
      });
      const page = await stage.visit('readme/spawn');
      await page.evaluate(() => window.page.run());
      const asked = stage.requests(host).filter(({ path }) => path === '/v1/chat/completions');
      const bodies = asked.map(bodyOf);
      expect(new Set(bodies.map(({ model: name }) => name))).toEqual(new Set(['qwen3:8b']));
      expect(conversationOf(stage.requests(host).at(-1))).toMatch(
        /Terminal\.run_command executed:[^]* 3\nA frog leaps in\n/,
      );
    },
  },
  {
    title: 'after a reload the open question is answered and the run resumes',
    documents: [README, HOW_TO],
    snippets: [WORKER, PAGE, 'for await (const event of session.resume())'],
    files: (worker = '', page = '', reloaded = '') => ({
      'readme/agent.worker.ts': worker,
      'readme/main.ts': page,
      'readme/reloaded.ts': reloaded,
    }),
    async play(stage) {
      const profile = await stage.newProfile();
      stage.serve({ [OPENAI]: model([game, question, say('Have fun.')]) });
      const before = await stage.visit('readme/main', profile);
      before.on('dialog', (dialog) => void dialog.dismiss()); // prompt() returns null.
      await before.evaluate(() => window.page.run());
      expect(await before.locator('pre').textContent()).toMatch(/\nwaiting: /);
      await before.close();

      const page = await stage.visit('readme/reloaded', profile);
      await page.evaluate(() => window.page.run());
      const logged = await page.evaluate(() => window.page.logged);
      expect(logged.slice(0, -1).at(-1)).toEqual(['run-end']);
      const [messages, plan, files, usage] = logged.at(-1) as [
        { content: string }[],
        unknown,
        unknown[],
        unknown,
      ];
      expect(messages.map(({ content }) => content).join('\n')).toMatch(
        /Write a 2048 game[^]*Plain JavaScript, please/,
      );
      expect(plan).toMatchObject({ tasks: [] });
      expect(files).toContainEqual(expect.objectContaining({ path: '/2048/index.html', size: 13 }));
      expect(usage).toMatchObject({ calls: 3, promptTokens: 300, completionTokens: 30 });
    },
  },
  {
    title: 'a tool fetches the weather',
    documents: [HOW_TO],
    snippets: ["name: 'Weather.now'"],
    async play(stage, code = '') {
      const { withWeather } = await exportsOf<{ withWeather: (model: ChatModel) => RoleZero }>(code);
      stage.serve({ 'wttr.in': json(200, 'sun, 21 degrees') });
      const scripted = scriptedModel({
        think: [commands(['Weather.now', { city: 'São Paulo' }]), commands(...say('Sunny.'))],
      });
      const done = await runRole(withWeather(scripted), 'How is the weather?');
      expect(outputsOf(done)[0]).toContain('sun, 21 degrees');
      expect(stage.requests('wttr.in').map(({ path }) => path)).toEqual(['/S%C3%A3o%20Paulo?format=3']);
    },
  },
  {
    title: 'edits with syntax errors are rejected',
    documents: [HOW_TO],
    snippets: ["from 'rolezero/tools/lint'"],
    async play(_stage, code = '') {
      const { checked } = await exportsOf<{ checked: (model: ChatModel) => RoleZero }>(code);
      const edit = (path: string, old: string, changed: string): string =>
        commands(['Editor.replace_text', { path, old, new: changed }]);
      const scripted = scriptedModel({
        think: [edit('/a.ts', '1', '(1'), edit('/a.ts', '1', '2'), commands(...say('Changed.'))],
      });
      const done = await runRole(checked(scripted), 'Change it.', {
        files: { '/a.ts': 'const a: number = 1;\n' },
      });
      expect(outputsOf(done)[0]).toMatch(/syntax/i);
      expect(done.files['/a.ts']).toBe('const a: number = 2;\n');
    },
  },
  {
    title: 'a tool of the page copies to the clipboard',
    documents: [README, HOW_TO],
    snippets: [WORKER, 'const copy = pageTool('],
    files: (worker = '', page = '') => ({ 'readme/agent.worker.ts': worker, 'readme/clipboard.ts': page }),
    async play(stage) {
      const profile = await stage.newProfile();
      await profile.grantPermissions(['clipboard-read', 'clipboard-write']);
      stage.serve({
        [OPENAI]: model([[['Clipboard.copy', { text: 'Hello from the agent' }]], say('Copied.')]),
      });
      const page = await stage.visit('readme/clipboard', profile);
      await page.evaluate(() => window.page.run());
      const status = await page.evaluate(
        async () => (await window.page.opened[0]?.send('Copy it').result())?.status,
      );
      expect(status).toBe('done');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Hello from the agent');
    },
  },
  {
    title: 'rules ask before one edit and reject another, and the budget ends a run',
    documents: [HOW_TO],
    snippets: ['export const careful ='],
    async play(_stage, code = '') {
      const { careful } = await exportsOf<{ careful: (model: ChatModel) => RoleZero }>(code);
      const write = (path: string): string => commands(['Editor.write', { path, content: 'x' }]);
      const scripted = scriptedModel({
        think: [write('/a.txt'), write('/secrets/b.txt'), commands(...say('Done.'))],
      });
      const done = await runRole(careful(scripted), 'Write.', { answers: ['yes'] });
      expect([Object.keys(done.files), done.human.questions.length]).toEqual([['/a.txt'], 1]);

      const thirsty = scriptedModel({ think: [write('/a.txt'), write('/b.txt'), write('/c.txt')] });
      const chat: ChatModel['chat'] = async function* (request) {
        for await (const chunk of thirsty.chat(request))
          yield chunk.type === 'usage' ? { ...chunk, promptTokens: 150_000 } : chunk;
      };
      const { outcome, files } = await runRole(
        careful({ ...thirsty, chat, price: { promptPerMillion: 1, completionPerMillion: 1 } }),
        'Write.',
        {
          answers: ['yes', 'yes'],
        },
      );
      expect([outcome.status, Object.keys(files)]).toEqual(['exhausted', ['/a.txt', '/b.txt']]);
    },
  },
  {
    title: 'a role defined by options translates',
    documents: [HOW_TO],
    snippets: ['export const translator ='],
    async play(_stage, code = '') {
      const { translator } = await exportsOf<{ translator: (model: ChatModel) => RoleZero }>(code);
      const role = translator(
        scriptedModel({
          think: [
            commands(['Editor.write', { path: '/de.txt', content: 'Hallo' }]),
            commands(...say('Fertig.')),
          ],
        }),
      );
      const { files, outcome, requests } = await runRole(role, 'Translate /en.txt', {
        files: { '/en.txt': 'Hello' },
      });
      expect([role.name, role.maxSteps, role.language]).toEqual(['Tess', 200, 'German']);
      expect([files['/de.txt'], outcome.status]).toEqual(['Hallo', 'done']);
      expect(requests.map(({ purpose }) => purpose)).toEqual(['think', 'think']);
      expect(requests[0]?.messages[0]?.content).toContain('Translate one file per reply.');
    },
  },
  {
    title: 'a team works, a member answers directly, and the page inspects who received what',
    documents: [HOW_TO],
    snippets: ['// team.worker.ts', "'./team.worker.ts'"],
    files: (worker = '', page = '') => ({ 'readme/team.worker.ts': worker, 'readme/team.ts': page }),
    async play(stage) {
      const tell = (content: string, send_to: string): Step => [
        ['TeamLeader.publish_team_message', { content, send_to }],
      ];
      stage.serve({
        [OPENAI]: model({
          Mike: [
            tell('Write /index.html.', 'Alex'),
            tell('Review /index.html.', 'Rita'),
            say('The page is ready.'),
          ],
          Alex: [
            [['Editor.write', { path: '/index.html', content: '<h1>Bakery</h1>' }], ...say('It is written.')],
            'Brown and white.',
          ],
          Rita: [say('Nothing is wrong.')],
        }),
      });
      const page = await stage.visit('readme/team');
      await page.evaluate(() => window.page.run());
      const logged = await page.evaluate(() => window.page.logged);
      expect(logged[0]).toEqual(['done', 'The page is ready.']);
      const [plan, overheard] = logged[1] as [unknown, { content: string }[]];
      expect(plan).toMatchObject({ goal: 'A page for my bakery' });
      // `chat: 'public'`: Rita also receives messages to others.
      expect(overheard.map(({ content }) => content).join('\n')).toMatch(
        /to Alex: Write \/index\.html[^]*to Rita: Review \/index\.html/,
      );
      expect(logged).toContainEqual(['Mike: Write /index.html.', ['Alex', 'Rita']]);
      const direct = logged.findIndex(([message]) => message === 'User: Which colors did you choose?');
      expect(logged.slice(direct, direct + 5)).toEqual([
        ['User: Which colors did you choose?', ['Mike', 'Alex', 'Rita']],
        ['Mike', 'does not react:', anyText],
        ['Alex', 'reacts:', anyText],
        ['Rita', 'does not react:', anyText],
        ['Alex: Brown and white.', ['Mike', 'Rita']],
      ]);
      expect(logged.at(-1)).toEqual([[]]);
    },
  },
  {
    title: 'a step that was taken before is repeated without a model call',
    documents: [HOW_TO],
    snippets: ['new ExperiencePool({'],
    files: (worker = '') => ({
      'readme/learning.worker.ts': worker,
      'readme/learning.ts': opener('learning.worker.ts'),
    }),
    async play(stage) {
      const host = 'api.example';
      stage.serve({ [host]: model([game, say('Have fun.')]) });
      const page = await stage.visit('readme/learning');
      await page.evaluate(() => window.page.run());
      const build = (session: string): Promise<unknown> =>
        page.evaluate(async (name) => {
          const opened = await (window.page.exports['open'] as Open)({
            session: name,
            config: { apiKey: 'sk-snippets' },
          });
          const { status } = await opened.send('Write a 2048 game').result();
          const files = await opened.files.list();
          await opened.close();
          return [status, files.map(({ path }) => path)];
        }, session);
      const built = ['done', ['/2048', '/2048/index.html']];
      expect(await build('first')).toEqual(built);
      const thoughts = (): number => stage.requests(host).filter(isThought).length;
      expect(thoughts()).toBe(2);
      expect(await build('second')).toEqual(built);
      expect(thoughts()).toBe(2);
    },
  },
  {
    title: 'files are imported from a zip and exported to one',
    documents: [README, HOW_TO],
    snippets: [WORKER, "fetch('/project.zip')"],
    files: (worker = '', page = '') => ({
      'readme/agent.worker.ts': worker,
      'readme/open.ts': opener('agent.worker.ts'),
      'readme/zip.ts': page,
    }),
    async play(stage) {
      const profile = await stage.newProfile();
      const project = zipSync({ 'a.txt': strToU8('from the zip') });
      await profile.route(`${stage.origin}/project.zip`, (route) =>
        route.fulfill({ body: Buffer.from(project) }),
      );
      const write = (content: string): Step => [['Editor.write', { path: '/note.txt', content }]];
      stage.serve({ [OPENAI]: model([write('older'), write('newest'), say('Written.')]) });
      const before = await stage.visit('readme/open', profile);
      await before.evaluate(async () => {
        await window.page.run();
        const session = await (window.page.exports['open'] as Open)({ config: { apiKey: 'sk-snippets' } });
        await session.send('Write a note').result();
        await session.close();
      });

      const page = await stage.visit('readme/zip', profile);
      await page.evaluate(() => window.page.run());
      const bytes = await page.evaluate(async () => {
        const archive = window.page.exports['archive'] as Blob;
        return [...new Uint8Array(await archive.arrayBuffer())];
      });
      const files = Object.entries(unzipSync(Uint8Array.from(bytes)));
      expect(files.map(([path, content]) => [path, Buffer.from(content).toString()])).toEqual([
        ['note.txt', 'newest'],
        ['project/', ''],
        ['project/a.txt', 'from the zip'],
      ]);
    },
  },
  {
    title: 'the agent opens and reads the page that it wrote',
    documents: [README, HOW_TO],
    snippets: [WORKER, 'tools: [frame({ element'],
    files: (worker = '', page = '') => ({
      // As the first line of the snippet says.
      'readme-frame/agent.worker.ts': worker
        .replace(
          "import { terminal } from 'rolezero/tools/terminal'",
          "import { browser } from 'rolezero/tools/browser'",
        )
        .replace('[editor(), terminal()]', '[...editor(), ...browser()]'),
      'readme-frame/frame.ts': page,
    }),
    async play(stage) {
      const html = '<title>Shop</title><h1>Bread</h1><button>Buy</button>';
      stage.serve({
        [OPENAI]: model([
          [['Editor.write', { path: '/index.html', content: html }]],
          [
            ['Browser.goto', { url: '/index.html' }],
            ['Browser.view', {}],
          ],
          say('It shows bread.'),
        ]),
      });
      const page = await stage.visit('readme-frame/frame');
      await page.evaluate(() => window.page.run());
      const status = await page.evaluate(
        async () => (await window.page.opened[0]?.send('A shop').result())?.status,
      );
      expect(status).toBe('done');
      expect(conversationOf(stage.requests(OPENAI).at(-1))).toMatch(/heading.*Bread[^]*button.*Buy/);
      expect(await page.locator('iframe').count()).toBeGreaterThan(0);
    },
  },
  {
    title: 'the web is searched, the next engine when one fails, and pages are read through a reader',
    documents: [HOW_TO],
    snippets: ['engines: [searxng({'],
    async play(stage, code = '') {
      const { researcher } = await exportsOf<{ researcher: (model: ChatModel) => RoleZero }>(code);
      const research = async (): Promise<{ output: string | undefined; read: string | undefined }> => {
        const scripted = scriptedModel({
          think: [commands(['SearchEnhancedQA.run', { query: 'bread' }]), commands(...say('Found.'))],
          'search-rewrite': '{"query": "bread recipe"}',
          'search-rank': '[0]',
          'search-answer': 'Flour and water.',
        });
        const done = await runRole(researcher(scripted), 'Search the web: how is bread made?');
        const answer = scripted.requests.find(({ purpose }) => purpose === 'search-answer');
        return { output: outputsOf(done)[0], read: JSON.stringify(answer?.messages.at(-1)) };
      };
      const results = [{ url: 'https://bread.example/', title: 'Bread', content: 'Baked.' }];
      stage.serve({
        'search.example': json(200, { results }),
        'reader.example': json(200, 'All about flour.'),
      });
      const first = await research();
      expect(first.output).toMatch(/Flour and water\.[^]*https:\/\/bread\.example\//);
      expect(first.read).toContain('All about flour.');
      expect(stage.requests('search.example')[0]?.path).toContain('q=bread+recipe');
      expect(stage.requests('reader.example').map(({ path }) => path)).toEqual([
        '/?url=https%3A%2F%2Fbread.example%2F',
      ]);

      const article = { title: 'Bread', snippet: 'Food.', extract: 'Bread is baked dough.' };
      stage.serve({
        'search.example': refusal(500, 'Out of order.'),
        'en.wikipedia.org': json(200, { query: { search: [article], pages: [article] } }),
      });
      const second = await research();
      expect(second.output).toMatch(/Flour and water\.[^]*https:\/\/en\.wikipedia\.org\/wiki\/Bread/);
      expect(second.read).toContain('Bread is baked dough.');
    },
  },
  {
    title: 'the second model takes over when the first fails or has spent its budget',
    documents: [HOW_TO],
    snippets: ['export const models ='],
    async play(stage, code = '') {
      const { models } = await exportsOf<{ models: (apiKey: string) => ChatModel }>(code);
      const ask = async (model: ChatModel): Promise<string> => {
        let text = '';
        const { signal } = new AbortController();
        for await (const chunk of model.chat({
          purpose: 'other',
          messages: [{ role: 'user', content: 'Hi' }],
          signal,
        }))
          if (chunk.type === 'text-delta') text += chunk.text;
        return text;
      };
      stage.serve({
        [OPENAI]: refusal(401, 'Incorrect API key provided.'),
        'localhost:11434': reply('I am local.'),
      });
      expect(await ask(models('sk-snippets'))).toBe('I am local.');
      expect(stage.requests(OPENAI)[0]?.headers['authorization']).toBe('Bearer sk-snippets');

      // 4 million tokens at 0.25 per million use the complete budget.
      const costly = [streaming, text('I am hosted.'), finish(), usage(4_000_000, 0), done];
      stage.serve({ [OPENAI]: costly, 'localhost:11434': reply('I am local.') });
      const both = models('sk-snippets');
      expect([await ask(both), await ask(both)]).toEqual(['I am hosted.', 'I am local.']);
      expect(stage.requests(OPENAI)).toHaveLength(1);
    },
  },
  {
    title: 'tests of a role and of a team pass in Node',
    documents: [HOW_TO],
    snippets: ["'write hi'"],
    play: (_stage, code = '') => expectToPass(code),
  },
  {
    title: 'an exported session replays without differences, and a difference is named',
    documents: [HOW_TO],
    snippets: ['export async function sameAsRecorded'],
    async play(_stage, code = '') {
      const { sameAsRecorded } = await exportsOf<{
        sameAsRecorded: (exported: unknown) => Promise<string[]>;
      }>(code);
      const scripted = scriptedModel({
        think: [commands(['Editor.write', { path: '/a.txt', content: 'one' }]), commands(...say('Written.'))],
      });
      const session = await NodeSession.open({
        storage: memoryStorage(),
        name: 'recorded',
        roles: [new RoleZero({ name: 'Zero', model: scripted, tools: editor() })],
        emit: () => {},
        askUser: async () => null,
      });
      expect((await (await session.send('Write it')).result).status).toBe('done');
      const exported = JSON.stringify(await session.export());
      await session.close();
      expect(await sameAsRecorded(JSON.parse(exported))).toEqual([]);
      const other = exported.replaceAll('has been successfully created', 'exists now');
      expect(await sameAsRecorded(JSON.parse(other))).toEqual([
        expect.stringMatching(/^Zero, message \d+: [^]*successfully created[^]* instead of [^]*exists now/),
      ]);
    },
  },
  {
    title: 'a session is exported, imported under another name, listed and removed',
    documents: [README, HOW_TO],
    snippets: [WORKER, 'const everything = JSON.stringify('],
    files: (worker = '', page = '') => ({
      'readme/agent.worker.ts': worker,
      'readme/open.ts': opener('agent.worker.ts'),
      'readme/sessions.ts': page,
    }),
    async play(stage) {
      const profile = await stage.newProfile();
      stage.serve({ [OPENAI]: model([game, say('Have fun.')]) });
      const before = await stage.visit('readme/open', profile);
      await before.evaluate(async () => {
        await window.page.run();
        const session = await (window.page.exports['open'] as Open)({ config: { apiKey: 'sk-snippets' } });
        await session.send('Write a 2048 game').result();
        await session.close();
      });
      const page = await stage.visit('readme/sessions', profile);
      await page.evaluate(() => window.page.run());
      const [[listed]] = (await page.evaluate(() => window.page.logged)) as [[{ name: string }[]]];
      expect(listed.map(({ name }) => name).toSorted()).toEqual(['a copy', 'default']);
      const left = await page.evaluate(() => window.page.library.sessions.list());
      expect(left.map(({ name }) => name)).toEqual(['default']);
    },
  },
];
