import { isRecord } from '../base/json.js';
import { readShownPage } from '../tools/browser/browser-state.js';
import type { RoleState } from './state.js';

/** The page in a role's browser, to be told once after the commands that led to it (spec 6.13). */
export interface PageNews {
  /** Names this view; kept as said once the model has been told. */
  serial: number;
  /** After a compaction the model has lost what it was told before. */
  text(fresh: boolean): string;
}

/** Null when no page is open. What changed is enough for a model that knows the view before. */
export function pageNews({ tools, said }: Pick<RoleState, 'tools' | 'said'>): PageNews | null {
  const kept = tools['Browser'];
  const page = isRecord(kept) ? readShownPage(kept) : null;
  if (page === null) return null;
  const { serial, since, text, changes } = page;
  return {
    serial,
    text: (fresh) => {
      if (fresh) return text;
      if (said.page === serial || since === serial) return ''; // told before, or by the observation itself
      return changes !== '' && said.page === since ? changes : text;
    },
  };
}
