import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage, startChromium } from './chromium.js';
import type { Way } from './heap/main.js';
import { alive, devtoolsOfPage, devtoolsOfWorker, type Devtools } from './heap-snapshot.js';

/** Rounds before the first count: everything that is compiled, cached or created once then exists. */
const WARM_UP = 2;
const TIMES = 3;
/** What the browser retains of each worker's script, up to 250, and objects that vary while code warms up. */
const NOT_OURS =
  /^(native:(PerformanceResourceTiming$|blink::Heap|system \/ )|code:|object shape:|hidden:|array:|string:|number:|object:(Object|Array)$)/u;

let site: Awaited<ReturnType<typeof servePage>>;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  site = await servePage('heap');
  browser = await startChromium();
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(site.url);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** Waits for the time-outs of locks, which take three seconds. */
async function settled(devtools: Devtools): Promise<Map<string, number>> {
  let now = new Map<string, number>();
  await expect
    .poll(async () => (now = await alive(devtools)).get('native:AbortSignal') ?? 0, {
      interval: 500,
      timeout: 10_000,
    })
    .toBe(0);
  return now;
}

/** Opens and closes sessions in these ways. Returns the growth of each kind of object per round. */
async function left(devtools: Devtools, ways: readonly Way[]): Promise<Record<string, number>> {
  const repeat = async (times: number): Promise<void> => {
    for (const way of ways)
      await page.evaluate(([way, times]) => heap.repeat(way, times), [way, times] as const);
  };
  await repeat(WARM_UP);
  const before = await settled(devtools);
  await repeat(TIMES);
  const now = await settled(devtools);
  const more = [...now].map(([kind, count]) => [kind, (count - (before.get(kind) ?? 0)) / TIMES] as const);
  return Object.fromEntries(more.filter(([kind, each]) => each >= 1 && !NOT_OURS.test(kind)));
}

it('nothing of a session is left on the page, however it was closed', { tags: 'chromium' }, async () => {
  const devtools = devtoolsOfPage(await context.newCDPSession(page));
  const ways = ['closed', 'killed', 'restarted', 'fenced', 'viewed', 'stored'] as const;
  expect(await left(devtools, ways)).toEqual({});
});

it('nothing of a session is left in a worker that keeps running', { tags: 'chromium' }, async () => {
  const devtools = await devtoolsOfWorker(await context.newCDPSession(page));
  expect(await left(devtools, ['stored', 'storedFenced'])).toEqual({});
});
