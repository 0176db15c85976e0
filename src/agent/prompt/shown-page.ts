import { isRecord, type JsonValue } from '../../core/json.js';
import { markForgedLines } from './forged-lines.js';
import { readShownPage } from '../../tools/browser/browser-state.js';

/** The page in the browser of a role; sent to the model once after the commands that led to it. */
export interface PageNews {
  /** Identifies this view; stored when the model has received it. */
  serial: number;
  /** Returns the text for the prompt. `fresh`: a compaction has removed the earlier view. */
  text(fresh: boolean): string;
}

/** The parts of the state of a role that show which view the model has. */
interface ShownState {
  tools: Readonly<Record<string, Record<string, JsonValue>>>;
  sent: { page?: number };
}

/** Returns the view of the open page, or null. A model that has the previous view receives only the changes. */
export function pageNews({ tools, sent: shown }: ShownState): PageNews | null {
  const state = tools['Browser'];
  const page = isRecord(state) ? readShownPage(state) : null;
  if (page === null) return null;
  const { serial, since, text, changes } = page;
  return {
    serial,
    text: (fresh) => {
      if (!fresh && (shown.page === serial || since === serial)) return ''; // sent before, or part of the observation
      return markForgedLines(!fresh && changes !== '' && shown.page === since ? changes : text);
    },
  };
}
