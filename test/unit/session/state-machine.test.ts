import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { RunResult } from '../../../src/core/events.js';
import type { ChatModel, ChatRequest } from '../../../src/core/model.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session, type SessionRun } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

/** The reference model of a session. */
interface Expected {
  phase: 'idle' | 'running' | 'resumable';
  question: 'none' | 'open' | 'answered';
  status: RunResult['status'] | null;
  /** Requests that the current run has not read. */
  unread: number;
  files: Map<string, string>;
}

type Step = fc.AsyncCommand<Expected, Driven>;
const THOUGHTS = ['write', 'ask', 'end', 'fail'] as const;
type Thought = (typeof THOUGHTS)[number];

/** A model that replies to steps on request, and to all other calls at once. */
class Gated implements ChatModel {
  readonly id = 'gated';
  readonly contextWindow = 30_000;
  #open: { reply(text: string): void; fail(error: unknown): void } | null = null;
  #arrive: (() => void) | null = null;

  async *chat({ purpose, signal }: ChatRequest) {
    const text =
      purpose === 'think'
        ? await this.thought(signal)
        : purpose === 'classify'
          ? 'Response Category: TASK'
          : `${purpose}.`;
    yield { type: 'text-delta' as const, text };
    yield { type: 'finish' as const, reason: 'stop' as const };
  }

