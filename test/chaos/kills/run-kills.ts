import { servePage } from '../../e2e/chromium.js';
import { KillableBrowser } from '../../e2e/killable-browser.js';
import { difference, ReferencePage, type Outside } from './reference-page.js';

const KILLS = ['worker terminate', 'reload', 'tab crash', 'browser SIGKILL'] as const;
type Kill = (typeof KILLS)[number];

/** What killing the reference run in one way came to. */
export interface KillFigures {
  fault: Kill;
  /** Points of the run at which it was killed. */
  tried: number;
  /** Those of them after which the run ended with the same messages, plan, files and memory. */
  identical: number;
  /** Effects outside that happened more often than a user had allowed. */
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

/** Kills the run of fifty steps at its points and lets it continue each time, in as many runs as it takes, in two browsers at a time. */
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
  figure.duplicates += ran.duplicates;
  for (const effect of reference.effects) if (!ran.effects.has(effect)) figure.lost += 1;
  return same;
}

interface Ran extends Outside {
  points: string[];
  tried: number;
  /** Targets that did not come. */
  left: string[];
  remains: string;
}

class Harness {
  readonly #reference: ReferencePage;

  constructor(
    url: string,
    private readonly chromium: KillableBrowser,
  ) {
    this.#reference = new ReferencePage(url, chromium);
  }

  start(): Promise<void> {
    return this.#reference.start();
  }

  async run(name: string, targets: readonly string[], fault: Kill): Promise<Ran> {
    this.#reference.begin();
    const left = new Set(targets);
    const points: string[] = [];
    for (;;) {
      const visit = await this.#reference.visit(name, [...left], fault === 'worker terminate');
      points.push(...visit.points);
      if ('ended' in visit) {
        if (visit.ended !== 'done') throw new Error(`${name} ended as ${visit.ended}`);
        break;
      }
      left.delete(visit.at);
      await this.kill(fault);
    }
    const remains = await this.#reference.look();
    await this.#reference.remove(name);
    const tried = targets.length - left.size;
    return { points, tried, left: [...left], remains, ...this.#reference.outside() };
  }

  private async kill(fault: Kill): Promise<void> {
    switch (fault) {
      case 'worker terminate':
        return; // the page has done it
      case 'reload':
        return this.#reference.reload();
      case 'tab crash':
        return this.#reference.crash();
      case 'browser SIGKILL':
        await this.chromium.kill();
        return this.start();
    }
  }
}
