import type { BrowserContext, Page } from 'playwright';
import { servePage } from '../../e2e/chromium.js';
import { KillableBrowser } from '../../e2e/killable-browser.js';
import type { Visit } from '../../e2e/reference/main.js';

export const KILLS = ['worker terminate', 'reload', 'tab crash', 'browser SIGKILL'] as const;
export type Kill = (typeof KILLS)[number];

/** What killing the reference run in one way came to. */
export interface KillFigures {
  fault: Kill;
  /** Points of the run at which it was killed. */
  tried: number;
  /** Those of them after which the run ended with the same messages, plan, files and memory. */
  identical: number;
  /** Effects outside that happened more often than a person had allowed. */
  duplicates: number;
  /** Effects outside that never happened. */
  lost: number;
}

export interface KillPlan {
  /** Every so many points for the worker; 0 for none. */
  every: number;
  /** The same for the whole browser. */
  browser: number;
  /** The same for reload and tab crash. Default: a fifth as often as the browser is killed. */
  tab?: number;
  /** Points of one run at which it is killed, one after the other. */
  kills?: number;
  tell?: (line: string) => void;
}

/** Browsers that are killed beside each other. */
const BROWSERS = 2;

/** Kills the run of fifty steps at its points and lets it go on each time, in as many runs as it takes, in two browsers at a time. */
export async function runKills(plan: KillPlan): Promise<KillFigures[]> {
  const { tell = () => {} } = plan;
  const site = await servePage('reference');
  const browsers: KillableBrowser[] = [];
  try {
    const harnesses: Harness[] = [];
    for (let count = 0; count < BROWSERS; count++) {
      const browser = await KillableBrowser.make();
      browsers.push(browser);
      harnesses.push(new Harness(site.url, browser));
    }
    await Promise.all(harnesses.map((harness) => harness.start()));
    const reference = await (harnesses[0] as Harness).run('reference', [], 'worker terminate');
    const points = [...new Set(reference.points)];
    tell(`the reference run: ${points.length} persistence points, ${reference.effects.size} effects outside`);
    const runs = plannedRuns(plan, points);
    const figures = KILLS.filter((fault) => runs.some((run) => run.fault === fault)).map((fault) => ({
      fault,
      tried: 0,
      identical: 0,
      duplicates: 0,
      lost: 0,
    }));
    const work = async (harness: Harness): Promise<void> => {
      for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
        const { name, fault, targets } = run;
        const ran = await harness.run(name, targets, fault);
        // A kill can make the next point go by under another name: those are tried in a run of their own.
        if (ran.left.length > 0 && ran.tried > 0)
          runs.push(...ran.left.map((point) => ({ name: `${fault} at ${point}`, fault, targets: [point] })));
        const figure = figures.find((each) => each.fault === fault) as KillFigures;
        const same = count(figure, ran, reference);
        if (!same) tell(`${name}: the end differs: ${difference(reference.remains, ran.remains)}`);
        tell(`${name}: killed at ${ran.tried} points${same ? '' : ', NOT the same'}`);
      }
    };
    await Promise.all(harnesses.map(work));
    return figures;
  } finally {
    await Promise.all(browsers.map((browser) => browser.remove()));
    await site.close();
  }
}

interface PlannedRun {
  name: string;
  fault: Kill;
  targets: string[];
}

/** Each fault's points, spread over so many runs that none is killed too often. */
function plannedRuns(
  { every, browser, tab = browser * 5, kills = 20 }: KillPlan,
  points: string[],
): PlannedRun[] {
  const steps: Record<Kill, number> = {
    'worker terminate': every,
    reload: tab,
    'tab crash': tab,
    'browser SIGKILL': browser,
  };
  return KILLS.flatMap((fault) => {
    if (steps[fault] === 0) return [];
    const chosen = points.filter((_, index) => index % steps[fault] === 0);
    const runs = Math.ceil(chosen.length / kills);
    return Array.from({ length: runs }, (_, run) => ({
      name: `${fault} ${run}`,
      fault,
      targets: chosen.filter((_, index) => index % runs === run),
    }));
  });
}

