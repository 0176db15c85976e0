import { describe, RoleZeroError } from '../../../core/error.js';
import type { ActionRequest, ActionResult, AnswerOf, DriverRequest, RequestKind } from '../protocol.js';
import { Refused, type PageConnection } from './connection.js';
import type { TabReport } from './tab-report.js';

/** Requests to the driver of the page that a tab shows. Another page may replace it at any time. */
export class TabDriver {
  /** Connection to the driver; null if there is no page to drive. */
  connection: PageConnection | null = null;
  /** The page that is being loaded. */
  readonly loading = new Loading();
  /** First element id that the next page of the tab may use. */
  nextId = 1;
  readonly #report: TabReport;
  /** Returns the reason why there is no page to drive. */
  readonly #problem: () => string;

  constructor(report: TabReport, problem: () => string) {
    this.#report = report;
    this.#problem = problem;
  }

  /**
   * Sends a request to the page's driver, after the page that is loading has finished.
   *
   * @throws RoleZeroError if there is no page to drive.
   * @throws Refused if the driver rejects the request.
   */
  async ask<Kind extends RequestKind>(
    request: Extract<DriverRequest, { kind: Kind }>,
  ): Promise<AnswerOf<Kind>> {
    await this.#loaded();
    if (this.connection === null) throw new RoleZeroError('tool-failed', this.#problem());
    const answer = await this.connection.call(request);
    if (request.kind === 'view' && 'nextId' in answer) this.nextId = Math.max(this.nextId, answer.nextId);
    return answer;
  }

  /** Performs an action in the page. If another page replaces the page in the meantime, that is the result of the action, not an error. */
  act(request: ActionRequest): Promise<ActionResult> {
    return this.#unlessReplaced(
      () => this.ask<ActionRequest['kind']>(request),
      () => ({ report: '', notes: [], left: true, quiet: true }),
    );
  }

  /** Returns the text of the page, or of the page that replaces it in the meantime. */
  words(): Promise<string> {
    return this.#unlessReplaced(
      async () => (await this.ask({ kind: 'words' })).text,
      () => this.words(),
    );
  }

  /** Resolves when the page, or the page that replaces it, is loaded and quiet. */
  async settled(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      await this.#loaded();
      const page = this.connection;
      if (page === null) return;
      await page.call({ kind: 'settle' }).catch((error: unknown) => {
        if (this.connection === page) this.#report.addNotice(describe(error));
      });
      if (!this.loading.isRunning && this.connection === page) return;
    }
  }

  async #loaded(): Promise<void> {
    if (this.loading.isRunning) await this.loading.ended();
  }

  /** Asks the page. Returns the other value if the request fails because another page replaces the page. */
  async #unlessReplaced<Value>(
    ask: () => Promise<Value>,
    replaced: () => Value | Promise<Value>,
  ): Promise<Value> {
    await this.#loaded();
    const page = this.connection;
    try {
      return await ask();
    } catch (error) {
      const isReplaced =
        page !== null && this.connection !== page && (this.loading.isRunning || this.connection !== null);
      if (error instanceof Refused || !isReplaced) throw error;
      return replaced();
    }
  }
}

/** Tracks the page that a tab is loading, if any. */
class Loading {
  #current: Promise<void> | null = null;

  get isRunning(): boolean {
    return this.#current !== null;
  }

  /** Resolves when nothing is loading, whether or not it succeeded. */
  async ended(): Promise<void> {
    await this.#current;
  }

  /** Tracks a new load instead of the current one. */
  start(loading: Promise<void>): void {
    const settled = loading.then(
      () => undefined,
      () => undefined,
    );
    this.#current = settled;
    void settled.then(() => {
      if (this.#current === settled) this.#current = null;
    });
  }
}
