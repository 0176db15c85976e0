import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { AgentEvent, RunResult } from '../core/events.js';
import type { SessionView } from '../wire/protocol.js';
import { workerLost } from './lost-worker.js';
import { Run } from './run.js';

/**
 * The run in progress of a session: started on this page or, in a viewer tab, on the page that holds the session. Each call that starts or
 * joins it has a `Run` of its own, so that a request that is refused has one to reject.
 */
export class RunInProgress {
  readonly #session: string;
  readonly #stop: () => void;
  readonly #lastRun: () => RunResult | null;
  /** Those that have not ended, in the order of their calls. */
  #runs: Run[] = [];
  /** Another page started the run. */
  #isFollowed = false;

  constructor(session: string, stop: () => void, lastRun: () => RunResult | null) {
    this.#session = session;
    this.#stop = stop;
    this.#lastRun = lastRun;
  }

  /** The first one; null while no run is in progress. */
  get run(): Run | null {
    return this.#runs[0] ?? null;
  }
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  /**
   * Returns a new `Run`.
   *
   * @param begin starts or joins the run in the worker. Returns its id, or null when it has already ended.
   * @param warn receives an error of `begin` while another call has a run, which continues.
   * @param readOutput reads the typed answer.
   */
  begin(
    begin: () => Promise<string | null>,
    warn: (fault: RoleZeroError) => void,
    readOutput?: (value: unknown) => unknown,
  ): Run {
    const run = this.#add(readOutput);
    begin().then(
      (id) => {
        if (id === null) this.#finish(run);
        else run.begin(id);
        this.#dropEnded();
      },
      (error: unknown) => {
        const fault = toRoleZeroError(error);
        if (this.#runs.some((other) => other !== run)) warn(fault);
        run.fail(fault);
        this.#dropEnded();
      },
    );
    return run;
  }

  #add(readOutput?: (value: unknown) => unknown): Run {
    const run = new Run(this.#stop, readOutput ?? this.run?.readOutput);
    this.#runs.push(run);
    return run;
  }

  /** @throws RoleZeroError `invalid` while a run is in progress: a request with a typed answer starts its own. */
  checkIdle(): void {
    if (this.#runs.length === 0) return;
    throw new RoleZeroError(
      'invalid',
      'A request with `output` starts a run of its own, and one is in progress. Await its result, or stop it, then send the request.',
      { session: this.#session },
    );
  }

  push(event: AgentEvent, view: SessionView): void {
    if (event.type === 'session-held') this.unfollow(view); // its listeners may resume what the other page has left
    for (const run of this.#runs) run.push(event);
    this.#dropEnded();
  }

  /** Follows the run of the page that holds the session, if this page is a viewer. */
  follow({ viewing, running }: SessionView): void {
    if (!viewing || running === null || this.#runs.length > 0) return;
    this.#add().begin(running);
    this.#isFollowed = true;
  }

  /** Fails a followed run that is gone without a `run-end` event: its page was closed, for example. */
  unfollow({ running }: SessionView): void {
    if (!this.#isFollowed || this.run?.id === running) return;
    this.fail(workerLost(this.#session));
    this.#isFollowed = false;
  }

  /** Resolves when every call has started or joined a run, or was refused. */
  async called(): Promise<void> {
    await Promise.allSettled(this.#runs.map(({ accepted }) => accepted));
  }

  /** The worker has resumed the run under another id. Calls without an id are repeated. */
  continue(id: string): void {
    for (const run of this.#started) run.begin(id);
    this.#dropEnded();
  }

  /** Ends the run with the stored result of the last run. */
  finish(): void {
    for (const run of this.#started) this.#finish(run);
    this.#dropEnded();
  }

  get #started(): Run[] {
    return this.#runs.filter(({ id }) => id !== null);
  }

  #finish(run: Run): void {
    const lastRun = this.#lastRun();
    if (lastRun === null) run.fail(workerLost(this.#session));
    else run.finish(lastRun);
  }

  #dropEnded(): void {
    this.#runs = this.#runs.filter(({ ended }) => !ended);
  }

  fail(error: RoleZeroError): void {
    for (const run of this.#runs) run.fail(error);
    this.#runs = [];
  }
}

export function sessionClosed(session: string): RoleZeroError {
  return new RoleZeroError('worker-lost', `Session '${session}' was closed here. Connect again to use it.`, {
    session,
  });
}
