import { expect } from 'vitest';
import type { Session } from 'rolezero';
import { HOLD, model, say } from './model.js';
import type { Story } from './story.js';
import { OPENAI, workerWith } from './worker.js';

const HOW_TO = 'docs/how-to/';
const WORKER = workerWith("import { editor } from 'rolezero/tools';", '...editor()');

/** The start of a page whose session is with that worker. */
const connected = (name: string): string => `
  import { connect } from 'rolezero';
  const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
  export const session = await connect(worker, { session: '${name}' });
`;

type Exports = Record<string, (...args: unknown[]) => unknown> & { session: Session };

declare global {
  interface Window {
    /** What the page of a story has noted. */
    noted: unknown[];
  }
}

/** Stories of what a page does with a session. */
export const PAGE_STORIES: Story[] = [
  {
    title: 'requests that wait are shown, corrected, and withdrawn',
    documents: [HOW_TO],
    snippets: ['export const correct'],
    files: (waiting = '') => ({
      'waiting/agent.worker.ts': WORKER,
      'waiting/waiting.ts': waiting,
      'waiting/page.ts': `${connected('waiting')} export * from './waiting';`,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([HOLD]) });
      const page = await stage.visit('waiting/page');
      await page.evaluate(() => window.page.run());
      await page.evaluate(() => {
        const { follow, session } = window.page.exports as unknown as Exports;
        window.noted = [];
        follow?.(session, (texts: string[]) => window.noted.push(texts.join(', ')));
        session.send('Write a page');
      });
      await expect.poll(() => stage.requests(OPENAI).length, { timeout: 60_000 }).toBe(1);
      const noted = await page.evaluate(async () => {
        const { correct, session } = window.page.exports as unknown as Exports;
        const add = async (text: string): Promise<string> => {
          session.send(text);
          while (session.queued.at(-1)?.content !== text) await new Promise((done) => setTimeout(done, 10));
          return session.queued.at(-1)?.messageId ?? '';
        };
        const [blue, short] = [await add('Make it blue'), await add('Make it short')];
        await correct?.(session, blue, 'Make it red');
        await correct?.(session, short, '');
        while (session.queued.length > 1) await new Promise((done) => setTimeout(done, 10));
        return window.noted;
      });
      expect(noted[0]).toBe('');
      expect(noted).toContain('Make it blue, Make it short');
      expect(noted.at(-1)).toBe('Make it red');
    },
  },
  {
    title: 'the inspector is where the page puts it, with other words',
    documents: [HOW_TO],
    snippets: ['export function develop', 'export function place(', 'export function rename'],
    files: (develop = '', place = '', rename = '') => ({
      'inspected/agent.worker.ts': WORKER,
      'inspected/develop.ts': develop,
      'inspected/place.ts': place,
      'inspected/rename.ts': rename,
      'inspected/page.ts': `${connected('inspected')}
        export * from './develop';
        export * from './place';
        export * from './rename';
      `,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([say('Hello.')]) });
      const page = await stage.visit('inspected/page');
      await page.evaluate(() => window.page.run());
      await page.evaluate(async () => {
        const { place, rename, session } = window.page.exports as unknown as Exports;
        await session.send('Say hello').result();
        place?.(session, document.body);
        rename?.(document.querySelector('rolezero-inspector'));
      });
      await page.locator('rolezero-inspector').getByRole('tab', { name: 'Log' }).waitFor();
      await page.locator('rolezero-inspector').getByText('Say hello').first().waitFor();

      await page.evaluate(() => {
        const { develop, session } = window.page.exports as unknown as Exports;
        develop?.(session);
        history.replaceState(null, '', '?inspect');
        develop?.(session);
      });
      await expect.poll(() => page.locator('rolezero-inspector').count()).toBe(2);
    },
  },
  {
    title: 'the page shows formulas and pictures, and changes a file in its encoding',
    documents: [HOW_TO],
    snippets: [
      'const math: Renderers',
      'export async function showPicture',
      'export async function replaceText',
    ],
    files: (renderers = '', picture = '', replace = '') => ({
      'shown/agent.worker.ts': WORKER,
      'shown/renderers.ts': renderers,
      'shown/picture.ts': picture,
      'shown/replace.ts': replace,
      'shown/page.ts': `${connected('shown')}
        import 'rolezero/element';
        import './renderers';
        export * from './picture';
        export * from './replace';
        const chat = document.createElement('rolezero-chat');
        chat.session = session;
        document.body.append(chat);
      `,
    }),
    async play(stage) {
      stage.serve({ [OPENAI]: model([say('It is $E = mc^2$:\n\n```js\nlet a;\n```')]) });
      const page = await stage.visit('shown/page');
      await page.evaluate(() => window.page.run());
      const [width, bytes] = await page.evaluate(async () => {
        const { replaceText, session, showPicture } = window.page.exports as unknown as Exports;
        await session.send('Write about it').result();
        const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>';
        await session.files.write('/plot.svg', svg);
        const image = new Image();
        await showPicture?.(session, '/plot.svg', image);
        await image.decode();
        await session.files.write('/old.txt', new Uint8Array([0xff, 0xfe, 0x61, 0]));
        await replaceText?.(session, '/old.txt', 'é');
        return [image.naturalWidth, [...(await session.files.readBytes('/old.txt'))]];
      });
      expect(width).toBe(20);
      expect(bytes).toEqual([0xff, 0xfe, 0xe9, 0]);
      await page.locator('rolezero-chat math').first().waitFor();
      expect(await page.locator('rolezero-chat .tok-keyword').first().textContent()).toBe('let');
    },
  },
];
