import type { ToolView } from '../../core/tool.js';
import { readShownPage } from './browser-state.js';

/** Shows the model the open page after the commands that led to it. One that has the previous view receives only the changes. */
export const PAGE_VIEW: ToolView = {
  shown(state, sent) {
    const page = readShownPage(state);
    if (page === null) return null;
    const { serial, since, text, changes } = page;
    return {
      serial,
      text: (fresh) => {
        if (!fresh && (sent === serial || since === serial)) return ''; // sent before, or part of the observation
        return !fresh && changes !== '' && sent === since ? changes : text;
      },
    };
  },
  seen: (_state, sent) => ({ page: sent }),
};
