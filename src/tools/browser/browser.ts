import type { Tool } from '../../base/tool.js';
import { checkBox, press, selectOptions, typeText, upload } from './commands/fields.js';
import { click, drag, hover, scroll, selectText } from './commands/mouse.js';
import { closeTab, goBack, goForward, goto, tabFocus } from './commands/navigation.js';
import { answerDialogs, readConsole, screenshot, view, waitForText } from './commands/page.js';
import { openPages, type Pages } from './pages.js';

/** How the agent's browser behaves. */
export interface BrowserOptions {
  /** Characters of a page's view at most; longer ones come in parts. Default 12,000, less for a model with a small window. */
  maxView?: number;
}

/** In the order in which the model reads them. */
const COMMANDS: readonly ((pages: Pages) => Tool)[] = [
  goto,
  click,
  typeText,
  hover,
  press,
  scroll,
  selectOptions,
  checkBox,
  drag,
  selectText,
  upload,
  answerDialogs,
  waitForText,
  goBack,
  goForward,
  tabFocus,
  closeTab,
  view,
  readConsole,
  screenshot,
];

/**
 * The commands of the Browser over pages that `frame()` of `rolezero/tools/frame` shows. A page is the session's own files, opened
 * by their path, or one of the web as far as the application lets it be read. What stands on pages is labelled as theirs, and reading
 * pages that are not the session's own is noted: see `ToolContext.untrusted`. Tabs are opened again after a reload; what was typed is lost.
 *
 * @example new RoleZero({ model, tools: [...editor(), ...browser()] })
 */
export function browser(options: BrowserOptions = {}): Tool[] {
  const pages = openPages(options.maxView ?? 12_000);
  return COMMANDS.map((command) => command(pages));
}
