import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { servePage } from '../../e2e/chromium.js';
import { KillableBrowser } from '../../e2e/killable-browser.js';
import type { Visit } from '../../e2e/reference/main.js';
import { difference, ReferencePage } from '../kills/reference-page.js';
import type { Outside } from '../kills/reported-effects.js';
import { Dice } from '../simulation/dice.js';
import { LoopDisk } from './loop-disk.js';

/** When the power is cut. */
const INSTANTS = ['at a point', 'near a point', 'while it opens', 'at the end'] as const;
type Instant = (typeof INSTANTS)[number];

export interface PowerCutFigures {
  /** How often the power was cut, and when. */
  cuts: Record<Instant, number>;
  /** Runs that ended with the same messages, plan, files and memory. */
  identical: number;
  /** External effects that were repeated without a user's approval. */
  duplicates: number;
  /** External effects that never happened. */
  lost: number;
  /** Commits that were acknowledged before the cut, missing afterwards, and not reported as lost. */
  silent: number;
  /** Warnings about the storage, with counts. */
  warnings: Record<string, number>;
}

/** Cuts of one run, each run on its own disk; the last cut is at its end. */
const CUTS = 8;
/** In ms. The worker pauses meanwhile; its appended data may be flushed or not. */
const STANDING = 800;
/** In ms. The worker continues meanwhile. */
const GOING_ON = 60;
/** In ms after the start of an opening: nothing exists yet, or the replica is being recreated. */
const OPENING = 1_500;
/** In ms, after which a visit counts as hung. */
const HUNG = 180_000;

/**
 * Runs the reference run with Chromium's profile on its own disk and cuts the power repeatedly. Each time the browser
 * is restarted on the data that reached the disk. Check `LoopDisk.refusal` first.
 */
export async function runPowerCuts(
  count: number,
  seed: number,
  tell: (line: string) => void,
): Promise<PowerCutFigures> {
  const dice = new Dice(seed);
  const figures: PowerCutFigures = {
    cuts: { 'at a point': 0, 'near a point': 0, 'while it opens': 0, 'at the end': 0 },
    identical: 0,
    duplicates: 0,
    lost: 0,
    silent: 0,
    warnings: {},
  };
  const total = (): number => Object.values(figures.cuts).reduce((sum, cuts) => sum + cuts, 0);
  const site = await servePage('reference');
  const onDisk = <Result>(
    name: string,
    quick: boolean,
    work: (run: PowerCutRun) => Promise<Result>,
  ): Promise<Result> =>
    withDisk(quick, (disk, browser) => work(new PowerCutRun(name, disk, browser, site.url, figures, tell)));
  try {
    const undisturbed = await onDisk('reference', false, (run) => run.undisturbed());
    const points = [...new Set(undisturbed.points)];
    tell(
      `the reference run: ${points.length} persistence points, ${undisturbed.effects.size} external effects`,
    );
    for (let number = 1; total() < count; number++) {
      const name = `power cuts ${number}`;
      const before = total();
      const plan = planned(points, dice);
      const ran = await onDisk(name, number % 2 === 0, (run) => run.run(plan, dice));
      const same = ran.remains === undisturbed.remains;
      const cuts = total() - before;
      const lost = [...undisturbed.effects].filter((effect) => !ran.effects.has(effect)).length;
      if (same) figures.identical += cuts;
      else tell(`${name}: the end differs: ${difference(undisturbed.remains, ran.remains)}`);
      figures.duplicates += ran.duplicates;
      figures.lost += lost;
      tell(
        `${name}: ${cuts} cuts, ${same ? 'same end' : 'NOT the same'}, ${ran.duplicates} twice, ${lost} lost`,
      );
    }
  } finally {
    await site.close();
  }
  return figures;
}

/** Leaves no mounts or browsers behind, also when it is interrupted. */
async function withDisk<Result>(
  quick: boolean,
  work: (disk: LoopDisk, browser: KillableBrowser) => Promise<Result>,
): Promise<Result> {
  const disk = LoopDisk.make({ quick });
  const browser = await KillableBrowser.make(join(disk.place, 'profile'));
  const cleanUp = (): void => {
    void browser.kill();
    disk.remove();
  };
  const interrupted = (): never => process.exit(130);
  process.once('exit', cleanUp).once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return await work(disk, browser);
  } finally {
    process.off('exit', cleanUp).off('SIGINT', interrupted).off('SIGTERM', interrupted);
    cleanUp();
  }
}

/** When the power is cut in one run, except at its end. */
interface PowerCutPlan {
  /** The worker pauses at these points until the cut. */
  standing: Set<string>;
  /** The worker continues at these points. */
  goingOn: Set<string>;
  /** Whether the first opening, which creates everything, is cut. */
  fromTheFirst: boolean;
}

/** The random points of one run, spread over its whole length; the next run starts over. */
function planned(points: readonly string[], dice: Dice): PowerCutPlan {
  const each = Math.ceil(points.length / (CUTS / 2));
  const chosen: string[] = [];
  for (let from = 0; from < points.length; from += each) {
    const within = points.slice(from, from + each);
    chosen.push(dice.pick(within));
  }
  const standing = dice.below(2);
  return {
    standing: new Set(chosen.filter((_, index) => index % 2 === standing)),
    goingOn: new Set(chosen.filter((_, index) => index % 2 !== standing)),
    fromTheFirst: dice.once(2),
  };
}

