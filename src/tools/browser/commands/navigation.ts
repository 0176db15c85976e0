import * as z from 'zod/mini';
import { inputSchema } from '../../../core/zod-schema.js';
import { builtInTool, type Tool } from '../../../core/tool.js';
import { outsideAddress } from '../browser-state.js';
import { success } from '../observation.js';
import { ACTS, type Pages, TIMEOUT } from '../pages.js';

export function goto(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.goto',
    description:
      'Open a page: a file of the workspace by its path (/app/index.html), or a page of the web by its URL. Use it to look at, use and test what you built, and to read pages. What the page shows follows with the next observation.',
    input: inputSchema(
      z.strictObject({ url: z.string().check(z.minLength(1), z.describe('A path or a URL.')) }),
    ),
    aliases: { path: 'url', address: 'url', href: 'url' },
    effect: 'egress-read',
    reaches: ({ url }) => outsideAddress(url),
    leaks: ({ url }, state) => (outsideAddress(url) === null ? pages.leak(state) : null),
    replay: 'idempotent',
    timeoutMs: TIMEOUT,
    run: async ({ url }, context) => success(await pages.call({ do: 'goto', url }, context)),
  });
}

export function goBack(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.go_back',
    description: 'Go to the page before this one in the tab.',
    input: inputSchema(z.strictObject({})),
    ...ACTS,
    leaks: (_input, state) => pages.leak(state),
    run: async (_input, context) => success(await pages.call({ do: 'step', by: -1 }, context)),
  });
}

export function goForward(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.go_forward',
    description: 'Go to the page after this one in the tab, after going back.',
    input: inputSchema(z.strictObject({})),
    ...ACTS,
    leaks: (_input, state) => pages.leak(state),
    run: async (_input, context) => success(await pages.call({ do: 'step', by: 1 }, context)),
  });
}

export function tabFocus(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.tab_focus',
    description: 'Bring another tab to the front; commands then go to its page.',
    input: inputSchema(
      z.strictObject({
        page_number: z
          .pipe(z.union([z.number(), z.string().check(z.regex(/^\d+$/))]), z.transform(Number))
          .check(z.describe('Counted from 0.')),
      }),
    ),
    aliases: { tab: 'page_number', number: 'page_number', index: 'page_number' },
    timeoutMs: TIMEOUT,
    run: async ({ page_number }, context) =>
      success(await pages.call({ do: 'focus', tab: page_number }, context)),
  });
}

export function closeTab(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.close_tab',
    description: 'Close the tab in front.',
    input: inputSchema(z.strictObject({})),
    ...ACTS,
    effect: 'ui',
    run: async (_input, context) => success(await pages.call({ do: 'close' }, context)),
  });
}
