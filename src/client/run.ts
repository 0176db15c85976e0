import { defined } from '../core/defined.js';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { AgentEvent, RunResult, RunStatus } from '../core/events.js';

/** Result of a run on the page. */
export interface ClientRunResult<Output = unknown> {
  status: RunStatus;
  summary: string;
  /** Why it failed, or that the budget is spent (`budget`); null otherwise. */
  error: RoleZeroError | null;
  /**
   * The typed answer that `send` asked for; absent unless the status is `done`. Of a run of an earlier visit it is the JSON value that the
   * model wrote: only the page that sent the request has its schema.
   */
  output?: Output;
  /**
   * Number of commands that failed in the last step that worked, so that nothing has repaired them since; absent for none. Commands that only
   * plan, reply, or end the turn do no work.
   */
  failedCommands?: number;
}

/** Maximum number of events stored for a slow iteration. Beyond it, deltas are dropped first, then the oldest half. */
const MAX_WAITING_EVENTS = 20_000;
/** The same while no iteration has begun: many applications use only the result, or `session.on`. */
const MAX_BEFORE_ITERATION = 2_000;

/** One run: iterate it for its events, or just await `result()`. Leaving the iteration does not stop the run; `stop()` does. */
export class Run<Output = unknown> implements AsyncIterable<AgentEvent> {
  readonly #stop: () => void;
  #id: string | null = null;
  /** Ends of runs, stored until the call has returned the id: both arrive on different ports, in any order. */
  #ends: AgentEvent<'run-end'>[] = [];
  #waiting: AgentEvent[] = [];
  #isIterated = false;
  #isStopRequested = false;
  readonly #wakes: (() => void)[] = [];
  #ended = false;
  #fault: RoleZeroError | null = null;
  readonly #result: Promise<ClientRunResult<Output>>;
  #resolve: (result: ClientRunResult<Output>) => void = () => {};
  #reject: (error: RoleZeroError) => void = () => {};
  /**
   * Resolves when the request is stored with its files, or the interrupted work is resumed: an interface may then clear its field. Rejects
   * when the request is refused, as `result()` does, also while a run is in progress: nothing of it is stored then.
   *
   * @throws RoleZeroError `invalid`, `not-found`, `conflict`, `inbox-full`, `storage-…`, `session-…`, `worker-lost`.
   */
  readonly accepted: Promise<void>;
  #accept: () => void = () => {};
  #refuse: (error: RoleZeroError) => void = () => {};

  /** @internal Reads the typed answer. */
  readonly readOutput: (value: unknown) => unknown;

  /** @internal Created by a session. */
  constructor(stop: () => void, readOutput: (value: unknown) => unknown = (value) => value) {
    this.#stop = stop;
    this.readOutput = readOutput;
    this.accepted = new Promise((resolve, reject) => {
      this.#accept = resolve;
      this.#refuse = reject;
    });
    this.accepted.catch(() => {}); // reported by result(), too
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#result.catch(() => {}); // errors are reported by result() and the iteration
  }

  /** @internal A run that could not be started. */
  static failed(error: RoleZeroError): Run {
    const run = new Run(() => {});
    run.fail(error);
    return run;
  }

  /** True once the run is over, however it ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Resolves with the result of the run; `failed` contains the error.
   * @throws RoleZeroError `worker-lost`, `session-…` or `storage-…` when the run could not be followed.
   */
  result(): Promise<ClientRunResult<Output>> {
    return this.#result;
  }

  /** Stops the run: the model call, the tool, the question. Committed work remains, and the session is `resumable`. */
  stop(): void {
    if (this.#ended) return;
    this.#isStopRequested = this.#id === null; // the worker may not have the request yet
    this.#stop();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, undefined> {
    this.#isIterated = true;
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      else if (this.#fault !== null) throw this.#fault;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#wakes.push(resolve));
    }
  }

  /** @internal Sets the id of the run, as the worker reports it. Drops the events before the start of the run. */
  begin(id: string): void {
    this.#id = id;
    const start = this.#waiting.findIndex((event) => event.type === 'run-start' && event.runId === id);
    if (start > 0) this.#waiting.splice(0, start);
    this.#accept();
    this.#settle();
    if (this.#isStopRequested) this.stop();
    this.#isStopRequested = false;
  }

  /** @internal The id of the run, once the worker has reported it. */
  get id(): string | null {
    return this.#id;
  }

  /** @internal Ends the run with a result, such as one that was stored while this page was not connected. */
  finish(result: RunResult): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#accept();
    this.#resolve(this.#read(toClient(result)));
    this.#wake();
  }

  /** @internal */
  push(event: AgentEvent): void {
    if (this.#ended) return;
    const most = this.#isIterated ? MAX_WAITING_EVENTS : MAX_BEFORE_ITERATION;
    if (this.#waiting.length >= most) {
      this.#waiting = this.#waiting.filter((waiting) => !waiting.type.endsWith('-delta'));
      if (this.#waiting.length > most / 2) this.#waiting.splice(0, most / 2);
    }
    this.#waiting.push(event);
    if (event.type === 'run-end') {
      this.#ends.push(event);
      this.#settle();
    }
    this.#wake();
  }

  /** @internal Ends the run with an error because it cannot be followed any longer. */
  fail(error: RoleZeroError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#fault = error;
    this.#refuse(error);
    this.#reject(error);
    this.#wake();
  }

  /** Continues all iterations. */
  #wake(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /** Ends the run when it has ended in the worker. */
  #settle(): void {
    const end = this.#ends.find(({ runId }) => runId === this.#id);
    if (end !== undefined) this.finish(end);
  }

  /** Reads the typed answer with the schema of the application. One that does not fit makes the run fail. */
  #read(result: ClientRunResult): ClientRunResult<Output> {
    const { output, ...rest } = result;
    if (output === undefined) return rest;
    try {
      return { ...rest, output: this.readOutput(output) as Output };
    } catch (error) {
      return { ...rest, status: 'failed', error: toRoleZeroError(error) };
    }
  }
}

export function toClient({ status, summary, error, output, failedCommands }: RunResult): ClientRunResult {
  const reason = error && RoleZeroError.fromData(error);
  return { status, summary, error: reason, ...defined({ output, failedCommands }) };
}
