import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { servePage } from '../../e2e/chromium.js';
import type {} from '../../e2e/soak/main.js';
import type { Engine, EngineBrowser, Tab } from '../../engines/engine-browser.js';
import { startEngine } from '../../engines/engines.js';
import { Dice } from '../simulation/dice.js';
import { MINUTE, MODEL_FAULTS, startSoakModel, untilNextFault } from './soak-model.js';

/** Faults of two working pages. The first is never reloaded, so that its leaks add up; the second takes its sessions over. */
const FAULTS = ['crash', 'hang', ...MODEL_FAULTS, 'fenced', 'reload'] as const;
type Fault = (typeof FAULTS)[number];

/** Results of a soak in an engine without a way to read the heap. */
export interface EngineSoakFigures {
  version: string;
  done: number;
  struck: Record<Fault, number>;
  interruptions: Record<string, number>;
  faults: string[];
  /** Resident memory of all processes of the browser, once a minute with no session open. */
  megabytes: number[];
}

/** In ms, after which locks have timed out and most garbage is collected. */
const SETTLED = 6_000;

/** Works continuously in Firefox or WebKitGTK, with a fault every five seconds on average. */
export async function runEngineSoak(
  engine: Engine,
  minutes: number,
  seed: number,
  tell: (line: string) => void,
): Promise<EngineSoakFigures> {
  const dice = new Dice(seed);
  const [model, site, browser] = await Promise.all([
    startSoakModel(),
    servePage('soak'),
    startEngine(engine),
  ]);
  try {
    const first = await browser.open(site.url);
    const other = await browser.open(site.url);
    const work = (tab: Tab, page: string): Promise<void> =>
      tab.evaluate((order) => soak.work(order), { page, sharesWorker: false, ...model.order });
    await work(first, 'first');
    await work(other, 'other');
    const figures: EngineSoakFigures = {
      version: browser.version,
      done: 0,
      struck: Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>,
      interruptions: {},
      faults: [],
      megabytes: [],
    };
    const from = performance.now();
    while (performance.now() - from < minutes * MINUTE) {
      await untilNextFault(dice);
      const fault = dice.pick(FAULTS);
      figures.struck[fault] += 1;
      if (fault === 'crash' || fault === 'hang') await first.evaluate((how) => soak.hurt(how), fault);
      else if (fault === 'fenced')
        await rob(first, other, { page: 'other', sharesWorker: false, ...model.order });
      else if (fault === 'reload') {
        await add(figures, other);
        await other.reload();
        await work(other, 'other');
      } else model.spoil(fault);
      if (performance.now() - from < (figures.megabytes.length + 1) * MINUTE) continue;
      figures.megabytes.push(await memoryAtRest(browser, [first, other]));
      const { done, faults } = await first.evaluate(() => ({ done: soak.done, faults: soak.faults.length }));
      tell(
        `minute ${figures.megabytes.length}: ${done} done, ${faults} faults of ours, ${figures.megabytes.at(-1)} MB`,
      );
    }
    for (const tab of [first, other]) {
      await tab.evaluate(() => soak.stop());
      await until(tab, () => !soak.working);
      await add(figures, tab);
    }
    return figures;
  } finally {
    await browser.remove();
    await Promise.all([site.close(), model.close()]);
  }
}

async function rob(owner: Tab, thief: Tab, order: Parameters<Window['soak']['rob']>[0]): Promise<void> {
  const session = await owner.evaluate(() => soak.session);
  const taken = { order, session };
  // Its owner may be faster.
  await thief.evaluate(({ order, session }) => soak.rob(order, session).catch(() => undefined), taken);
}

/** Adds the results of a page, before it is left. */
async function add(figures: EngineSoakFigures, tab: Tab): Promise<void> {
  const { done, faults, interruptions } = await tab.evaluate(() => {
    const { done, faults, interruptions } = soak;
    return { done, faults, interruptions };
  });
  figures.done += done;
  figures.faults.push(...faults);
  for (const [why, times] of Object.entries(interruptions))
    figures.interruptions[why] = (figures.interruptions[why] ?? 0) + times;
}

/** In MB, while these pages have no session open. */
async function memoryAtRest(browser: EngineBrowser, tabs: readonly Tab[]): Promise<number> {
  for (const tab of tabs)
    await tab.evaluate(() => {
      document.title = 'working';
      void soak.rest().then(() => (document.title = 'resting'));
    });
  for (const tab of tabs) await until(tab, () => document.title === 'resting');
  await sleep(SETTLED);
  const megabytes = memoryOf(browser.group);
  for (const tab of tabs) await tab.evaluate(() => soak.goOn());
  return megabytes;
}

async function until(tab: Tab, isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 5 * MINUTE;
  while (!(await tab.evaluate(isSo))) {
    if (performance.now() > deadline) throw new Error(`not within five minutes: ${isSo.toString()}`);
    await sleep(200);
  }
}

/** Resident megabytes of all processes of a group. */
function memoryOf(group: number | null): number {
  let pages = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // After the name: state, parent, process group, and as the 22nd the resident pages.
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (Number(fields[2]) === group) pages += Number(fields[21]);
    } catch {
      // The process has just ended.
    }
  }
  return Math.round((pages * 4096) / 1e6);
}
