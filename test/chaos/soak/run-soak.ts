import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { servePage, startChromium } from '../../e2e/chromium.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from '../../e2e/main-job.js';
import type { Order } from '../../e2e/soak/main.js';
import { startFaultServer } from '../../fault-server/fault-server.js';
import { drop, refusal, reset, wait, type Reply } from '../../fault-server/replies.js';
import { Dice } from '../simulation/dice.js';

/**
 * What can happen to two pages at work. One of them is never left nor loaded anew, so that what it forgets to let go of adds up; the other
 * is, and robs the first one of its session.
 */
const FAULTS = ['crash', 'hang', 'cut', 'reset', 'refused', 'robbed', 'away', 'reload'] as const;
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
  const order: Order = {
    page: 'first',
    baseURL: server.url,
    request: MAIN_JOB_REQUEST,
    files: MAIN_JOB_FILES,
  };
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const other = await OtherPage.open(await context.newPage(), site.url, { ...order, page: 'other' });
    await page.goto(site.url);
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
      else if (fault === 'robbed') await other.rob(await page.evaluate(() => soak.session));
      else if (fault === 'reload') await other.reload();
      else await other.leaveAndComeBack();
      if (performance.now() - from < (measured + 1) * MINUTE) continue;
      measured += 1;
      heap.push(await heapOf(devtools));
      const { done, faults } = await page.evaluate(() => soak);
      tell(`minute ${measured}: ${done} done, ${faults.length} faults of ours, heap ${heap.at(-1)} MB`);
    }
    await stopped(page);
    await other.stop();
    heap.push(await heapOf(devtools));
    const { done, interruptions, faults } = await page.evaluate(() => soak);
    const all = [...faults, ...other.faults];
    return { minutes, done: done + other.done, struck, interruptions, faults: all, heap };
  } finally {
    await browser.close();
    await site.close();
    await server.close();
  }
}

/** The page that is left and loaded anew in the middle of its work; what it had come to is added up. */
class OtherPage {
  done = 0;
  readonly faults: string[] = [];

  private constructor(
    private readonly page: Page,
    private readonly url: string,
    private readonly order: Order,
  ) {}

  static async open(page: Page, url: string, order: Order): Promise<OtherPage> {
    const other = new OtherPage(page, url, order);
    await page.goto(url);
    await other.work();
    return other;
  }

  async rob(session: string): Promise<void> {
    const taken = [this.order, session] as const;
    await this.page.evaluate(([order, name]) => soak.rob(order, name), taken).catch(() => undefined); // its owner was faster
  }

  async reload(): Promise<void> {
    await this.add();
    await this.page.reload();
    await this.work();
  }

  async leaveAndComeBack(): Promise<void> {
    await this.page.goto(`${this.url}elsewhere.html`);
    await this.page.goBack({ waitUntil: 'commit' }); // a restored page loads nothing
    await this.page.waitForFunction(() => typeof window.soak === 'object');
    const restored = await this.page.evaluate(() => soak.working); // the browser may let go of it at any time
    if (!restored) await this.work();
  }

  async stop(): Promise<void> {
    await stopped(this.page);
    await this.add();
  }

  private work(): Promise<void> {
    return this.page.evaluate((order) => soak.work(order), this.order);
  }

  private async add(): Promise<void> {
    const { done, faults } = await this.page.evaluate(() => soak);
    this.done += done;
    this.faults.push(...faults);
  }
}

async function stopped(page: Page): Promise<void> {
  await page.evaluate(() => soak.stop());
  await page.waitForFunction(() => !soak.working, undefined, { timeout: 5 * MINUTE });
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
