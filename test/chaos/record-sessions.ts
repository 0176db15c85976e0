import { mkdirSync } from 'node:fs';
import type { SessionExport } from '../../src/core/store.js';
import type { Session } from '../../src/session/session.js';
import type { Team } from '../../src/session/team.js';
import { replay, type RecordedModels } from '../../src/testing/replay.js';
import { CORPUS_JOBS, corpusJob } from './corpus/jobs.js';
import { goOn, type Outcome } from './corpus/outcome.js';
import { writeSessions, type RecordedSession } from './corpus/recorded.js';
import { seen } from './corpus/seen.js';
import { interrupted, lives, unanswered, undisturbed, type Story } from './corpus/stories.js';
import { Dice } from './simulation/dice.js';
import type { Job } from './simulation/jobs.js';
import { Platform, quiet } from './simulation/platform.js';
import { openFor } from './simulation/simulate.js';
import { Life, World } from './simulation/world.js';

/** Seed of all random choices in the corpus. */
const SEED = 7;

/** Interruptions of a job of the simulation, of a job only for the corpus, and of a job about a text. */
const TIMES = { simulated: 9, own: 6, text: 1 };

/** The roles of a job with models that give the recorded replies. */
export function composed(job: Job, models: RecordedModels): Team {
  const world = new World(new Dice(1), []);
  world.modelOf = (_life, { id, ...traits }) => models(isTeam(job) ? id : nameOf(job), traits);
  return job.team(world, new Life());
}

const isTeam = ({ name }: Job): boolean => name === 'team' || name === 'crew';
const nameOf = ({ name }: Job): string => (name === 'acting' ? 'Poet' : 'Zero');

/** Imports a recorded session into an empty storage and injects no faults. */
export async function opened({ job, document }: Pick<RecordedSession, 'job' | 'document'>): Promise<Session> {
  const world = new World(new Dice(1), []);
  await world.disk.import(document);
  return openFor(corpusJob(job), world, new Life(), document.name);
}

/**
 * Writes the corpus of this release, which every later release must open, show unchanged, replay and continue. No
 * session is a copy of another.
 * @throws Error when a session does not end the same as without interruption: a bug in this release.
 */
export async function record(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const platform = new Platform();
  platform.take();
  try {
    const recorder = new Recorder(platform);
    for (const story of undisturbed) await recorder.take(story);
    for (const job of CORPUS_JOBS) {
      const dice = new Dice(SEED + CORPUS_JOBS.indexOf(job));
      for (const story of interrupted(job, recorder.instants(job), timesOf(job), dice))
        await recorder.take(story);
    }
    for (const story of [...unanswered, ...lives(new Dice(SEED))]) await recorder.take(story);
    await recorder.takeElsewhere();
    writeSessions(`${folder}/sessions.jsonl.br`, recorder.sessions);
    return recorder.sessions.map(({ name }) => name);
  } finally {
    platform.giveBack();
  }
}

function timesOf(job: Job): number {
  if (job.name.startsWith('naming')) return TIMES.text;
  return CORPUS_JOBS.indexOf(job) < 8 ? TIMES.simulated : TIMES.own;
}

class Recorder {
  readonly sessions: RecordedSession[] = [];
  readonly #instants = new Map<string, number>();
  readonly #ends = new Map<string, Outcome>();
  readonly #known = new Set<string>();

  constructor(private readonly platform: Platform) {}

  /** Number of instants of a job without faults. */
  instants({ name }: Job): number {
    return this.#instants.get(name) ?? 0;
  }

  async take(story: Story): Promise<void> {
    const { job, faults, user } = story;
    this.platform.reset(SEED);
    const world = new World(new Dice(SEED), [...faults]);
    if (!story.answers) world.ask = async () => null;
    const life = new Life();
    world.steal = () => void openFor(job, world, new Life());
    await this.settled(
      openFor(job, world, life).then((session) => {
        world.stop = () => session.stop();
        return user(session, job);
      }),
      life,
      () => world.stop(),
    );
    if (faults.length === 0 && story.answers && !this.#instants.has(job.name))
      this.#instants.set(job.name, world.instants);
    await this.add(story.name, job, { ...(await world.disk.export('s')), name: story.name });
  }

  /** Exports some of them, imports them, and continues under another name. */
  async takeElsewhere(): Promise<void> {
    const open = this.sessions.filter(({ end }) => end !== null);
    for (const { name, job, document } of open.filter((_, at) => at % 7 === 0)) {
      this.platform.reset(SEED + 1);
      const world = new World(new Dice(SEED), []);
      await world.disk.import(document, 'fork');
      const session = await openFor(corpusJob(job), world, new Life(), 'fork');
      await this.settled(goOn(session, corpusJob(job)));
      const fork = `${name}, gone on with elsewhere`;
      await this.add(fork, corpusJob(job), { ...(await world.disk.export('fork')), name: fork });
    }
  }

  /** Skips sessions that the corpus already contains. */
  private async add(name: string, job: Job, document: SessionExport): Promise<void> {
    const identity = JSON.stringify([job.name, document.records]);
    if (this.#known.has(identity)) return;
    this.#known.add(identity);
    const recorded = { name, job: job.name, document };
    const session = await opened(recorded);
    const shown = await seen(session);
    const isOpen = session.resumable || session.waiting !== null || document.records.length === 0;
    const end = isOpen ? await this.settled(goOn(session, job)) : null;
    if (isOpen && end === null) throw new Error(`${name} does not continue`);
    this.sessions.push({ ...recorded, seen: shown, end, plays: !isOpen && (await this.plays(recorded)) });
    this.checkEnd(name, job, end);
  }

  /** A session interrupted by faults alone ends as it does without them. */
  private checkEnd(name: string, job: Job, end: Outcome | null): void {
    if (end === null || !/ at \d+[+-]$/.test(name)) return;
    const known = this.#ends.get(job.name);
    if (known === undefined) this.#ends.set(job.name, end);
    else if (JSON.stringify(known) !== JSON.stringify(end)) throw new Error(`${name} ends differently`);
  }

  private async plays({ job, document }: Pick<RecordedSession, 'job' | 'document'>): Promise<boolean> {
    const played = await this.settled(replay(document, (models) => composed(corpusJob(job), models)));
    return played !== null && played.differences.length === 0 && document.records.length > 0;
  }

  /** Resolves a promise while time advances; null when it fails, hangs, or its worker dies. */
  private async settled<Value>(
    promise: Promise<Value>,
    life?: Life,
    impatient?: () => void,
  ): Promise<Value | null> {
    const end: { value: Value | null; done: boolean } = { value: null, done: false };
    promise.then(
      (value) => Object.assign(end, { value, done: true }),
      () => Object.assign(end, { done: true }),
    );
    void life?.died.then(() => Object.assign(end, { done: true }));
    for (let pushes = 0; pushes < 3;) {
      await quiet();
      if (end.done) break;
      if (this.platform.time.goOn()) continue;
      pushes += 1;
      impatient?.();
    }
    for (let turns = 0; turns < 20; turns++) await quiet();
    return end.value;
  }
}
