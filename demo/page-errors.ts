import type { Session } from 'rolezero';
import { consoleOf } from './stage-client.js';
import type { Store } from './state/app-state.js';

/** In ms, the time between two readings of the console. */
const INTERVAL = 2_000;
/** Maximum number of errors that are shown, the newest ones. */
const MOST = 5;
const ERROR = 'error: ';
/** What the sandbox forbids is no error of the page. */
const BLOCKED = `${ERROR}Blocked by`;

/** The errors of the page that the user has opened in the preview. */
export class PageErrors {
  /** Number of console lines that are not shown, or no longer. */
  #seen = 0;
  /** Number of console lines at the last reading. */
  #count = 0;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
  ) {}

  /** Called before a page is opened: the console still has the lines of the page before. */
  async opening(session: Session): Promise<void> {
    clearTimeout(this.#next);
    this.store.update({ pageErrors: [] });
    this.#seen = (await consoleOf(session)).length;
  }

  /** Called when a page is open. Reads its console until another one is opened. */
  async opened(session: Session): Promise<void> {
    const { page, tab } = this.store.state;
    if (page?.by !== 'user' || session !== this.session()) return;
    if (tab === 'preview' && !document.hidden) await this.#read(session);
    this.#next = setTimeout(() => void this.opened(session).catch(() => {}), INTERVAL); // the frame may be gone
  }

  /** Shows the errors so far no longer. Returns them. */
  dismiss(): readonly string[] {
    const { pageErrors } = this.store.state;
    this.#seen = this.#count;
    this.store.update({ pageErrors: [] });
    return pageErrors;
  }

  async #read(session: Session): Promise<void> {
    const lines = await consoleOf(session);
    this.#count = lines.length;
    const errors = lines
      .slice(this.#seen)
      .filter((line) => line.startsWith(ERROR) && !line.startsWith(BLOCKED))
      .map((line) => line.slice(ERROR.length))
      .slice(-MOST);
    if (errors.join('\n') !== this.store.state.pageErrors.join('\n'))
      this.store.update({ pageErrors: errors });
  }
}
