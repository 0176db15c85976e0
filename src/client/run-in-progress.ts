import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { AgentEvent, RunResult } from '../core/events.js';
import type { SessionView } from '../wire/protocol.js';
import { Run } from './run.js';

/** The run in progress of a session: started on this page or, in a viewer tab, on the page that holds the session. */
export class RunInProgress {
  readonly #session: string;
  readonly #stop: () => void;
  readonly #lastRun: () => RunResult | null;
  #run: Run | null = null;
  /** Another page started it. */
  #isFollowed = false;

  constructor(session: string, stop: () => void, lastRun: () => RunResult | null) {
    this.#session = session;
    this.#stop = stop;
    this.#lastRun = lastRun;
  }

  get run(): Run | null {
    return this.#run;
  }
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  /**
   * Returns the run in progress, or a new one.
   *
   * @param begin starts or joins the run in the worker. Returns its id, or null when it has already ended.
   * @param warn receives an error of `begin` where another call has started the run, or still may.
   * @param readOutput reads the typed answer of a new run.
   */
  begin(
    begin: () => Promise<string | null>,
    warn: (fault: RoleZeroError) => void,
    readOutput?: (value: unknown) => unknown,
  ): Run {
    const run = this.#start(readOutput);
    run.starting += 1;
    begin().then(
      (id) => {
        run.starting -= 1;
        if (id === null) this.finish(run);
        else run.begin(id);
        if (run.ended) this.#clear(run);
      },
      (error: unknown) => {
        const fault = toRoleZeroError(error);
        run.starting -= 1;
        if (run.id === null && !run.ended && run.starting === 0) run.fail(fault);
        else {
          warn(fault); // another call has started the run, or still may
          run.settle();
        }
        if (run.ended) this.#clear(run);
      },
    );
    return run;
  }

  #start(readOutput?: (value: unknown) => unknown): Run {
    return (this.#run ??= new Run(this.#stop, readOutput));
  }

  /** @throws RoleZeroError `invalid` while a run is in progress: a request with a typed answer starts its own. */
  checkIdle(): void {
    if (this.#run === null) return;
    throw new RoleZeroError(
      'invalid',
      'A request with `output` starts a run of its own, and one is in progress. Await its result, or stop it, then send the request.',
      { session: this.#session },
    );
  }

  push(event: AgentEvent, view: SessionView): void {
    if (event.type === 'session-held') this.unfollow(view); // its listeners may resume what the other page has left
    const run = this.#run;
    run?.push(event);
    if (run?.ended) this.#run = null;
  }

  /** Follows the run of the page that holds the session, if this page is a viewer. */
  follow({ viewing, running }: SessionView): void {
    if (!viewing || running === null || this.#run !== null) return;
    this.#start().begin(running);
    this.#isFollowed = true;
  }

  /** Fails a followed run that is gone without a `run-end` event: its page was closed, for example. */
  unfollow({ running }: SessionView): void {
    if (!this.#isFollowed || this.#run?.id === running) return;
    this.fail(workerLost(this.#session));
    this.#isFollowed = false;
  }

  /** Ends a run with the stored result of the last run. */
  finish(run: Run): void {
    const lastRun = this.#lastRun();
    if (lastRun === null) run.fail(workerLost(this.#session));
    else run.finish(lastRun);
    this.#clear(run);
  }

  /** Forgets this run, unless another one is in progress. */
  #clear(run: Run): void {
    if (this.#run === run) this.#run = null;
  }

  fail(error: RoleZeroError): void {
    this.#run?.fail(error);
    this.#run = null;
  }
}

/** @param restarts number of replacements in a row that were lost, too */
export function workerLost(session: string, restarts = 0): RoleZeroError {
  const isReplaced =
    restarts > 0
      ? ` ${restarts === 1 ? 'Its replacement was' : `${restarts} replacements were`} lost, too.`
      : '';
  return new RoleZeroError(
    'worker-lost',
    `The agent worker is gone: it was terminated, or it crashed.${isReplaced} Nothing committed is lost; connect again and resume.`,
    { session, restarts },
  );
}

/** @param restarts number of replacements in a row, with this one */
export function workerRestarted(session: string, restarts: number): Omit<AgentEvent<'warning'>, 'type'> {
  const message = 'The agent worker was lost or hung. A new one continues from the stored state.';
  return { code: 'worker-restarted', message, detail: { session, restarts } };
}

export function sessionClosed(session: string): RoleZeroError {
  return new RoleZeroError('worker-lost', `Session '${session}' was closed here. Connect again to use it.`, {
    session,
  });
}
