import type { RunResult } from '../../../src/core/events.js';
import { toRoleZeroError } from '../../../src/core/error.js';
import type { SessionOpener } from '../../../src/core/store.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { Dice } from './dice.js';
import { difference } from './difference.js';
import { chooseFaults, type FaultKind } from './faults.js';
import { JOBS, type Job } from './jobs.js';
import { quiet, type Platform } from './platform.js';
import { Life, World } from './world.js';

const NAME = 's';
/** Visits until the job must be complete, whatever happens. */
const MOST_VISITS = 25;

/** The result of one schedule. */
export interface Simulated {
  seed: number;
  job: string;
  /** The planned faults, as `kind@instant`. */
  planned: string[];
  struck: FaultKind[];
  visits: number;
  instants: number;
  /** Violated guarantees; empty when there are none. */
  violations: string[];
}

/** The outcome of the same job without faults. */
interface Undisturbed {
  remains: Remains;
  instants: number;
  modelCalls: number;
  effects: Map<string, number>;
}

/** The complete visible state of a session when its job is complete. */
type Remains = { turns: unknown } & Record<string, unknown>;

/** Runs schedules one after the other. A schedule follows from its seed alone. */
export class Simulator {
  readonly #undisturbed = new Map<string, Undisturbed>();

  constructor(
    private readonly platform: Platform,
    private readonly jobs: readonly Job[] = JOBS,
    /** Wraps the store of a session; the reference runs go without it. */
    private readonly between: (storage: SessionOpener) => SessionOpener = (storage) => storage,
  ) {}

  async run(seed: number): Promise<Simulated> {
    const dice = new Dice(seed);
    const job = dice.pick(this.jobs);
    const expected = await this.undisturbed(job);
    const faults = chooseFaults(dice, expected.instants);
    const planned = faults.map(({ kind, at, after }) => `${kind}@${at}${after ? '+' : '-'}`);
    this.platform.reset(dice.word());
    const world = new World(dice, faults);
    const history = new History(job, world, this.platform, this.between);
    await history.untilDone(dice);
    if (world.violations.length === 0) await this.check(world, history, expected);
    const { struck, violations, instants } = world;
    return { seed, job: job.name, planned, struck, visits: history.visits, instants, violations };
  }

  private async check(world: World, history: History, expected: Undisturbed): Promise<void> {
    const { violations, struck } = world;
    world.faults.length = 0;
    const remains = await history.look();
    // The time of day is part of the turns; its length can exceed the window by a token.
    const turns = struck.includes('clock') ? expected.remains.turns : remains.turns;
    const differs = difference(expected.remains, { ...remains, turns });
    if (differs !== null) violations.push(`the end differs at ${differs}`);
    const happened = counted(world);
    for (const [effect, times] of expected.effects) {
      const now = happened.get(effect) ?? 0;
      const most = effect.startsWith('Bank.pay') ? times + world.repeats : times;
      if (now < times || now > most) violations.push(`${effect} took effect ${now} times, expected ${times}`);
    }
    if (happened.size > expected.effects.size)
      violations.push(`unexpected effects: ${[...happened.keys()].join(', ')}`);
    // At most one paid reply was lost, and one summary.
    if (world.modelCalls > expected.modelCalls + 2 * struck.length)
      violations.push(
        `${world.modelCalls} model calls, expected ${expected.modelCalls} and ${struck.length} faults`,
      );
    const ends = world.reported.flatMap((event) => (event.type === 'command-end' ? [event.callId] : []));
    if (new Set(ends).size < ends.length) violations.push('the end of a command was reported twice');
  }

  private async undisturbed(job: Job): Promise<Undisturbed> {
    const known = this.#undisturbed.get(job.name);
    if (known !== undefined) return known;
    this.platform.reset(1);
    const dice = new Dice(1);
    const world = new World(dice, []);
    const history = new History(job, world, this.platform, (storage) => storage);
    await history.untilDone(dice);
    if (world.violations.length > 0)
      throw new Error(`${job.name} undisturbed: ${world.violations.join('; ')}`);
    const { instants, modelCalls } = world;
    const found = { remains: await history.look(), instants, modelCalls, effects: counted(world) };
    this.#undisturbed.set(job.name, found);
    return found;
  }
}

/** The history of one session until its job is complete. */
class History {
  visits = 0;
  #thief: Promise<Visit> | null = null;

  constructor(
    private readonly job: Job,
    private readonly world: World,
    private readonly platform: Platform,
    private readonly between: (storage: SessionOpener) => SessionOpener,
  ) {
    world.steal = () => {
      this.#thief = this.visit();
      this.#thief.catch(() => {}); // Checked in its turn.
    };
  }

