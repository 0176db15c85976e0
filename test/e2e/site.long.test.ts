/** @module-tag nightly */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { commands } from 'rolezero/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECTIONS, sitePath } from '../../docs/.vitepress/pages.js';
import { plots } from '../../docs/.vitepress/plots.js';
import { buildSite } from '../../scripts/docs.js';
import { publicEntries } from '../../scripts/public-entries.mjs';
import { startFaultServer } from '../fault-server/fault-server.js';
import { reply } from '../fault-server/replies.js';
import { serveFolder, type Site } from '../package/static-server.js';
import { startChromium } from './chromium.js';
import { seriousIssues } from './demo/serious-issues.js';

const folder = mkdtempSync(join(tmpdir(), 'rolezero-site-'));
/** Pages that are open at the same time. */
const TABS = 4;

let site: Site;
let browser: Browser;

beforeAll(async () => {
  expect(await buildSite(['--outDir', folder, '--logLevel', 'error'])).toBe(0);
  [site, browser] = await Promise.all([serveFolder(folder), startChromium()]);
}, 600_000);

afterAll(async () => {
  await browser.close();
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Paths of all HTML files of the site. */
function htmlFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .map((path) => path.split(sep).join('/'));
}

/** Reports what a page must not do: requests to another host, failed requests, errors. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site.origin) && !/^(?:data|blob):/.test(url)) problems.push(`requests ${url}`);
  });
  page.on('response', (response) => {
    if (!response.ok()) problems.push(`${response.status()} ${response.url()}`);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  return problems;
}

/** Opens a page and waits until its scripts run and its diagrams are drawn. */
async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(`${site.origin}/${path}`);
  await page.waitForFunction(() => {
    const app = document.querySelector('#app');
    return app !== null && '__vue_app__' in app && document.querySelector('pre.diagram') === null;
  });
}

