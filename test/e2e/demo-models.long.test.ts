import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '../tiny-model/server.js';
import { useServedDemo } from './demo/served-demo.js';
import { startVisit, type Visit } from './demo/visit.js';
import { ask, confirmDeletion, openPart } from './demo/visitor.js';
import { putLanguageModel, type StandIn } from './demo/stand-in-language-model.js';

const REQUEST = 'Write a page that says hello';
const PAGE = '<!doctype html>\n<p>hello</p>\n';

/** A reply of the stand-in for the browser's own model: JSON, as its schema requires. */
const standIn: StandIn = {
  availability: 'available',
  contextWindow: 16_384,
  steps: [
    { command_name: 'Editor.write', args: { path: '/hello.html', content: PAGE } },
    { command_name: 'end', args: {} },
  ].map((command) => JSON.stringify({ thought: 'I write it.', category: 'TASK', commands: [command] })),
  words: 'The page says hello.',
};

const demo = useServedDemo();
let files: ModelServer;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  files = await startModelServer();
});
afterAll(() => files.close());
beforeEach(async () => {
  // The usual ports never answer, whatever runs on this machine, and no request leaves it.
  const isForeign = ({ hostname, port }: URL) =>
    hostname !== '127.0.0.1' || ['11434', '1234', '8080'].includes(port);
  visit = await startVisit(demo.browser, { isForeign });
  ({ page } = visit);
});
afterEach(() => visit.end());

const announced = () => page.locator('p.sr[aria-live="polite"]');
const finished = () => page.locator('[data-entry="finished"]').waitFor();
const connected = (name: string) => page.locator('button.model.connected', { hasText: name }).waitFor();

