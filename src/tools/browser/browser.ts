import { checkOptions } from '../../core/check-options.js';
import { withHints, type Tool, type ToolView } from '../../core/tool.js';
import { readShownPage } from './browser-state.js';
import {
  checkBoxCommand,
  clickCommand,
  dragCommand,
  hoverCommand,
  pressCommand,
  scrollCommand,
  selectOptionsCommand,
  selectTextCommand,
  typeTextCommand,
  uploadCommand,
} from './commands/elements.js';
import {
  answerDialogsCommand,
  closeTabCommand,
  goBackCommand,
  goForwardCommand,
  gotoCommand,
  readConsoleCommand,
  screenshotCommand,
  tabFocusCommand,
  viewCommand,
  waitCommand,
  waitForTextCommand,
} from './commands/page.js';
import { openPages, type Pages } from './pages.js';

/** Options of the browser commands. */
export interface BrowserOptions {
  /**
   * Maximum characters of a page view; longer views are split into parts. The limit is lower for a model with a small context window.
   *
   * @default 12_000
   */
  maxView?: number;
}

/** In the order in which the model receives them. */
const BROWSER_COMMANDS: readonly ((pages: Pages) => Tool)[] = [
  gotoCommand,
  clickCommand,
  typeTextCommand,
  hoverCommand,
  pressCommand,
  scrollCommand,
  selectOptionsCommand,
  checkBoxCommand,
  dragCommand,
  selectTextCommand,
  uploadCommand,
  answerDialogsCommand,
  waitForTextCommand,
  waitCommand,
  goBackCommand,
  goForwardCommand,
  tabFocusCommand,
  closeTabCommand,
  viewCommand,
  readConsoleCommand,
  screenshotCommand,
];
/** Shows the model the open page after the commands that led to it. One that has the previous view receives only the changes. */
const PAGE_VIEW: ToolView = {
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

/**
 * Creates the browser commands. They operate pages that `frame()` of `rolezero/tools/frame` shows. A page is a session file, opened by its
 * path, or a web page if the application permits reading it. The output labels page text as page content. Reading a page from outside the
 * session marks the content as untrusted (see `ToolContext.untrusted`). After a reload, the tabs reopen at their addresses; text typed into
 * them is lost.
 *
 * @example new RoleZero({ model, tools: [...editor(), ...browser()] })
 * @throws RoleZeroError `invalid` naming an option that does not exist, or whose value cannot be used.
 */
export function browser(options: BrowserOptions = {}): Tool[] {
  checkOptions('browser()', options, { maxView: 'count' });
  const pages = openPages(options.maxView ?? 12_000);
  const tools = withHints(
    BROWSER_COMMANDS.map((command) => command(pages)),
    { small: false, changes: 'visible', neededFor: 'work', tests: true },
  );
  return tools.map((tool) => ({ ...tool, view: PAGE_VIEW }));
}
