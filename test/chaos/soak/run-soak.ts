import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { servePage, startChromium } from '../../e2e/chromium.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from '../../e2e/main-job.js';
import type { Order } from '../../e2e/soak/main.js';
import { startFaultServer } from '../../fault-server/fault-server.js';
import { drop, refusal, reset, wait, type Reply } from '../../fault-server/replies.js';
import { Dice } from '../simulation/dice.js';

/** What can happen to a page at work; it is never loaded anew, so that what it forgets to let go of adds up. */
const FAULTS = ['crash', 'hang', 'cut', 'reset', 'refused', 'robbed', 'away'] as const;
type Fault = (typeof FAULTS)[number];

export interface SoakFigures {
  minutes: number;
  done: number;
  struck: Record<Fault, number>;
  interruptions: Record<string, number>;
  faults: string[];
  /** Megabytes after a forced collection, once a minute, the first after a minute of warming up. */
  heap: number[];
}

/** Milliseconds between two faults, on average. */
const BETWEEN = 5_000;
/** Milliseconds of a model's reply, so that faults find somebody at work. */
const THINKING = 150;
const MINUTE = 60_000;

/** Work without end in a real Chromium, with a fault every five seconds on average. */
export async function runSoak(
  minutes: number,
  seed: number,
  tell: (line: string) => void,
): Promise<SoakFigures> {
  const dice = new Dice(seed);
  const server = await startFaultServer();
  const site = await servePage('soak');
  const browser = await startChromium({ backForwardCache: true });
  const struck = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  let next: ((whole: Reply) => Reply) | null = null;
  server.script(
    [
      (request) => {
        const [streaming, ...said] = mainJobReply(request);
        const whole = [streaming, wait(THINKING), ...said].filter((step) => step !== undefined);
        const reply = next === null ? whole : next(whole);
        next = null;
        return reply;
      },
    ],
    'repeat',
  );
  const order: Order = { baseURL: server.url, request: MAIN_JOB_REQUEST, files: MAIN_JOB_FILES };
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const thief = await context.newPage();
    for (const each of [page, thief]) await each.goto(site.url);
    const devtools = await context.newCDPSession(page);
    const heap: number[] = [];
    const from = performance.now();
    await page.evaluate((given) => soak.work(given), order);
    let measured = 0;
    while (performance.now() - from < minutes * MINUTE) {
      await sleep(-Math.log(1 - dice.below(1_000) / 1_000) * BETWEEN);
      const fault = dice.pick(FAULTS);
      struck[fault] += 1;
      if (fault === 'crash' || fault === 'hang') await page.evaluate((how) => soak.hurt(how), fault);
      else if (fault === 'cut') next = (whole) => [...whole.slice(0, 3), drop];
      else if (fault === 'reset') next = (whole) => [...whole.slice(0, 3), reset];
      else if (fault === 'refused') next = () => refusal(503, 'The model is overloaded: simulated.');
      else if (fault === 'robbed') await rob(thief, page, order);
      else await leaveAndComeBack(page, site.url);
      if (performance.now() - from < (measured + 1) * MINUTE) continue;
      measured += 1;
      heap.push(await heapOf(devtools));
      const { done, faults } = await page.evaluate(() => soak);
      tell(`minute ${measured}: ${done} done, ${faults.length} faults of ours, heap ${heap.at(-1)} MB`);
    }
    await page.evaluate(() => soak.stop());
    await page.waitForFunction(() => !soak.working, undefined, { timeout: 5 * MINUTE });
    heap.push(await heapOf(devtools));
    const { done, interruptions, faults } = await page.evaluate(() => soak);
    return { minutes, done, struck, interruptions, faults, heap };
  } finally {
    await browser.close();
    await site.close();
    await server.close();
  }
}

async function rob(thief: Page, page: Page, order: Order): Promise<void> {
  const session = await page.evaluate(() => soak.session);
  await thief
    .evaluate(([given, name]) => soak.rob(given, name), [order, session] as const)
    .catch(() => undefined); // its owner was faster and took it back
}

async function leaveAndComeBack(page: Page, url: string): Promise<void> {
  await page.goto(`${url}elsewhere.html`);
  await page.goBack({ waitUntil: 'commit' }); // a restored page loads nothing
  const working = await page.evaluate(() => window.soak?.working ?? false);
  if (!working) throw new Error('The page was loaded anew instead of restored: its heap tells nothing.');
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 1e4) / 100;
}

/** How much more is held late than early: the mean of the last third over that of the first. */
export function growth(heap: readonly number[]): number {
  const third = Math.max(1, Math.floor(heap.length / 3));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(heap.slice(-third)) / mean(heap.slice(0, third));
}
