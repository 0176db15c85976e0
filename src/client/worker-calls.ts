import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import { isChange, type MethodArguments, type MethodName, type MethodResult } from '../wire/session-api.js';
import type { WorkerLink } from './worker-link.js';

interface CallOptions {
  /** Returns the number of commits of the session that the page knows of. */
  head: () => number | undefined;
  /** The worker recognizes a repetition, so the call is always repeated. This runs before; an error rejects the call. */
  onRepeat?: () => unknown;
}

/**
 * Calls the worker of a session, and survives its replacement: calls wait until there is a worker again. A call that was interrupted is
 * repeated when it only reads, or when nothing was stored meanwhile.
 */
export class WorkerCalls {
  readonly #session: string;
  #link: WorkerLink | null = null;
  #failure: RoleZeroError | null = null;
  #wake: (() => void)[] = [];

  constructor(session: string) {
    this.#session = session;
  }

  /** Sends waiting and later calls to this worker. */
  open(link: WorkerLink): void {
    this.#set(link, null);
  }

  /** Makes calls wait: the worker is being replaced. */
  hold(): void {
    this.#set(null, null);
  }

  /** Rejects waiting and later calls. */
  fail(error: RoleZeroError): void {
    this.#set(null, error);
  }

  /** @throws RoleZeroError what the worker reports, why there is no worker, or `interrupted` when the outcome of the call is not known. */
  async call<Name extends MethodName>(
    name: Name,
    args: MethodArguments<Name>,
    { head, onRepeat }: CallOptions,
  ): Promise<MethodResult<Name>> {
    for (let before: number | undefined, isRepeated = false; ; isRepeated = true) {
      const link = await this.#connected();
      if (isRepeated) {
        onRepeat?.();
        if (onRepeat === undefined && isChange(name) && head() !== before) throw this.#interrupted(name);
      }
      before = head();
      try {
        return await link.call(name, args);
      } catch (error) {
        if (link === this.#link || toRoleZeroError(error).code !== 'worker-lost') throw error;
      }
    }
  }

  /** Like `call`. When the answer is repeated and its question is closed, the first attempt was stored. */
  async answer(args: MethodArguments<'answer'>, head: CallOptions['head']): Promise<void> {
    const attempts = { repeated: 0 };
    try {
      await this.call('answer', args, { head, onRepeat: () => (attempts.repeated += 1) });
    } catch (error) {
      if (attempts.repeated === 0 || toRoleZeroError(error).code !== 'not-found') throw error;
    }
  }

  async #connected(): Promise<WorkerLink> {
    while (this.#link === null) {
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this.#link;
  }

  #set(link: WorkerLink | null, failure: RoleZeroError | null): void {
    this.#link = link;
    this.#failure = failure;
    if (link !== null || failure !== null) for (const wake of this.#wake.splice(0)) wake();
  }

  #interrupted(name: MethodName): RoleZeroError {
    return new RoleZeroError(
      'interrupted',
      `The agent worker was lost during ${name}(), and a new one continues the session. Something was stored meanwhile, perhaps by this call: check that, then call again if necessary.`,
      { session: this.#session, call: name },
    );
  }
}
