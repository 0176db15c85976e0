import { servePage } from '../../e2e/chromium.js';
import { KillableBrowser } from '../../e2e/killable-browser.js';
import type { Visit } from '../../e2e/reference/main.js';
import type { Engine } from '../../engines/engine-browser.js';
import { makeStandalone } from '../../engines/engines.js';
import { EngineReferencePage } from './engine-reference-page.js';
import { difference, ReferencePage } from './reference-page.js';
import type { Outside } from './reported-effects.js';

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

/** The reference run in a browser that can be killed. */
export interface KillableRun {
  /** Starts the browser and opens the page. */
  start(): Promise<void>;
  /** Resets the recorded effects. */
  begin(): void;
  /** Continues the run until its end, or until one of the points `at`. */
  visit(session: string, at: readonly string[], terminate: boolean): Promise<Visit>;
  /** The complete final state as text. */
  look(): Promise<string>;
  remove(session: string): Promise<void>;
  reload(): Promise<void>;
  /** Crashes the tab and opens the page again. Missing where the engine has no way to do so. */
  crash?(): Promise<void>;
  /** Kills the whole browser and starts it again with the same profile. */
  killBrowser(): Promise<void>;
  outside(): Outside;
  /** Ends the browser and removes its profile. */
  end(): Promise<void>;
}

export interface KillPlan {
  /** @default 'chromium' */
  engine?: Engine;
  /** Interval of points for the worker; 0 for none. */
  every: number;
  /** Interval for the complete browser. */
  browser: number;
  /** Number of kills of the complete browser, evenly distributed over the points, instead of an interval. */
  browserKills?: number;
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
  const { tell = () => {}, engine = 'chromium' } = plan;
  const site = await servePage('reference');
  const pages: KillableRun[] = [];
  try {
    for (let count = 0; count < BROWSERS; count++) pages.push(await killableRun(site.url, engine));
    await Promise.all(pages.map((page) => page.start()));
    const reference = await runOnce(pages[0] as KillableRun, 'reference', [], 'worker terminate');
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
    const work = async (page: KillableRun): Promise<void> => {
      for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
        const { name, fault, targets } = run;
        const ran = await runOnce(page, name, targets, fault);
        // A kill can change the names of later points: the points missed because of it are tried again without it.
        if (ran.left.length > 0 && ran.tried > 0)
          runs.push({ name: `${name}, the ${ran.left.length} missed`, fault, targets: ran.left });
        const figure = figures.find((each) => each.fault === fault) as KillFigures;
        const same = count(figure, ran, reference);
        if (!same) tell(`${name}: the end differs: ${difference(reference.remains, ran.remains)}`);
        tell(`${name}: killed at ${ran.tried} points${same ? '' : ', NOT the same'}`);
      }
    };
    await Promise.all(pages.map(work));
    return figures;
  } finally {
    await Promise.all(pages.map((page) => page.end()));
    await site.close();
  }
}

async function killableRun(url: string, engine: Engine): Promise<KillableRun> {
  if (engine === 'chromium') return new ReferencePage(url, await KillableBrowser.make());
  return new EngineReferencePage(url, await makeStandalone(engine));
}

interface PlannedRun {
  name: string;
  fault: Kill;
  targets: string[];
}

/** The points of each fault, distributed so that no run is killed too often. */
function plannedRuns(
  { engine = 'chromium', every, browser, browserKills, tab = browser * 5, kills = 20 }: KillPlan,
  points: string[],
): PlannedRun[] {
  const atEvery = (interval: number): string[] => {
    const first = Math.floor(Math.min(interval, points.length) / 2); // the middle, if there is only one
    return interval === 0 ? [] : points.filter((_, index) => index % interval === first);
  };
  const chosenFor: Record<Kill, string[]> = {
    'worker terminate': atEvery(every),
    reload: atEvery(tab),
    'tab crash': engine === 'chromium' ? atEvery(tab) : [],
    'browser SIGKILL': browserKills === undefined ? atEvery(browser) : distributed(points, browserKills),
  };
  return KILLS.flatMap((fault) => {
    const chosen = chosenFor[fault];
    const runs = Math.ceil(chosen.length / kills);
    return Array.from({ length: runs }, (_, run) => ({
      name: `${fault} ${run}`,
      fault,
      targets: chosen.filter((_, index) => index % runs === run),
    }));
  });
}

/** Selects this many points, evenly distributed. Neighbors may be equal when there are fewer points. */
function distributed(points: string[], count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => points[Math.floor(((index + 0.5) * points.length) / count)] ?? '',
  );
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

/** Continues one run until its end, with a kill at each target. */
async function runOnce(
  page: KillableRun,
  name: string,
  targets: readonly string[],
  fault: Kill,
): Promise<Ran> {
  page.begin();
  const left = new Set(targets);
  const points: string[] = [];
  for (;;) {
    const visit = await page.visit(name, [...left], fault === 'worker terminate');
    points.push(...visit.points);
    if ('ended' in visit) {
      if (visit.ended !== 'done') throw new Error(`${name} ended as ${visit.ended}`);
      break;
    }
    left.delete(visit.at);
    await kill(page, fault);
  }
  const remains = await page.look();
  await page.remove(name);
  const tried = targets.length - left.size;
  return { points, tried, left: [...left], remains, ...page.outside() };
}

async function kill(page: KillableRun, fault: Kill): Promise<void> {
  switch (fault) {
    case 'worker terminate':
      return; // The page has done it.
    case 'reload':
      return page.reload();
    case 'tab crash':
      return page.crash?.();
    case 'browser SIGKILL':
      return page.killBrowser();
  }
}