async function withPage<Result>(
  options: Parameters<Browser['newContext']>[0],
  use: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    return await use(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

describe('the documentation site', () => {
  it('has a page for each document and each entry point, and no other', () => {
    const documents = SECTIONS.flatMap(({ pages }) => pages.map(({ source }) => sitePath(source)));
    const reference = ['index', ...publicEntries().keys()].map((name) => `reference/${name}.md`);
    const expected = [...documents, ...reference].map((path) => path?.replace(/md$/, 'html'));
    expect(htmlFiles().toSorted()).toEqual(['404.html', ...expected].toSorted());
  });

  it('opens every page without an error and without a request to another host', async () => {
    const waiting = htmlFiles();
    const openAll = async (page: Page) => {
      const problems = watch(page);
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        await openPage(page, path);
        expect([path, problems]).toEqual([path, []]);
      }
    };
    await Promise.all(Array.from({ length: TABS }, () => withPage({}, openAll)));
  });

  it('names no file of another host in its pages and styles', () => {
    const loaded =
      /<(?!a )[a-z]+ [^>]*?(?:src|srcset|href)="(?:https?:)?\/\/[^"]+"|url\(["']?(?:https?:)?\/\/[^)]+/g;
    const foreign = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:html|css)$/.test(path))
      .flatMap((path) => readFileSync(join(folder, path), 'utf8').match(loaded) ?? []);
    expect(foreign).toEqual([]);
  });

  it('has links that lead to a page and a place in it', () => {
    const anchors = new Map<string, Set<string>>();
    const links: [from: string, href: string][] = [];
    for (const path of htmlFiles()) {
      const html = readFileSync(join(folder, path), 'utf8');
      anchors.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) links.push([path, href]);
    }
    const broken = links.filter(([from, href]) => {
      const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site/${from}`);
      if (origin !== 'http://site') return false;
      const path = pathname.slice(1).replace(/^$|(?<=\/)$/, 'index.html');
      const known = anchors.get(path.endsWith('.html') ? path : `${path}.html`);
      return known === undefined || (hash !== '' && !known.has(decodeURIComponent(hash.slice(1))));
    });
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(1_000);
  });

  it.each(['light', 'dark'] as const)(
    'has no serious problem of accessibility in %s mode',
    async (colorScheme) => {
      await withPage({ colorScheme }, async (page) => {
        for (const name of [
          'index',
          'guide',
          'models',
          'errors',
          'live',
          'benchmarks',
          'architecture',
          'reference/rolezero/keys',
          '404',
        ]) {
          await openPage(page, `${name}.html`);
          expect([name, await seriousIssues(page)]).toEqual([name, []]);
        }
      });
    },
  );

  it('finds a word with the search', async () => {
    await withPage({}, async (page) => {
      const problems = watch(page);
      await openPage(page, 'guide.html');
      await page.keyboard.press('Control+k');
      await page.locator('.VPLocalSearchBox input').fill('session-fenced');
      await page.locator('.result[href$="/errors.html#session-fenced"]').click();
      await page.locator('#session-fenced').waitFor();
      expect(new URL(page.url()).hash).toBe('#session-fenced');
      expect(problems).toEqual([]);
    });
  });

  it.each([
    ['next.js', '/start.html#next'],
    ['ollama cors', '/models.html#services-and-servers'],
    ['claude', '/models.html'],
    ['approval', '/how-to/approvals.html'],
    ['api key', '/how-to/keys.html'],
    ['preview', '/start.html#show-what-was-built'],
  ])('finds guides before the reference: %s', async (words, address) => {
    await withPage({}, async (page) => {
      await openPage(page, 'guide.html');
      await page.keyboard.press('Control+k');
      await page.locator('.VPLocalSearchBox input').fill(words);
      await page.locator('.result').first().waitFor();
      const found = await page
        .locator('.result')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
      expect(found.slice(0, 5).filter((href) => href.startsWith(address))).not.toEqual([]);
      expect(found.slice(0, 3).filter((href) => href.startsWith('/reference/'))).toEqual([]);
    });
  });

  it('finds a name in the reference', async () => {
    await withPage({}, async (page) => {
      await openPage(page, 'guide.html');
      await page.keyboard.press('Control+k');
      await page.locator('.VPLocalSearchBox input').fill('toChatMessages');
      await page.locator('.result[href^="/reference/"]').first().waitFor();
    });
  });

  it('draws the figures of the benchmarks', async () => {
    await withPage({}, async (page) => {
      await openPage(page, 'benchmarks.html');
      for (const { title, figures } of Object.values(plots())) {
        const plot = page.locator('figure.plot', { hasText: title });
        await plot
          .locator('svg circle')
          .nth(figures.length - 1)
          .waitFor();
        const ours = figures.find(({ series }) => series.startsWith('rolezero'));
        if (ours !== undefined) await plot.getByText(ours.library, { exact: true }).waitFor();
      }
    });
  });

  it('runs the live examples, which a reload does not lose', async () => {
    await withPage({}, async (page) => {
      const problems = watch(page);
      const chat = page.locator('rolezero-chat');
      const preview = page.frameLocator('iframe');
      const run = page.getByRole('button', { name: 'Run' });
      await openPage(page, 'live.html');
      await run.click();
      await chat.getByText('The preview shows it.').waitFor();
      await preview.getByRole('button', { name: 'Clicked 0 times' }).click();
      await preview.getByRole('button', { name: 'Clicked 1 times' }).waitFor();

      await page.reload();
      await run.click();
      await chat.getByText('The preview shows it.').waitFor();
      expect(await chat.locator('[part~=request]').count()).toBe(1);

      await page.getByRole('combobox').selectOption('Ask the user');
      await run.click();
      await chat.getByRole('button', { name: 'French' }).click();
      await chat.getByText('this recording wrote all three').waitFor();
      await page.getByRole('button', { name: 'Delete the session' }).click();
      await page.getByText('Deleted.').waitFor();

      await page.getByRole('combobox').selectOption('Correct a mistake');
      await run.click();
      await chat.getByText('the second one worked').waitFor();
      expect(problems).toEqual([]);
    });
  });

  it('runs an example with the endpoint of the reader', async () => {
    const server = await startFaultServer();
    server.script(
      [reply(commands(['RoleZero.reply_to_human', { content: 'From the server.' }], ['end', {}]))],
      'repeat',
    );
    try {
      await withPage({}, async (page) => {
        await openPage(page, 'live.html');
        await page.getByRole('radio', { name: 'Your endpoint' }).check();
        await page.getByLabel('Base URL').fill(`${server.origin}/v1`);
        await page.getByRole('textbox', { name: 'Model' }).fill('scripted');
        await page.getByRole('button', { name: 'Run' }).click();
        await page.locator('rolezero-chat').getByText('From the server.').waitFor();
      });
    } finally {
      await server.close();
    }
  });

  it('leads from an address that does not exist to the start page', async () => {
    await withPage({}, async (page) => {
      expect((await page.goto(`${site.origin}/no/such-page.html`))?.status()).toBe(404);
      await page.locator('.NotFound a').click();
      await page.getByRole('heading', { name: 'rolezero' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
    });
  });

  it('lists its pages for language models', () => {
    const overview = readFileSync(join(folder, 'llms.txt'), 'utf8');
    const full = readFileSync(join(folder, 'llms-full.txt'), 'utf8');
    const listed = [...overview.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(listed).toHaveLength(2 + SECTIONS.flatMap(({ pages }) => pages).length);
    for (const path of listed) expect(readFileSync(join(folder, path), 'utf8')).not.toBe('');
    for (const heading of ['# rolezero', '# How-to', '# Errors and warnings', '# Changelog'])
      expect(full).toContain(`${heading}\n`);
    expect(full).toContain('](./start.md#build-tools)');
  });
});
