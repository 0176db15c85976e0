import type { BrowserContext, Page } from 'playwright';
import { servePage } from '../../e2e/chromium.js';
import { KillableBrowser, LEVELDB } from '../../e2e/killable-browser.js';
import { tearLogs } from '../../e2e/tear-log.js';

export interface TornLogFigures {
  /** Starts of a page with a truncated log. */
  starts: number;
  /** Starts after which everything still existed, including data written after the truncation. */
  repaired: number;
  controls: number;
  /**
   * Starts without repair in which the browser discarded the databases at the second start: proof that the log was
   * damaged.
   */
  wiped: number;
  /** In ms, the duration of each repair. */
  took: number[];
}

/** Not needed: no run is started here. */
const NO_MODEL = 'http://127.0.0.1:9';
/** Origins in one profile. Each has its own LevelDB, and one kill truncates all. */
const ORIGINS = 10;
/** Starts of the browser with one profile; then a new one is created. */
const ROUNDS = 10;

/** Kills browsers, truncates their logs and restarts them: with the repair of `connect`, and without. */
export async function runTornLogs(plan: {
  starts: number;
  controls: number;
  tell(line: string): void;
}): Promise<TornLogFigures> {
  const figures: TornLogFigures = { starts: 0, repaired: 0, controls: 0, wiped: 0, took: [] };
  const site = await servePage('torn-log');
  const origins = (count: number): string[] =>
    Array.from({ length: Math.min(ORIGINS, count) }, (_, number) =>
      site.url.replace('127.0.0.1', `origin-${number}.localhost`),
    );
  try {
    while (figures.controls < plan.controls) {
      const urls = origins(plan.controls - figures.controls);
      await onProfile((browser) => control(browser, urls, figures));
    }
    while (figures.starts < plan.starts) {
      const left = plan.starts - figures.starts;
      const urls = origins(left);
      const rounds = Math.min(ROUNDS, Math.ceil(left / urls.length));
      await onProfile((browser) => repairLogs(browser, urls, rounds, figures, plan.tell));
    }
    return figures;
  } finally {
    await site.close();
  }
}

async function onProfile(work: (browser: KillableBrowser) => Promise<void>): Promise<void> {
  const browser = await KillableBrowser.make(undefined, LEVELDB);
  try {
    await work(browser);
  } finally {
    await browser.remove();
  }
}

/** Without repair, the start with a truncated log finds everything, and the next one nothing. */
async function control(browser: KillableBrowser, urls: string[], figures: TornLogFigures): Promise<void> {
  for (let round = 0; round <= 2; round++) {
    const context = await browser.start();
    for (const url of urls) {
      const page = await visit(context, url);
      await page.evaluate(() => window.tornLog.doNotRepair());
      const { unguarded } = await page.evaluate((url) => window.tornLog.open(url), NO_MODEL);
      if (round === 2) figures.controls += 1;
      if (round === 2 && unguarded === 0) figures.wiped += 1;
      await page.evaluate((path) => window.tornLog.write(path), `/${round}.txt`);
    }
    await browser.kill();
    if (round === 0) await tearLogs(browser.profile);
  }
}

/**
 * Each round starts with the logs truncated after the previous one; the next round shows which of them were repaired.
 */
async function repairLogs(
  browser: KillableBrowser,
  urls: string[],
  rounds: number,
  figures: TornLogFigures,
  tell: (line: string) => void,
): Promise<void> {
  const left = new Map<string, number>(); // Records left by the previous start: a loss counts once.
  for (let round = 0; round <= rounds + 1; round++) {
    const context = await browser.start();
    for (const url of urls) {
      const page = await visit(context, url);
      const found = await page.evaluate((url) => window.tornLog.open(url), NO_MODEL);
      const { unguarded, files, warnings } = found;
      if (round > 1) {
        const isWhole =
          unguarded === left.get(url) && Object.keys(files).length === round && warnings.length === 0;
        figures.starts += 1;
        if (isWhole) figures.repaired += 1;
        else
          tell(
            `truncated log ${figures.starts}: ${unguarded} records of ${left.get(url)}; ${warnings.join()}`,
          );
      }
      await page.waitForFunction(() => window.tornLog.repaired.length === 3);
      if (round > 0 && round <= rounds)
        figures.took.push(
          await page.evaluate(() =>
            window.tornLog.repaired.reduce((sum, milliseconds) => sum + milliseconds),
          ),
        );
      await page.evaluate((path) => window.tornLog.write(path), `/${round}.txt`);
      left.set(url, unguarded + 1);
      await page.goto('about:blank'); // One page at a time.
    }
    await browser.kill();
    if (round < rounds) await tearLogs(browser.profile);
    if (round > 1) tell(`truncated logs: ${figures.repaired} of ${figures.starts} repaired so far`);
  }
}

async function visit(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => typeof window.tornLog === 'object');
  return page;
}
