import * as s from '../../../core/schema.js';
import { builtInTool, type Tool } from '../../../core/tool.js';
import { numeric } from '../arguments.js';
import { outsideAddress } from '../browser-state.js';
import { success } from '../observation.js';
import { ACTS, COMMAND_TIMEOUT_MS, LEAK, type Pages } from '../pages.js';

export function gotoCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.goto',
    hints: {
      small: {
        description: 'Open a web page by its URL, or a file such as /index.html, and show it.',
        place: 21,
      },
      opensPages: true,
      readFirst: true,
    },
    activity: { verb: 'Opening', argument: 'url' },
    description:
      'Open a page: a file of the workspace by its path (/app/index.html), or a page of the web by its whole URL (also for a link that the view shows without its origin). Use it to look at, use and test what you built, and to read pages. What the page shows follows with the next observation.',
    input: s.args({ url: s.string({ minLength: 1, description: 'A path or a URL.' }) }),
    aliases: { path: 'url', address: 'url', href: 'url' },
    effect: 'egress-read',
    approval: ({ url }) => (outsideAddress(url) === null ? `open the page ${url}` : ''),
    reaches: ({ url }) => outsideAddress(url),
    leaks: ({ url }) => (outsideAddress(url) === null ? LEAK : null),
    replay: 'idempotent',
    timeoutMs: COMMAND_TIMEOUT_MS,
    run: async ({ url }, context) => success(await pages.call({ do: 'goto', url }, context)),
  });
}

export function goBackCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.go_back',
    approval: () => 'go back to the page before',
    activity: { verb: 'Going back a page' },
    description: 'Go to the page before this one in the tab.',
    input: s.args({}),
    ...ACTS,
    leaks: () => LEAK,
    run: async (_input, context) => success(await pages.call({ do: 'step', by: -1 }, context)),
  });
}

export function goForwardCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.go_forward',
    approval: () => 'go forward to the next page',
    activity: { verb: 'Going forward a page' },
    description: 'Go to the page after this one in the tab, after going back.',
    input: s.args({}),
    ...ACTS,
    leaks: () => LEAK,
    run: async (_input, context) => success(await pages.call({ do: 'step', by: 1 }, context)),
  });
}

export function tabFocusCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.tab_focus',
    activity: { verb: 'Switching to another tab' },
    description: 'Bring another tab to the front; commands then go to its page.',
    input: s.args({
      page_number: s.described(numeric('^\\d+$'), 'Counted from 0.'),
    }),
    aliases: { tab: 'page_number', number: 'page_number', index: 'page_number' },
    timeoutMs: COMMAND_TIMEOUT_MS,
    run: async ({ page_number }, context) =>
      success(await pages.call({ do: 'focus', tab: page_number }, context)),
  });
}

export function closeTabCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.close_tab',
    hints: { changes: 'always' },
    activity: { verb: 'Closing a tab' },
    description: 'Close the tab in front.',
    input: s.args({}),
    ...ACTS,
    effect: 'ui',
    run: async (_input, context) => success(await pages.call({ do: 'close' }, context)),
  });
}
