import type { DriverEvent } from '../protocol.js';
import { WORKSPACE } from './addresses.js';
import { errorPlace, type ShownDocument } from './error-place.js';

/** Maximum number of stored console lines. */
const MOST_LINES = 200;
/** Maximum number of events waiting to be reported. */
const MOST_NOTICES = 20;

/** Events of a tab: the console of its pages, and notices for the next reply. */
export class TabReport {
  /** The document of the newest page; null if it has none of which the host knows the lines. */
  shown: ShownDocument | null = null;
  readonly log: string[] = [];
  readonly #notices: string[] = [];

  add(event: Extract<DriverEvent, { event: 'dialog' | 'console' | 'error' }>): void {
    if (event.event === 'dialog') {
      const answer = event.answer === '' ? '' : ` was answered with ${event.answer}`;
      this.addNotice(`${event.kind} ${JSON.stringify(event.message)}${answer}`);
    } else if (event.event === 'console') this.addLine(event.level, event.text);
    else {
      const place = event.at === undefined ? '' : ` (${errorPlace(event.at, this.shown)})`;
      this.addLine('error', event.text + place);
      // Violations of the page's policy appear only in the log, which also lists missing files.
      if (!event.text.startsWith('Blocked by'))
        this.addNotice(`Error in the page: ${event.text.slice(0, 500)}${place}`);
    }
  }

  addLine(level: string, text: string): void {
    const line = `${level}: ${shownText(text)}`;
    if (this.log.at(-1) !== line) this.log.push(line);
    if (this.log.length > MOST_LINES) this.log.splice(0, this.log.length - MOST_LINES);
  }

  addNotice(text: string): void {
    const shown = shownText(text);
    if (this.#notices.length < MOST_NOTICES && !this.#notices.includes(shown)) this.#notices.push(shown);
  }

  /** Returns the notices since the last call. */
  takeNotices(): string[] {
    return this.#notices.splice(0);
  }
}

function shownText(text: string): string {
  return text.replaceAll(`${WORKSPACE}/`, 'file:///');
}
