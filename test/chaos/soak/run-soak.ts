import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright';
import { servePage, startChromium } from '../../e2e/chromium.js';
import {
  devtoolsOfPage,
  devtoolsOfWorker,
  held,
  heapSize,
  type Devtools,
  type Held,
} from '../../e2e/heap-snapshot.js';
import type { Order } from '../../e2e/soak/main.js';
import { Dice } from '../simulation/dice.js';
import { MINUTE, MODEL_FAULTS, startSoakModel, untilNextFault } from './soak-model.js';

/**
 * Faults of three working pages. The first is never left or reloaded, so that its leaks add up; the third has all its
 * sessions in one worker for the same reason; the second is left and reloaded, and takes sessions over from the
 * others.
 */
const FAULTS = ['crash', 'hang', ...MODEL_FAULTS, 'fenced', 'away', 'reload'] as const;
type Fault = (typeof FAULTS)[number];

export interface SoakFigures {
  minutes: number;
  done: number;
  struck: Record<Fault, number>;
  interruptions: Record<string, number>;
  faults: string[];
  /** Values measured once a minute with no session open, the first after a minute of warm-up. */
  heaps: { page: HeapFigures; worker: HeapFigures };
}

interface HeapFigures {
  /** Megabytes after a forced collection. */
  megabytes: number[];
  /** Kinds of objects that grew from the first third to the end, the largest first. */
  more: string[];
}

/** In ms, after which the time-outs of locks have ended. */
const SETTLED = 4_000;
/** Code that V8 compiles while it warms up is not a leak and is not counted. */
const INTERPRETED = ['--js-flags=--no-opt --no-sparkplug --no-maglev'];
/** Kinds of reported values. */
const KINDS = 12;

/** Works continuously in a real Chromium, with a fault every five seconds on average. */
export async function runSoak(
  minutes: number,
  seed: number,
  tell: (line: string) => void,
): Promise<SoakFigures> {
  const dice = new Dice(seed);
  const model = await startSoakModel();
  const site = await servePage('soak');
  const browser = await startChromium({ backForwardCache: true, more: INTERPRETED });
  const struck = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const order: Order = { page: 'first', sharesWorker: false, ...model.order };
  try {
    const context = await browser.newContext();
    const page = await workingPage(context, site.url, order);
    const other = await OtherPage.open(await context.newPage(), site.url, { ...order, page: 'other' });
    const sharing = await workingPage(context, site.url, { ...order, page: 'sharing', sharesWorker: true });
    const heaps = {
      page: new Heap(devtoolsOfPage(await context.newCDPSession(page))),
      worker: new Heap(await devtoolsOfWorker(await context.newCDPSession(sharing))),
    };
    const measure = (): Promise<void> =>
      atRest([page, sharing], async () => {
        for (const heap of Object.values(heaps)) await heap.measure(minutes);
      });
    const from = performance.now();
    let measured = 0;
    while (performance.now() - from < minutes * MINUTE) {
      await untilNextFault(dice);
      const fault = dice.pick(FAULTS);
      struck[fault] += 1;
      if (fault === 'crash' || fault === 'hang') await page.evaluate((how) => soak.hurt(how), fault);
      else if (fault === 'fenced')
        await other.rob(await dice.pick([page, sharing]).evaluate(() => soak.session));
      else if (fault === 'reload') await other.reload();
      else if (fault === 'away') await other.leaveAndComeBack();
      else model.spoil(fault);
      if (performance.now() - from < (measured + 1) * MINUTE) continue;
      measured += 1;
      await measure();
      const pieces = await Promise.all([page, sharing].map((each) => each.evaluate(() => soak)));
      tell(
        `minute ${measured}: ${pieces.map(({ done }) => done).join(' and ')} done, ${pieces.flatMap(({ faults }) => faults).length} faults of ours, heap ${heaps.page.megabytes.at(-1)} MB, in the worker ${heaps.worker.megabytes.at(-1)} MB`,
      );
    }
    await Promise.all([page, sharing].map(stopped));
    await other.stop();
    for (const heap of Object.values(heaps)) await heap.end();
    const [first, last] = await Promise.all([page, sharing].map((each) => each.evaluate(() => soak)));
    if (first === undefined || last === undefined) throw new Error('a page is gone');
    return {
      minutes,
      done: first.done + last.done + other.done,
      struck,
      interruptions: sum(first.interruptions, last.interruptions),
      faults: [...first.faults, ...last.faults, ...other.faults],
      heaps,
    };
  } finally {
    await browser.close();
    await site.close();
    await model.close();
  }
}

/** The page that is left and reloaded during its work; its results are added up. */
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
    await this.page.evaluate(([order, name]) => soak.rob(order, name), taken).catch(() => undefined); // Its owner was faster.
  }

  async reload(): Promise<void> {
    await this.add();
    await this.page.reload();
    await this.work();
  }

  async leaveAndComeBack(): Promise<void> {
    await this.page.goto(`${this.url}elsewhere.html`);
    await this.page.goBack({ waitUntil: 'commit' }); // A restored page loads nothing.
    await this.page.waitForFunction(() => typeof window.soak === 'object');
    const restored = await this.page.evaluate(() => soak.working); // The browser may release it at any time.
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

async function workingPage(context: BrowserContext, url: string, order: Order): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate((given) => soak.work(given), order);
  return page;
}

/** Runs a function while these pages have no session open. */
async function atRest(pages: readonly Page[], act: () => Promise<void>): Promise<void> {
  await Promise.all(pages.map((page) => page.evaluate(() => soak.rest())));
  await sleep(SETTLED);
  await act();
  await Promise.all(pages.map((page) => page.evaluate(() => soak.goOn())));
}

/** Live memory of a page or a worker, minute by minute. */
class Heap implements HeapFigures {
  readonly megabytes: number[] = [];
  more: string[] = [];
  #early: Map<string, Held> | null = null;

  constructor(private readonly devtools: Devtools) {}

  /** Measured once per this many minutes. */
  async measure(minutes: number): Promise<void> {
    this.megabytes.push(await heapSize(this.devtools));
    if (this.megabytes.length >= minutes / 3) this.#early ??= await held(this.devtools);
  }

  async end(): Promise<void> {
    await sleep(SETTLED);
    const early = this.#early;
    if (early === null) return;
    this.more = [...(await held(this.devtools))]
      .map(([kind, { count, bytes }]) => {
        const before = early.get(kind) ?? { count: 0, bytes: 0 };
        return { kind, count: count - before.count, bytes: bytes - before.bytes };
      })
      .filter(({ bytes }) => bytes > 0)
      .sort((one, other) => other.bytes - one.bytes)
      .slice(0, KINDS)
      .map(({ kind, count, bytes }) => `${kind.slice(0, 80)} ${count} more, ${bytes} bytes`);
  }
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const both = { ...one };
  for (const [why, times] of Object.entries(other)) both[why] = (both[why] ?? 0) + times;
  return both;
}

/** Growth: the mean of the last third minus that of the first. */
export function growth(heap: readonly number[]): number {
  const third = Math.max(1, Math.floor(heap.length / 3));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(heap.slice(-third)) / mean(heap.slice(0, third));
}