interface Ran extends Outside {
  points: string[];
  remains: string;
}

/** One run on one disk. */
class PowerCutRun {
  readonly #page: ReferencePage;
  /** Number of acknowledged commits. */
  #reported = 0;
  /** Commits missing when the session was opened, until they are reported. */
  #missing = 0;
  #onPoint: (point: string) => void = () => {};
  /** Nothing reaches the disk any more; reports from now on do not count. */
  #dead = false;

  constructor(
    private readonly name: string,
    private readonly disk: LoopDisk,
    private readonly browser: KillableBrowser,
    url: string,
    private readonly figures: PowerCutFigures,
    private readonly tell: (line: string) => void,
  ) {
    this.#page = new ReferencePage(url, browser, (news) => this.hear(news));
  }

  async undisturbed(): Promise<Ran> {
    await this.#page.start();
    const { points } = await this.#page.visit(this.name, [], false);
    return { points, remains: await this.#page.look(), ...this.#page.outside() };
  }

  async run({ standing, goingOn, fromTheFirst }: PowerCutPlan, dice: Dice): Promise<Ran> {
    await this.#page.start();
    const points: string[] = [];
    for (let number = fromTheFirst ? 0 : 1; ; number++) {
      // Cuts every other opening while points are left, so that the run makes progress in between.
      const opening = number % 2 === 0 && standing.size + goingOn.size > 0;
      const met = await (opening ? this.cutOpening(dice) : this.cutWork(standing, goingOn, dice));
      this.silence();
      if (met === 'cut') continue;
      points.push(...met.points);
      break;
    }
    await this.cut('at the end');
    this.ended(await this.visit([]));
    this.silence();
    return { points, remains: await this.#page.look(), ...this.#page.outside() };
  }

  private async cutOpening(dice: Dice): Promise<Visit | 'cut'> {
    const visit = this.visit([]);
    const met = await Promise.race([visit, wait(dice.below(OPENING), 'cut' as const)]);
    if (met !== 'cut') return this.ended(met);
    await this.cut('while it opens');
    await visit.catch(() => undefined); // The browser died during it.
    return 'cut';
  }

  private async cutWork(standing: Set<string>, goingOn: Set<string>, dice: Dice): Promise<Visit | 'cut'> {
    const near = new Promise<'near'>((resolve) => {
      this.#onPoint = (point) => {
        if (goingOn.delete(point)) resolve('near');
      };
    });
    const visit = this.visit([...standing]);
    const met = await Promise.race([visit, near]);
    this.#onPoint = () => {};
    if (met !== 'near' && 'ended' in met) return this.ended(met);
    await wait(dice.below(met === 'near' ? GOING_ON : STANDING));
    await this.cut(met === 'near' ? 'near a point' : 'at a point');
    if (met !== 'near') standing.delete(met.at);
    await visit.catch(() => undefined); // The browser died during it.
    return 'cut';
  }

  private async visit(at: readonly string[]): Promise<Visit> {
    const over = new AbortController();
    const hung = wait(HUNG, undefined, over).then(() => {
      throw new Error(`${this.name} hangs after commit ${this.#reported}`);
    });
    hung.catch(() => undefined); // Reported below, or aborted.
    try {
      return await Promise.race([this.#page.visit(this.name, at, false), hung]);
    } finally {
      over.abort();
    }
  }

  private ended(visit: Visit): Visit {
    if ('ended' in visit && visit.ended !== 'done') throw new Error(`${this.name} ended as ${visit.ended}`);
    return visit;
  }

  /** Cuts the power and starts the browser again. */
  private async cut(instant: Instant): Promise<void> {
    const gone = this.#page.gone();
    this.disk.cut(this.browser.group);
    this.#dead = true;
    await gone;
    this.#dead = false;
    await this.disk.comeBack();
    this.figures.cuts[instant] += 1;
    await this.#page.start();
  }

  private hear(news: string): void {
    const [kind, number] = news.split(' ');
    if (kind === 'after') this.#reported = Math.max(this.#reported, Number(number));
    else if (kind === 'opened') this.#missing = Math.max(0, this.#reported - Number(number));
    else if (kind === 'warning' && !this.#dead) this.warned(news);
    this.#onPoint(news);
  }

  private warned(news: string): void {
    const code = /^warning ([\w-]+)/.exec(news)?.[1] ?? news;
    this.figures.warnings[code] = (this.figures.warnings[code] ?? 0) + 1;
    this.tell(`${this.name}, after commit ${this.#reported}: ${news}`);
    if (code !== 'storage-rolled-back') return;
    this.#reported -= this.#missing;
    this.#missing = 0;
  }

  /** Counts commits that are missing without a report. */
  private silence(): void {
    if (this.#missing === 0) return;
    this.tell(`${this.name}: ${this.#missing} of ${this.#reported} commits are missing without a report`);
    this.figures.silent += this.#missing;
    this.#reported -= this.#missing;
    this.#missing = 0;
  }
}