/** Returns whether a user sees it without scrolling. Runs in the page. */
function isInView(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

describe('the demo finds a model', () => {
  it('uses the browser’s own (a stand-in of this test), says why, and works with it', async () => {
    await visit.context.addInitScript(putLanguageModel, standIn);
    await page.goto(demo.url);
    await ask(page, REQUEST);
    const notice = page.locator('[data-entry="picked"]');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch(
      /The browser’s built-in model was selected for this machine\.\s+The browser has a built-in language model/,
    );
    await finished();
    expect(await page.locator('[data-entry="finished"]').textContent()).toContain(standIn.words);
    await openPart(page, 'files');
    await page.locator('[data-file="/hello.html"]').waitFor();

    await page.reload();
    await finished();
    await connected('The browser’s built-in model');
    await ask(page, 'And now another one');
    await expect.poll(() => page.locator('[data-entry="finished"]').count()).toBe(2);
    expect(await notice.count()).toBe(0); // It is connected by now.
  });

  it('does not use it where it must be downloaded first: it asks, then shows the progress', async () => {
    await visit.context.addInitScript(putLanguageModel, {
      ...standIn,
      availability: 'downloadable',
    } satisfies StandIn);
    await page.goto(demo.url);
    await ask(page, REQUEST);
    const way = page.locator('[data-way="chrome"]');
    await way.waitFor();
    expect(await page.getByLabel('Your request').inputValue()).toBe(REQUEST);
    expect(await way.textContent()).toContain('it does not report the exact size');
    await way.getByRole('button', { name: 'Download' }).click();
    await connected('The browser’s built-in model');
    await finished(); // The request that waited was sent.
  });

  it('uses a server on this machine at its usual port (started by this test)', async () => {
    const answers: Record<string, unknown> = {
      '/v1/models': { object: 'list', data: [{ id: 'qwen3:8b' }] },
      '/api/ps': { models: [{ model: 'qwen3:8b', context_length: 16_384 }] },
    };
    await visit.context.route('http://localhost:11434/**', (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({
        status: pathname in answers ? 200 : 404,
        json: answers[pathname] ?? {},
        headers: { 'access-control-allow-origin': '*' },
      });
    });
    await page.goto(demo.url);
    await ask(page, REQUEST);
    const notice = page.locator('[data-entry="picked"]');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch(
      /qwen3:8b was selected for this machine\.\s+Ollama runs on this machine, at http:\/\/localhost:11434\/v1/,
    );
    await connected('qwen3:8b');
    const stored = await page.evaluate(() => localStorage.getItem('rolezero-demo:settings'));
    expect(JSON.parse(stored ?? '')).toMatchObject({ contextWindow: 16_384 }); // as Ollama reports it
    expect(await announced().textContent()).toContain('qwen3:8b was selected');
  });

  it('without any of them says why, and downloads nothing without consent: the processor, a tour', async () => {
    await page.goto(demo.url);
    await ask(page, REQUEST);
    const way = page.locator('[data-way="wllama"]');
    await way.waitFor();
    await expect // Not below the visible area.
      .poll(() => way.getByRole('button', { name: 'Download' }).evaluate(isInView))
      .toBe(true);
    expect(((await way.textContent()) ?? '').replace(/\s+/g, ' ')).toMatch(
      /Qwen2\.5 1\.5B Processor · very slow, .* · for simple pages, .*about 1\.12 GB from huggingface\.co/,
    );
    expect(await page.locator('[data-free]').textContent()).toMatch(/[\d.]+ [MG]B free for this site\./);
    await page.getByText('Not available here').click();
    expect(await page.locator('dialog[open]').textContent()).toMatch(/WebGPU: .*built-in model: /s);
    expect(await announced().textContent()).toContain('No model is connected yet.');
    expect(await page.locator('main [data-entry]').count()).toBe(0);
    expect(await page.getByLabel('Your request').inputValue()).toBe(REQUEST);
    await page.getByRole('button', { name: 'Watch a tour instead' }).click();
    await page.getByText('Recording: no model is running.').first().waitFor();
  });
});

describe('a model on the processor', () => {
  /**
   * Opens the consent dialog for a file of the tiny model's server, of which only the size has been requested by
   * then.
   */
  async function lookAt(url: string): Promise<void> {
    await page.locator('button.model').click();
    await page.getByText('Your own GGUF file').click();
    await page.getByLabel('URL of the file').fill(url);
    await page.getByLabel('Window size, tokens').fill('32768');
    await page.getByRole('button', { name: 'Check the file' }).click();
  }
  const way = (name: string) => page.locator(`[data-model="${name}"]`);
  /** A reply arrived and was parsed. A random reply may be empty and run no command, so the page may show nothing. */
  const stepped = () =>
    page.locator('[data-entry="step"]').first().waitFor({ state: 'attached', timeout: 180_000 });

  it('is downloaded after consent to size and source, answers, and then works without a network', async () => {
    const site = `${files.origin}/${randomUUID()}`; // Nothing of it was requested before, nor in a second attempt.
    const asked = async () => (await fetch(`${site}/-/requests`)).json() as Promise<string[]>;
    await page.goto(demo.url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await lookAt(`${site}/long.gguf`);
    await way('long')
      .getByText(/Downloads [\d.]+ MB from 127\.0\.0\.1:\d+, once\./)
      .waitFor();
    expect(await asked()).toEqual(['long.gguf']); // Its size.
    await way('long').getByRole('button', { name: 'Download' }).click();
    await connected('long');
    expect((await asked()).length).toBeGreaterThan(1); // The click has downloaded it, not the next request.
    expect(await page.locator('button.model').getAttribute('data-link')).toBe('ok'); // It was loaded once.

    // The real engine runs the tiny model, which writes at random within the grammar of the commands.
    await ask(page, REQUEST);
    await stepped();
    await page.keyboard.press('Escape');

    await fetch(`${site}/-/offline`, { method: 'POST' });
    await visit.context.setOffline(true);
    await page.goto(demo.url);
    await connected('long');
    await ask(page, REQUEST);
    await stepped();
    await page.keyboard.press('Escape');
    await visit.context.setOffline(false);

    // It is listed with its size, needs no download, and can be deleted.
    await page.locator('button.model').click();
    await way('long').getByText('Downloaded').waitFor();
    const stored = page.locator('[data-stored="long"]');
    expect(await stored.textContent()).toMatch(/long\s[^]*[\d.]+ MB/);
    await stored.getByRole('button', { name: 'Delete long' }).click();
    await confirmDeletion(page, 'Delete model');
    await stored.waitFor({ state: 'detached' });
    expect(await way('long').count()).toBe(0);
  });

  it('that cannot be loaded is named, with a solution', async () => {
    await page.goto(demo.url);
    await lookAt(`${files.origin}/mine/no-such.gguf`);
    await way('no-such').getByText('The server does not report its size').waitFor();
    await way('no-such').getByRole('button', { name: 'Download' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await page.locator('button.model.connected').count()).toBe(0);
    expect(await alert.textContent()).toMatch(
      /download failed[^]*choose another model[^]*no-such could not be (down)?loaded[^]*model-load/,
    );
  });
});
