import { isRecord } from '../base/json.js';
import { readShownPage } from '../tools/browser/browser-state.js';
import type { RoleState } from './state.js';

/** The page in the browser of a role; sent to the model once after the commands that led to it. */
export interface PageNews {
  /** Identifies this view; stored when the model has received it. */
  serial: number;
  /** Returns the text for the prompt. `fresh`: a compaction has removed the earlier view. */
  text(fresh: boolean): string;
}

/** Returns the view of the open page, or null. A model that has the previous view receives only the changes. */
export function pageNews({ tools, said }: Pick<RoleState, 'tools' | 'said'>): PageNews | null {
  const kept = tools['Browser'];
  const page = isRecord(kept) ? readShownPage(kept) : null;
  if (page === null) return null;
  const { serial, since, text, changes } = page;
  return {
    serial,
    text: (fresh) => {
      if (fresh) return text;
      if (said.page === serial || since === serial) return ''; // sent before, or part of the observation
      return changes !== '' && said.page === since ? changes : text;
    },
  };
}
