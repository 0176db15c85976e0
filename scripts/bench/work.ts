/** What work costs, now and before: the first word of a thought, a step on disk, a team, and what a long job leaves. */
import type { Page } from 'playwright';
import { devtoolsOfWorker, heapSize } from '../../test/e2e/heap-snapshot.js';
import type { PageBench } from './page/page.js';
import { inWorker, opened } from './pages.js';
import type { StepTimes, LongJob, WorkOrder } from './page/work.worker.js';
import { sample, type Sample } from './samples.js';
import { inTurns, ofEach, type Compared, type Version } from './versions.js';

/** Runs in the page. */
declare function benchOf(): PageBench;

/** Figures of one version of the library. Times are in ms. */
export interface WorkFigures {
  /** From a word that a model gives to its `thought-delta` on the page. */
  thought: Sample;
  /** A step on disk, and a bare transaction with its rows. */
  step: Sample;
  bareRows: Sample;
  /** The request to a team, to its end: with one member, and with three that do as much each. */
  teamOfOne: Sample;
  teamOfThree: Sample;
  /** By number of steps: bytes on disk, and megabytes of the worker's heap. */
  long: { steps: number; bytes: number; heap: number }[];
}

const STEPS = 60;
const LONG = [1_000, 5_000];

export async function measureWork(
  versions: Compared<Version>,
  rounds: number,
): Promise<Compared<WorkFigures>> {
  const times = await inTurns(versions, rounds, async (page, round) => ({
    thoughts: await page.evaluate((name) => benchOf().thoughtDelays(name), `thought-${round}`),
    onDisk: await worked<StepTimes>(page, { onDisk: STEPS }),
    one: await worked<number>(page, { team: 1 }),
    three: await worked<number>(page, { team: 3 }),
  }));
  const long = {
    now: await longJobs(versions.now.page),
    before: versions.before === null ? null : await longJobs(versions.before.page),
  };
  const figures = ofEach(times, (all): Omit<WorkFigures, 'long'> => ({
    thought: sample(all.flatMap(({ thoughts }) => thoughts)),
    step: sample(all.flatMap(({ onDisk }) => onDisk.ours)),
    bareRows: sample(all.flatMap(({ onDisk }) => onDisk.bare)),
    teamOfOne: sample(all.map(({ one }) => one)),
    teamOfThree: sample(all.map(({ three }) => three)),
  }));
  const { now, before } = figures;
  return {
    now: { ...now, long: long.now },
    before: before === null || long.before === null ? null : { ...before, long: long.before },
  };
}

async function worked<Result>(page: Page, order: WorkOrder): Promise<Result> {
  return (await inWorker(page, order, 'work.js')) as Result;
}

/** Runs long jobs one after the other, each in the only worker of a page, which is held until its heap is measured. */
async function longJobs(page: Page): Promise<WorkFigures['long']> {
  const found: WorkFigures['long'] = [];
  for (const steps of LONG) {
    const fresh = await opened(page.context(), page.url());
    const worker = devtoolsOfWorker(await page.context().newCDPSession(fresh));
    const { bytes } = (await inWorker(fresh, { long: steps }, 'work.js', true)) as LongJob;
    found.push({ steps, bytes, heap: await heapSize(await worker) });
    await fresh.close();
  }
  return found;
}
