import type { BrowserContext, Page } from 'playwright';
import { serveScripts } from './browser.js';
import type { LoopTime } from './loop/contender.js';
import { contenders, type Contender } from './peers.js';
import { FORMER } from './report.js';
import { sample, type Sample } from './samples.js';

const STEPS = [20, 200, 1_000] as const;

/** One row of the table: a library and a storage variant. */
export interface LoopRow {
  name: string;
  version: string;
  variant: string;
  /** By number of steps: microseconds per step; null where it was not reached. */
  times: { steps: number; reached: number; perStep: Sample; growth: Sample }[];
  /** Why there are no times. */
  note: string;
}

export interface LoopOptions {
  rounds: number;
  /** In ms, the time limit of a turn; then its model ends it. */
  limit: number;
  /** Only ours and the bare loop. */
  alone?: boolean;
  /** Path of another checkout, whose loop is measured, too. */
  before?: string | undefined;
}

/**
 * Measures the time of a step in every library, each in one worker for all rounds. The libraries take turns, so that
 * disturbances affect all.
 */
export async function measureLoops(context: BrowserContext, options: LoopOptions): Promise<LoopRow[]> {
  const all = await contenders(options);
  const scripts = new Map(
    all.flatMap(({ file, script }) => (script === null ? [] : [[`${file}.js`, script]])),
  );
  const server = await serveScripts(scripts);
  try {
    const page = await context.newPage();
    await page.goto(server.origin);
    return await inTurns(page, all, options);
  } finally {
    server.close();
  }
}

interface Course {
  contender: Contender;
  variant: string;
  taken: Map<number, LoopTime[]>;
  note: string;
}

async function inTurns(
  page: Page,
  all: readonly Contender[],
  { rounds, limit }: LoopOptions,
): Promise<LoopRow[]> {
  const courses: Course[] = [];
  for (const contender of all) {
    const started = contender.script === null ? contender.reason : await startWorker(page, contender.file);
    if (typeof started === 'string')
      courses.push({ contender, variant: '', taken: new Map(), note: started });
    // An earlier version cannot open the database of this one: only its loop is compared.
    else
      for (const variant of contender.name === FORMER ? started.slice(0, 1) : started)
        courses.push({ contender, variant, taken: new Map(), note: '' });
  }
  for (let round = 0; round <= rounds; round++) {
    for (const steps of STEPS) {
      for (const course of courses.filter(({ note }) => note === '')) {
        const before = course.taken.get(steps) ?? [];
        const slow = (before.at(-1)?.steps ?? steps) < steps;
        if (slow && before.length > 1) continue; // It was not reached before, so it is skipped.
        if (round === 0 && steps > 20) continue; // The first round is a warm-up.
        const answer = await order(page, course.contender.file, { variant: course.variant, steps, limit });
        if ('error' in answer) course.note = answer.error;
        else if (round > 0) course.taken.set(steps, [...before, answer.time]);
        console.error(
          `${course.contender.name}, ${course.variant}, ${steps} steps: ${'error' in answer ? answer.error : `${answer.time.perStep.toFixed(1)} µs a step`}`,
        );
      }
    }
  }
  return courses.map(({ contender: { name, version }, variant, taken, note }) => ({
    name,
    version,
    variant: name === FORMER ? 'not stored' : variant, // it had another name for that
    note,
    times: [...taken].map(([steps, times]) => ({
      steps,
      reached: Math.min(...times.map((time) => time.steps)),
      perStep: sample(times.map(({ perStep }) => perStep)),
      growth: sample(times.map(({ growth }) => growth)),
    })),
  }));
}

/** Its variants, or why it does not start. */
function startWorker(page: Page, file: string): Promise<string[] | string> {
  return page.evaluate(
    (name) =>
      new Promise<string[] | string>((resolve) => {
        const worker = new Worker(`/${name}.js`, { type: 'module' });
        const workers = ((globalThis as { workers?: Map<string, Worker> }).workers ??= new Map());
        workers.set(name, worker);
        worker.onmessage = ({ data }: MessageEvent<{ variants: string[] }>) => resolve(data.variants);
        worker.onerror = ({ message }) => resolve(`does not start in a worker: ${message}`);
      }),
    file,
  );
}

function order(
  page: Page,
  file: string,
  what: { variant: string; steps: number; limit: number },
): Promise<{ time: LoopTime } | { error: string }> {
  return page.evaluate(
    ([name, wanted]) =>
      new Promise<{ time: LoopTime } | { error: string }>((resolve) => {
        const worker = (globalThis as { workers?: Map<string, Worker> }).workers?.get(name);
        if (worker === undefined) {
          resolve({ error: 'There is no such worker.' });
          return;
        }
        worker.onmessage = ({ data }: MessageEvent<{ time: LoopTime } | { error: string }>) => resolve(data);
        worker.onerror = ({ message }) => resolve({ error: message });
        worker.postMessage(wanted);
      }),
    [file, what] as const,
  );
}
