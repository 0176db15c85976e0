import type { Session } from 'rolezero';
import { consoleOf } from './stage-client.js';
import type { ShownPage, Store } from './state/app-state.js';

/** In ms, the time between two readings of the console. */
const INTERVAL = 2_000;
/** Maximum number of errors that are shown, the newest ones. */
const MOST = 5;
const ERROR = 'error: ';
/** What the sandbox forbids is no error of the page. */
const BLOCKED = `${ERROR}Blocked by`;

/** The errors of the page in the preview: of the user's, and of the agent's between runs. */
export class PageErrors {
  /** The page that was read last. */
  #page: ShownPage | null = null;
  /** Number of its console lines that are not shown, or no longer. */
  #seen = 0;
  /** Number of its console lines at the last reading. */
  #count = 0;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    /** Called when there are other errors than before. */
    private readonly found: () => void,
  ) {}

  /** Called before a page is opened. */
  opening(): void {
    clearTimeout(this.#next);
    this.store.update({ pageErrors: [] });
  }

  /** Reads the console of the page in the preview, and again until another session is open. Resolves after the first reading. */
  async watch(session: Session): Promise<void> {
    clearTimeout(this.#next);
    if (session !== this.session()) return;
    const { page, runningSince } = this.store.state;
    const isTested = page?.by === 'agent' && runningSince !== null;
    if (page !== null && !isTested && !document.hidden) await this.#read(session, page);
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.watch(session).catch(() => {}), INTERVAL); // the frame may be gone
  }

  /** Shows the errors so far no longer. Returns them. */
  dismiss(): readonly string[] {
    const { pageErrors } = this.store.state;
    this.#seen = this.#count;
    this.store.update({ pageErrors: [] });
    return pageErrors;
  }

  async #read(session: Session, page: ShownPage): Promise<void> {
    const lines = await consoleOf(session, page);
    if (page !== this.store.state.page) return; // Another one was opened meanwhile.
    if (page !== this.#page) this.#seen = 0;
    this.#page = page;
    this.#count = lines.length;
    const errors = lines
      .slice(this.#seen)
      .filter((line) => line.startsWith(ERROR) && !line.startsWith(BLOCKED))
      .map((line) => line.slice(ERROR.length))
      .slice(-MOST);
    if (errors.join('\n') === this.store.state.pageErrors.join('\n')) return;
    this.store.update({ pageErrors: errors });
    this.found();
  }
}