  /** Resolves when a step waits for its reply. */
  arrived(): Promise<void> {
    if (this.#open !== null) return Promise.resolve();
    return new Promise((resolve) => (this.#arrive = resolve));
  }

  say(thought: string | RoleZeroError): void {
    const open = this.#open;
    this.#open = null;
    if (typeof thought === 'string') open?.reply(thought);
    else open?.fail(thought);
  }

  private thought(signal: AbortSignal): Promise<string> {
    return new Promise((reply, fail) => {
      this.#open = { reply, fail };
      signal.addEventListener('abort', () => {
        this.#open = null;
        fail(signal.reason as Error);
      });
      this.#arrive?.();
      this.#arrive = null;
    });
  }
}

/** A session and its controls. */
class Driven {
  readonly #storage = memoryStorage();
  #name = 'machine';
  #number = 0;
  #session: Session | null = null;
  #run: SessionRun | null = null;
  #model = new Gated();

  get session(): Session {
    if (this.#session === null) throw new Error('open it first');
    return this.#session;
  }

  /** Returns a text that is not used elsewhere. */
  next(what: string): string {
    return `${what} ${(this.#number += 1)}`;
  }

  async open(name = this.#name): Promise<void> {
    this.#name = name;
    this.#model = new Gated();
    this.#run = null;
    const roles = [new RoleZero({ model: this.#model, tools: editor(), maxSteps: 1_000 })];
    const askUser = async () => null;
    this.#session = await Session.open({ storage: this.#storage, name, roles, askUser, emit: () => {} });
  }

  /** Starts or continues; null while a step waits for its reply, otherwise the result of the run. */
  async begin(starting: Promise<SessionRun>): Promise<RunResult | null> {
    this.#run = await starting;
    return this.settled();
  }

  think(thought: Thought): Promise<RunResult | null> {
    const answers: Record<Thought, () => string | RoleZeroError> = {
      write: () => commands(['Editor.write', { path: `/${this.next('f')}.txt`, content: 'agent\n' }]),
      ask: () => commands(['RoleZero.ask_human', { question: this.next('which') }]),
      end: () => commands(['RoleZero.reply_to_human', { content: this.next('reply') }], ['end', {}]),
      fail: () => new RoleZeroError('model-request', 'It is not to be had.', {}),
    };
    this.#model.say(answers[thought]());
    return this.settled();
  }

  async stopped(): Promise<RunResult | undefined> {
    return this.#run?.result;
  }

  /** Closes the session, and reopens it or a copy of it. */
  async leave(copied: boolean): Promise<void> {
    const left = this.session;
    const name = copied ? this.next('copy') : this.#name;
    if (copied) await this.#storage.import(JSON.parse(JSON.stringify(await left.export())), name);
    await left.close();
    for (const late of [
      left.send('late'),
      left.resume(),
      left.answer('x', 'late'),
      left.files.write('/x', 'x'),
    ])
      await expect(late).rejects.toMatchObject({ code: 'aborted' });
    await this.open(name);
  }

  private settled(): Promise<RunResult | null> {
    return Promise.race([this.#run?.result ?? null, this.#model.arrived().then(() => null)]);
  }
}

/** Compares everything visible of the session with the reference model. */
async function check(expected: Expected, { session }: Driven): Promise<void> {
  expect(session.running !== null).toBe(expected.phase === 'running');
  expect(session.resumable).toBe(expected.phase === 'resumable');
  expect(session.waiting !== null).toBe(expected.question === 'open');
  if (expected.phase !== 'running') expect(session.lastRun?.status ?? null).toBe(expected.status);
  const files = await Promise.all(
    (await session.files.list()).map(async ({ path }) => [path, await session.files.read(path)] as const),
  );
  expect(new Map(files)).toEqual(expected.files);
}

function seen(session: Session) {
  return { messages: session.messages(), plan: session.plan(), usage: session.usage() };
}

function step(name: string, run: (expected: Expected, real: Driven) => Promise<void>, can = alwaysCan): Step {
  return {
    check: can,
    run: async (expected, real) => {
      await run(expected, real);
      await check(expected, real);
    },
    toString: () => name,
  };
}
const alwaysCan = (_expected: Readonly<Expected>): boolean => true;
const isRunning = ({ phase }: Readonly<Expected>): boolean => phase === 'running';

/** Records the result of a run. */
function end(expected: Expected, status: RunResult['status']): void {
  expected.phase = status === 'done' ? 'idle' : 'resumable';
  expected.status = status;
}

const send = step('send', async (expected, real) => {
  const request = real.next('request');
  const before = real.session.running?.id;
  expect(await real.begin(real.session.send(request))).toBe(null);
  if (expected.phase === 'running') {
    expect(real.session.running?.id).toBe(before);
    expected.unread += 1;
  } else Object.assign(expected, { phase: 'running', question: 'none', unread: 0 });
});

const think = (thought: Thought): Step =>
  step(
    `think ${thought}`,
    async (expected, real) => {
      const result = await real.think(thought);
      if (thought === 'write') {
        const written = (await real.session.files.list()).map(({ path }) => path);
        const path = written.find((each) => each.startsWith('/f ') && !expected.files.has(each)) ?? '';
        expected.files.set(path, 'agent\n');
      }
      if (thought === 'ask') expected.question = 'open';
      const ends = { write: null, ask: 'waiting', end: 'done', fail: 'failed' } as const;
      const goesOn = thought === 'write' || (thought === 'end' && expected.unread > 0);
      expect(result?.status ?? null).toBe(goesOn ? null : ends[thought]);
      if (result !== null) end(expected, result.status);
      if (thought !== 'fail' && thought !== 'ask') expected.unread = 0;
    },
    isRunning,
  );

const stop = step('stop', async (expected, real) => {
  real.session.stop();
  if (expected.phase !== 'running') return;
  expect((await real.stopped())?.status).toBe('stopped');
  end(expected, 'stopped');
});

const resume = step('resume', async (expected, real) => {
  if (expected.phase === 'idle') {
    await expect(real.session.resume()).rejects.toMatchObject({ code: 'invalid' });
    return;
  }
  const result = await real.begin(real.session.resume());
  if (expected.question === 'open') {
    expect(result?.status).toBe('waiting');
    end(expected, 'waiting');
  } else {
    expect(result).toBe(null);
    if (expected.phase === 'running') return;
    Object.assign(expected, { phase: 'running', question: 'none', unread: 0 });
  }
});

const answer = step('answer', async (expected, real) => {
  const { session } = real;
  const id = session.waiting?.id;
  await expect(session.answer('nobody asked', 'x')).rejects.toMatchObject({ code: 'not-found' });
  if (id === undefined) return;
  await session.answer(id, real.next('answer'));
  await expect(session.answer(id, 'twice')).rejects.toMatchObject({ code: 'not-found' });
  expected.question = 'answered';
});

const write = step('write a file', async (expected, real) => {
  const path = `/${real.next('user')}.txt`;
  await real.session.files.write(path, 'person\n');
  expected.files.set(path, 'person\n');
});

const leave = (copied: boolean): Step =>
  step(copied ? 'go on with a copy' : 'leave and come back', async (expected, real) => {
    const before = seen(real.session);
    await real.leave(copied);
    const after = seen(real.session);
    // Messages read since the last reply are stored with the next one: they are read again, and set the goal.
    const again = before.messages.splice(after.messages.length);
    if (again.length > 0) before.plan.goal = after.plan.goal;
    expect(after).toEqual(before);
    expect(again.every(({ causeBy }) => expected.phase === 'running' && causeBy === 'UserRequirement')).toBe(
      true,
    );
    // An answer from outside of this test has no effect.
    if (copied && expected.question === 'answered') expected.question = 'open';
    if (expected.phase !== 'running') return;
    end(expected, 'stopped');
    // The user did not stop the run. A copy has what was stored before.
    expected.status = copied ? (real.session.lastRun?.status ?? null) : null;
  });

it('a session is in the expected state after any sequence of calls', async () => {
  const all = [send, ...THOUGHTS.map(think), stop, resume, answer, write, leave(false), leave(true)];
  const steps = fc.commands(
    all.map((each) => fc.constant(each)),
    { maxCommands: 40 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const real = new Driven();
      await real.open();
      const model: Expected = { phase: 'idle', question: 'none', status: null, unread: 0, files: new Map() };
      await fc.asyncModelRun(() => ({ model, real }), given);
      await real.session.close();
    }),
    { numRuns: 40 },
  );
});
