import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage, startChromium } from './chromium.js';
import type { Remains } from './files/main.js';

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('files');
  browser = await startChromium();
  page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => typeof window.killFiles === 'function');
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** 0 runs undisturbed. */
function run(point: number, moment: 'before' | 'after'): Promise<Remains> {
  return page.evaluate(([at, when]) => window.killFiles(at, when), [point, moment] as const);
}

describe('the worker is terminated at every commit while files are imported, changed, undone and redone', () => {
  it('and the files and their history always end the same', async () => {
    const { commits, ...expected } = await run(0, 'before');
    expect(expected.files).toEqual({
      '/in': '<directory>',
      '/in/a.txt': 'one\ntwo\nthree\nfour\n',
      '/in/deep': '<directory>',
      '/in/deep/b.txt': 'b\n',
      '/in/empty': '<directory>',
    });
    expect(expected.history.map(({ name, undone }) => `${name}${undone ? ' (undone)' : ''}`)).toEqual([
      'import',
      'Editor.replace_text (undone)',
      'Editor.write (undone)',
      'Editor.append_file',
      'undo (undone)',
      'undo',
      'undo',
    ]);
    expect(commits).toBeGreaterThan(8);
    for (let point = 1; point <= commits; point++) {
      for (const moment of ['before', 'after'] as const) {
        const { commits: _later, ...remains } = await run(point, moment);
        expect(remains, `killed ${moment} commit ${point} of ${commits}`).toEqual(expected);
      }
    }
  });
});

describe('a folder and a file of the disk, dropped on the page', { tags: 'chromium' }, () => {
  it.each([
    ['as handles', true],
    ['as entries, where a browser has no handles', false],
  ])('are imported with all their content, %s', async (_, handles) => {
    const disk = mkdtempSync(join(tmpdir(), 'drop-'));
    mkdirSync(join(disk, 'project/deep/empty'), { recursive: true });
    writeFileSync(join(disk, 'project/a.txt'), 'one');
    for (let i = 0; i < 120; i++) writeFileSync(join(disk, `project/deep/${i}.txt`), `${i}`); // Entries are read a hundred at a time.
    writeFileSync(join(disk, 'alone.md'), 'alone');
    const found = page.evaluate((with_) => window.nextDrop(with_), handles);
    await page.waitForFunction(() => document.title === 'drop now');
    const devtools = await page.context().newCDPSession(page);
    const data = { items: [], files: [join(disk, 'project'), join(disk, 'alone.md')], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x: 50, y: 50, data });
    const files = await found;
    rmSync(disk, { recursive: true });
    const numbered = Array.from({ length: 120 }, (__, i) => [`/in/project/deep/${i}.txt`, `${i}`]);
    expect(files).toEqual({
      '/in/alone.md': 'alone',
      '/in/project': '<directory>',
      '/in/project/a.txt': 'one',
      '/in/project/deep': '<directory>',
      '/in/project/deep/empty': '<directory>',
      ...Object.fromEntries(numbered),
    });
  });
});
