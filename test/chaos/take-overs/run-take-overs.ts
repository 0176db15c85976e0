import type { BrowserContext, Page } from 'playwright';
import { servePage, startChromium } from '../../e2e/chromium.js';
import type { Found } from '../../e2e/take-overs/main.js';

export interface TakeOverFigures extends Found {
  /** In ms, from requesting the session to the first commit of the new owner, one per takeover. */
  took: number[];
  /** In ms, from the moment a page enters the back/forward cache until another worker has its session. */
  left: number[];
}

/** Takeovers of one session while all workers keep writing. Their commits are verified at intervals. */
const AT_ONCE = 200;
const WORKERS = 4;

/**
 * Workers take a session over from each other in a real Chromium; then pages leave one behind in the back/forward
 * cache.
 */
export async function runTakeOvers(plan: { takeOvers: number; cached: number }): Promise<TakeOverFigures> {
  const site = await servePage('take-overs');
  const browser = await startChromium({ backForwardCache: true });
  try {
    const context = await browser.newContext();
    const page = await openPage(context, site.url);
    const took: number[] = [];
    const sum: Found = { commits: 0, owners: 0, stale: 0, lost: 0, refusals: {}, files: 0 };
    while (took.length < plan.takeOvers) {
      const session = `robbed ${took.length}`;
      const times = Math.min(AT_ONCE, plan.takeOvers - took.length);
      const order = { session, workers: WORKERS, times };
      took.push(
        ...(await page.evaluate(
          ({ session, workers, times }) => window.takeOvers.rob(session, workers, times),
          order,
        )),
      );
      add(sum, await page.evaluate((name) => window.takeOvers.found(name), session));
    }
    const left: number[] = [];
    for (let time = 0; time < plan.cached; time++) left.push(await leave(context, page, site.url));
    return { ...sum, took, left };
  } finally {
    await browser.close();
    await site.close();
  }
}

function add(sum: Found, { refusals, files, ...counts }: Found): void {
  for (const key of ['commits', 'owners', 'stale', 'lost'] as const) sum[key] += counts[key];
  for (const [code, times] of Object.entries(refusals))
    sum.refusals[code] = (sum.refusals[code] ?? 0) + times;
  sum.files = Math.max(sum.files, files);
}

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => typeof window.takeOvers === 'object');
  return page;
}

/** A page holds a session and is left while a worker that is already running is in the queue for it. */
async function leave(context: BrowserContext, waiting: Page, url: string): Promise<number> {
  const page = await openPage(context, url);
  await page.evaluate(() => window.takeOvers.hold('left'));
  await waiting.evaluate(() => window.takeOvers.queue('left'));
  await page.goto(`${url}elsewhere.html`);
  const at = await waiting.evaluate(() => window.takeOvers.had());
  const left = await waiting.evaluate(() => window.takeOvers.left());
  await page.close();
  return at - left;
}

/** The value that this share does not exceed; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