/** Adds what a run came to; true when it ended as the undisturbed one did. */
function count(figure: KillFigures, ran: Ran, reference: Ran): boolean {
  const same = ran.remains === reference.remains;
  figure.tried += ran.tried;
  if (same) figure.identical += ran.tried;
  let extra = 0;
  for (const [effect, times] of ran.effects)
    extra += Math.max(0, times - (reference.effects.get(effect) ?? 0));
  figure.duplicates += Math.max(0, extra - ran.allowed);
  for (const effect of reference.effects.keys()) if (!ran.effects.has(effect)) figure.lost += 1;
  return same;
}

interface Ran {
  points: string[];
  tried: number;
  /** Targets that did not come. */
  left: string[];
  remains: string;
  /** How often each effect happened, calls of one key as one. */
  effects: Map<string, number>;
  /** How often a person allowed a command to be run again. */
  allowed: number;
}

class Harness {
  #context: BrowserContext | null = null;
  #page: Page | null = null;
  #effects: { what: string; key: string }[] = [];

  constructor(
    private readonly url: string,
    private readonly chromium: KillableBrowser,
  ) {}

  async start(): Promise<void> {
    this.#context = await this.chromium.start();
    await this.openPage();
  }

  async run(name: string, targets: readonly string[], fault: Kill): Promise<Ran> {
    this.#effects = [];
    const left = new Set(targets);
    const points: string[] = [];
    for (;;) {
      const visit: Visit = await this.page.evaluate(
        ({ session, at, terminate }) => window.reference.visit(session, at, terminate),
        { session: name, at: [...left], terminate: fault === 'worker terminate' },
      );
      points.push(...visit.points);
      if ('ended' in visit) {
        if (visit.ended !== 'done') throw new Error(`${name} ended as ${visit.ended}`);
        break;
      }
      left.delete(visit.at);
      await this.kill(fault);
    }
    const remains = await this.page.evaluate(() => window.reference.look());
    await this.page.evaluate((session) => window.reference.remove(session), name);
    return { points, tried: targets.length - left.size, left: [...left], remains, ...this.outside() };
  }

  private outside(): Pick<Ran, 'effects' | 'allowed'> {
    const effects = new Map<string, number>();
    const keys = new Set<string>();
    let allowed = 0;
    for (const { what, key } of this.#effects) {
      if (what === 'allowed') allowed += 1;
      else if (!what.startsWith('mail') || !keys.has(key)) effects.set(what, (effects.get(what) ?? 0) + 1);
      keys.add(key); // the other side drops the second mail of a key
    }
    return { effects, allowed };
  }

  private async kill(fault: Kill): Promise<void> {
    switch (fault) {
      case 'worker terminate':
        return; // the page has done it
      case 'reload':
        await this.page.reload();
        return this.ready();
      case 'tab crash': {
        const crashed = this.page;
        const gone = new Promise<void>((resolve) => crashed.once('crash', () => resolve()));
        crashed.goto('chrome://crash').catch(() => {}); // there is nobody left to answer
        await gone;
        await this.openPage();
        await crashed.close().catch(() => {});
        return;
      }
      case 'browser SIGKILL':
        this.chromium.kill();
        return this.start();
    }
  }

  private get page(): Page {
    if (this.#page === null) throw new Error('there is no page');
    return this.#page;
  }

  private async openPage(): Promise<void> {
    if (this.#context === null) throw new Error('there is no browser');
    this.#page = await this.#context.newPage();
    await this.#page.exposeFunction(
      'told',
      (what: string, key: string) => void this.#effects.push({ what, key }),
    );
    await this.#page.goto(this.url);
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.waitForFunction(() => typeof window.reference === 'object');
  }
}

function difference(expected: string, found: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 140);
  return `…${around(expected)}… became …${around(found)}…`;
}