  async untilDone(dice: Dice): Promise<void> {
    let visit: Visit | null = null;
    while (this.visits < MOST_VISITS) {
      const thief = this.#thief;
      this.#thief = null;
      if (thief !== null) visit = await this.settled(thief);
      else if (visit === null || dice.once(2)) visit = await this.settled(this.visit());
      else visit.result = this.goOn(visit.session);
      if (visit === null) continue; // It could not be opened, or the worker died during it.
      this.visits += 1;
      const result: RunResult | null = await this.settled(
        Promise.race([visit.result, visit.life.died.then(() => null)]),
        visit.session,
      );
      if (this.#thief !== null || result === null) {
        visit = null;
        continue;
      }
      if (result.status === 'done' && !visit.session.resumable) return;
      if (this.world.violations.length > 0) return;
    }
    this.world.violations.push(`not done after ${MOST_VISITS} visits`);
  }

  /** The final state as a reload finds it. */
  async look(): Promise<Remains> {
    const store = await this.world.disk.open(NAME, { takeOver: true });
    const turns = await store.load('turns');
    const session = await Session.open({ ...this.options(new Life()) });
    const files = await session.files.readAll('/');
    const roles = session.environment.roleNames;
    return {
      messages: roles.map((name) => session.messages(name)),
      plans: roles.map((name) => session.plan(name)),
      steps: await Promise.all(roles.map((name) => session.steps(name))),
      memory: (await session.memory.list()).sort((one, other) =>
        one.message.content < other.message.content ? -1 : 1,
      ),
      inspection: session.inspect(),
      lastRun: session.lastRun,
      waiting: session.waiting,
      files: [...files].map(({ path, content }) => [path, content]),
      turns,
    };
  }

  private async visit(): Promise<Visit> {
    const life = new Life();
    const session = await Promise.race([
      Session.open(this.options(life)),
      life.died.then(() => Promise.reject(new Error('died'))),
    ]);
    this.world.stop = () => session.stop();
    return { life, session, result: this.goOn(session) };
  }

  /** The reaction of a user to this state of the session. */
  private async goOn(session: Session): Promise<RunResult> {
    try {
      const { waiting } = session;
      if (waiting !== null && session.running === null)
        await session.answer(waiting.id, this.answer(waiting));
      if (session.resumable) return await (await session.resume()).result;
      if (session.lastRun !== null && session.messages().length > 0) return session.lastRun;
      return await (
        await session.send(this.job.request)
      ).result;
    } catch (error) {
      return { status: 'failed', summary: '', error: toRoleZeroError(error).toData() };
    }
  }

  private options(life: Life): SessionOptions {
    const options = optionsFor(this.job, this.world, life);
    return { ...options, storage: this.between(options.storage) };
  }

  private answer(question: Parameters<Job['answer']>[0]): string {
    if (/again\?$/.test(question.text)) this.world.repeats += 1;
    return this.job.answer(question);
  }

  /** Resolves a promise while time advances; null when it fails or never settles. */
  private async settled<Value>(promise: Promise<Value>, session?: Session): Promise<Value | null> {
    const end: { value: Value | null; done: boolean } = { value: null, done: false };
    promise.then(
      (value) => Object.assign(end, { value, done: true }),
      () => Object.assign(end, { done: true }),
    );
    for (let pushes = 0; ; pushes++) {
      await quiet();
      if (end.done) return end.value;
      if (this.platform.time.goOn()) continue;
      if (pushes < 2 && session !== undefined)
        session.stop(); // The user no longer waits.
      else {
        this.world.violations.push('it hangs, and no timer is left');
        return null;
      }
    }
  }
}

/** Opens the session of a job in its world. */
export function openFor(job: Job, world: World, life: Life, name = NAME): Promise<Session> {
  return Session.open({ ...optionsFor(job, world, life), name });
}

function optionsFor(job: Job, world: World, life: Life): SessionOptions {
  return {
    storage: world.storageOf(life),
    name: NAME,
    takeOver: true,
    ...job.team(world, life),
    askUser: (question) => world.ask(life, question, (asked) => job.answer(asked)),
    emit: (event) => void world.reported.push(event),
    now: () => world.now,
  };
}

interface Visit {
  life: Life;
  session: Session;
  result: Promise<RunResult>;
}

function counted(world: World): Map<string, number> {
  const times = new Map<string, number>();
  for (const { tool, input } of world.effects) {
    const name = `${tool} ${input}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  return times;
}
