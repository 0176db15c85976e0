import { activityOf, waitingFor } from '../core/activity.js';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { AgentEvent } from '../core/events.js';
import type { Question } from '../core/human.js';
import type { QueuedRequest } from '../core/queue.js';
import type { Purpose } from '../core/model.js';
import type { ClientRunResult, Run } from './run.js';
import type { Send } from './send.js';
import type { ClientSession } from './session.js';
import { Listeners } from './listeners.js';

/** The words that the model says so far, without its commands. */
export type Thought = Omit<AgentEvent<'thought-delta'>, 'type'>;

/**
 * A session's work at one moment. The object is the same until something changes, so it may stand in lists of dependencies; its
 * functions are the same for as long as the session is.
 */
export interface RunView {
  /** A run is in progress. */
  readonly running: boolean;
  /** The question that is open, or null; `answer` answers it. After a reload it is still here. */
  readonly question: Question | null;
  /** The requests that were sent during the run and that no role has read; see `Session.withdraw` and `Session.revise`. */
  readonly queued: readonly QueuedRequest[];
  /** Interrupted work can go on with `resume`. */
  readonly resumable: boolean;
  /** How the last run ended, also one of an earlier visit; null before the first. */
  readonly result: ClientRunResult | null;
  /**
   * The text to show: the words of the model while they stream in, and the reply to the user once there is one. After the run it is the
   * last reply, else the summary; empty when there is neither. It never holds commands.
   */
  readonly text: string;
  /** What the agent is doing, in a few words: "Writing /index.html"; see `activityOf`. Null while nothing runs and no question is open. */
  readonly activity: string | null;
  /** Why the last run failed, or that its budget is spent; null while one runs and after a success. */
  readonly error: RoleZeroError | null;
  /** The newest words of the model with the role that says them; null before the first word in this visit. `purpose` says what for. */
  readonly thought: Thought | null;
  /** What happened since the session was opened on this page, oldest first, without deltas and progress; the newest 1,000. */
  readonly events: readonly AgentEvent[];
  /** Asks for something; see `Session.send`. @throws RoleZeroError `invalid` while no session is open. */
  send: Send;
  /** Goes on with interrupted work. @throws RoleZeroError `invalid` while no session is open. */
  resume(): Run;
  /** Stops the run in progress, if there is one. */
  stop(): void;
  /**
   * Answers the open question and continues: also when the run that asked has ended, as after a reload. A viewer leaves the latter to the
   * page that holds the session, which is `resumable`.
   * @throws RoleZeroError `not-found` when no question is open, `invalid` while no session is.
   */
  answer(text: string): Promise<void>;
}

/** What `useRun` shows while there is no session. */
export const NO_RUN: RunView = {
  running: false,
  question: null,
  queued: [],
  resumable: false,
  result: null,
  text: '',
  activity: null,
  error: null,
  thought: null,
  events: [],
  send: () => notOpen(),
  resume: () => notOpen(),
  stop: () => {},
  answer: async () => notOpen(),
};

/** Purposes whose words are for the user; the others are questions of commands. */
const FOR_USERS: ReadonlySet<Purpose> = new Set<Purpose>(['think', 'quick', 'report']);
/** Maximum number of events in the view. */
const MOST_EVENTS = 1_000;
/** Events that are not in the view: there are too many. */
const NOT_LISTED: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'thought-delta',
  'reply-delta',
  'reasoning-delta',
  'command-output-delta',
  'model-progress',
]);
/** Deltas come by the thousand a second: components hear of them once a frame. */
const FRAME_MS = 16;

const followedRuns = new WeakMap<ClientSession, FollowedRun>();

/** Follows a session for as long as it lives: whoever looks again, as after a change of pages, has missed nothing. */
export function follow(session: ClientSession): FollowedRun {
  const known = followedRuns.get(session);
  if (known !== undefined) return known;
  const made = new FollowedRun(session);
  followedRuns.set(session, made);
  return made;
}

/** Collects the events of a session into one view. */
export class FollowedRun {
  readonly #session: ClientSession;
  readonly #listeners = new Listeners();
  readonly #actions: Pick<RunView, 'send' | 'resume' | 'stop' | 'answer'>;
  #events: readonly AgentEvent[] = [];
  #thought: Thought | null = null;
  /** What each role says at the moment: the next delta of another role does not belong to it. */
  readonly #speaking = new Map<string, Thought>();
  #text = '';
  /** The last reply to the user in this run. */
  #reply = '';
  #activity: string | null = null;
  /** Why the last run could not be followed to its end. */
  #fault: RoleZeroError | null = null;
  #run: Run | null = null;
  #view: RunView | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(session: ClientSession) {
    this.#session = session;

