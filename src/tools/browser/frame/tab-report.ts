import type { DriverEvent } from '../protocol.js';
import { WORKSPACE_ORIGIN } from './addresses.js';
import { locateError, type ShownDocument } from './error-place.js';

/** Maximum number of stored console lines. */
const MAX_LOG_LINES = 200;
/** Maximum number of events waiting to be reported. */
const MAX_NOTICES = 20;

/** Events of a tab: the console of its pages, and notices for the next reply. */
export class TabReport {
  readonly log: string[] = [];
  /** Number of console lines of pages before the newest one. */
  logStart = 0;
  /** The document of the newest page; null if it has none of which the host knows the lines. */
  #shown: ShownDocument | null = null;
  readonly #notices: string[] = [];

  /** A page is about to be shown. */
  begin(shown: ShownDocument): void {
    this.#shown = shown;
    this.logStart = this.log.length;
  }

  add(event: Extract<DriverEvent, { event: 'dialog' | 'console' | 'error' }>): void {
    if (event.event === 'dialog') {
      const answer = event.answer === '' ? '' : ` was answered with ${event.answer}`;
      this.addNotice(`${event.kind} ${JSON.stringify(event.message)}${answer}`);
    } else if (event.event === 'console') this.addLine(event.level, event.text);
    else {
      const place = event.at === undefined ? '' : ` (${locateError(event.at, this.#shown)})`;
      this.addLine('error', event.text + place);
      // Violations of the page's policy appear only in the log, which also lists missing files.
      if (!event.text.startsWith('Blocked by'))
        this.addNotice(`Error in the page: ${event.text.slice(0, 500)}${place}`);
    }
  }

  addLine(level: string, text: string): void {
    const line = `${level}: ${shownText(text)}`;
    if (this.log.length === this.logStart || this.log.at(-1) !== line) this.log.push(line);
    const excess = this.log.length - MAX_LOG_LINES;
    if (excess <= 0) return;
    this.log.splice(0, excess);
    this.logStart = Math.max(0, this.logStart - excess);
  }

  addNotice(text: string): void {
    const shown = shownText(text);
    if (this.#notices.length < MAX_NOTICES && !this.#notices.includes(shown)) this.#notices.push(shown);
  }

  /** Returns the notices since the last call. */
  takeNotices(): string[] {
    return this.#notices.splice(0);
  }
}

function shownText(text: string): string {
  return text.replaceAll(`${WORKSPACE_ORIGIN}/`, 'file:///');
}
