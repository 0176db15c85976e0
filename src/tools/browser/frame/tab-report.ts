import { WORKSPACE } from './addresses.js';

/** Maximum number of stored console lines. */
const MOST_LINES = 200;
/** Maximum number of events waiting to be reported. */
const MOST_NOTICES = 20;

/** Events of a tab: the console of its pages, and notices for the next reply. */
export class TabReport {
  readonly log: string[] = [];
  readonly #notices: string[] = [];

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