    this.#actions = {
      send: (...args: Parameters<Send>) => this.#started(session.send(...args)),
      resume: () => this.#started(session.resume()),
      stop: () => session.running?.stop(),
      answer: (text) => this.#answer(text),
    };
    session.on((event) => this.#hear(event));
    session.onViewChange = () => this.#changed();
    if (session.running !== null) this.#started(session.running);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.remove(listener);
  };

  /** The same object until something changes. */
  readonly view = (): RunView => {
    this.#view ??= this.#look();
    return this.#view;
  };

  #look(): RunView {
    const { running, waiting, queued, resumable, lastRun } = this.#session;
    const fault = this.#fault;
    const result = fault === null ? lastRun : { status: 'failed' as const, summary: '', error: fault };
    const isRunning = running !== null;
    return {
      running: isRunning,
      question: waiting,
      queued,
      resumable,
      result,
      text: this.#text === '' && !isRunning ? (result?.summary ?? '') : this.#text,
      activity:
        waiting === null ? (isRunning ? (this.#activity ?? 'Starting') : null) : waitingFor(waiting.kind),
      error: isRunning ? null : (result?.error ?? null),
      thought: this.#thought,
      events: this.#events,
      ...this.#actions,
    };
  }

  #hear(event: AgentEvent): void {
    const activity = activityOf(event, this.#activity);
    if (activity !== this.#activity) {
      this.#activity = activity;
      this.#changedSoon();
    }
    if (event.type === 'thought-delta') {
      this.#say(event);
      this.#changedSoon();
    }
    if (NOT_LISTED.has(event.type)) return;
    this.#update(event);
    this.#events = [...this.#events, event].slice(-MOST_EVENTS);
    const { running } = this.#session;
    if (running !== null) this.#started(running);
    this.#changed();
  }

  #update(event: AgentEvent): void {
    switch (event.type) {
      case 'run-start':
        this.#speaking.clear();
        this.#text = '';
        this.#reply = '';
        break;
      case 'call-start':
        this.#speaking.delete(event.role); // a call that is made again says everything again
        break;
      case 'call-retry':
        this.#dropThought(event.role);
        break;
      case 'thought-end':
        this.#speaking.delete(event.role);
        this.#show(toThought(event));
        break;
      case 'human-reply':
        this.#reply = event.text;
        this.#text = event.text;
        break;
      case 'run-end':
        this.#speaking.clear();
        this.#text = this.#reply || event.summary || this.#text;
        break;
      default:
        break;
    }
  }

  #say(event: Thought): void {
    const before = this.#speaking.get(event.role);
    const isSame = before?.purpose === event.purpose;
    const thought = { ...toThought(event), text: (isSame ? before.text : '') + event.text };
    this.#speaking.set(event.role, thought);
    this.#show(thought);
  }

  /** Drops the half reply of a failed attempt. */
  #dropThought(role: string): void {
    const dropped = this.#speaking.get(role);
    this.#speaking.delete(role);
    if (dropped === undefined) return;
    if (this.#text === dropped.text) this.#text = this.#reply;
    if (this.#thought?.role === role) this.#thought = null;
  }

  #show(thought: Thought): void {
    this.#thought = thought;
    if (FOR_USERS.has(thought.purpose) && thought.text !== '') this.#text = thought.text;
  }

  /** Starts or returns the followed run. A run ends with its result, because events can arrive before the run they belong to is known. */
  #started(run: Run): Run {
    if (this.#run === run) return run;
    this.#run = run;
    this.#fault = null;
    run.result().then(
      () => this.#changed(),
      (error: unknown) => {
        this.#fault = toRoleZeroError(error);
        this.#changed();
      },
    );
    this.#changed();
    return run;
  }

  async #answer(text: string): Promise<void> {
    const question = this.#session.waiting;
    if (question === null) throw new RoleZeroError('not-found', 'No question is open.', {});
    await this.#session.answer(question.id, text);
    const { running, viewing } = this.#session;
    if (running === null && !viewing) this.#started(this.#session.resume());
    this.#changed();
  }

  #changedSoon(): void {
    this.#view = null;
    this.#timer ??= setTimeout(() => this.#changed(), FRAME_MS);
  }

  #changed(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#view = null;
    this.#listeners.tell();
  }
}

function toThought({ role, purpose, text }: Thought): Thought {
  return { role, purpose, text };
}

function notOpen(): never {
  throw new RoleZeroError(
    'invalid',
    'No session is open yet: wait until `session` of useSession is not null.',
    {},
  );
}
