import { servePage } from '../../e2e/chromium.js';
import { KillableBrowser } from '../../e2e/killable-browser.js';
import { difference, ReferencePage, type Outside } from './reference-page.js';

const KILLS = ['worker terminate', 'reload', 'tab crash', 'browser SIGKILL'] as const;
type Kill = (typeof KILLS)[number];

/** The results of killing the reference run in one way. */
export interface KillFigures {
  fault: Kill;
  /** Number of points at which it was killed. */
  tried: number;
  /** Kills after which the run ended with the same messages, plan, files and memory. */
  identical: number;
  /** External effects that happened more often than a user had approved. */
  duplicates: number;
  /** External effects that never happened. */
  lost: number;
}

export interface KillPlan {
  /** Interval of points for the worker; 0 for none. */
  every: number;
  /** Interval for the complete browser. */
  browser: number;
  /** Interval for reload and tab crash. Default: five times that of the browser. */
  tab?: number;
  /** Points of one run at which it is killed in turn. */
  kills?: number;
  tell?: (line: string) => void;
}

/** Browsers in parallel. */
const BROWSERS = 2;

/**
 * Kills the run of fifty steps at its points and lets it continue each time, in as many runs as needed, with two
 * browsers in parallel.
 */
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
    tell(
      `the reference run: ${points.length} persistence points, ${reference.effects.size} external effects`,
    );
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
        // A kill can change the names of later points: the points missed because of it are tried again without it.
        if (ran.left.length > 0 && ran.tried > 0)
          runs.push({ name: `${name}, the ${ran.left.length} missed`, fault, targets: ran.left });
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

/** The points of each fault, distributed so that no run is killed too often. */
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

/** Adds the result of a run; true when it ended like the undisturbed one. */
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
  /** Targets that were not reached. */
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
        return; // The page has done it.
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
