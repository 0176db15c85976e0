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

/** Kills the run of fifty steps at its points and lets it go on each time, in as many runs as it takes. */
export async function runKills(plan: KillPlan): Promise<KillFigures[]> {
  const { every, browser, tab = browser * 5, kills = 20, tell = () => {} } = plan;
  const site = await servePage('reference');
  const chromium = await KillableBrowser.make();
  const harness = new Harness(site.url, chromium);
  try {
    await harness.start();
    const reference = await harness.run('reference', [], 'worker terminate');
    const points = [...new Set(reference.points)];
    tell(`the reference run: ${points.length} persistence points, ${reference.effects.size} effects outside`);
    const figures: KillFigures[] = [];
    const steps: [Kill, number][] = [
      ['worker terminate', every],
      ['reload', tab],
      ['tab crash', tab],
      ['browser SIGKILL', browser],
    ];
    for (const [fault, step] of steps) {
      if (step === 0) continue;
      const chosen = points.filter((_, index) => index % step === 0);
      const figure: KillFigures = { fault, tried: 0, identical: 0, duplicates: 0, lost: 0 };
      const runs = Math.ceil(chosen.length / kills);
      for (let run = 0; run < runs; run++) {
        const targets = chosen.filter((_, index) => index % runs === run);
        const name = `${fault} ${run}`;
        const { tried, remains, effects, allowed } = await harness.run(name, targets, fault);
        const same = remains === reference.remains;
        figure.tried += tried;
        if (same) figure.identical += tried;
        else tell(`${name}: the end differs: ${difference(reference.remains, remains)}`);
        let extra = 0;
        for (const [effect, times] of effects)
          extra += Math.max(0, times - (reference.effects.get(effect) ?? 0));
        figure.duplicates += Math.max(0, extra - allowed);
        for (const effect of reference.effects.keys()) if (!effects.has(effect)) figure.lost += 1;
        tell(`${name}: killed at ${tried} points${same ? '' : ', NOT the same'}`);
      }
      figures.push(figure);
    }
    return figures;
  } finally {
    await chromium.remove();
    await site.close();
  }
}

interface Ran {
  points: string[];
  tried: number;
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
    return { points, tried: targets.length - left.size, remains, ...this.outside() };
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
