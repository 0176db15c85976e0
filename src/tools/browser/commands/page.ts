import { defined } from '../../../core/defined.js';
import * as s from '../../../core/schema.js';
import { builtInTool, type Tool } from '../../../core/tool.js';
import { ELEMENT_ALIASES, elementId, numeric } from '../arguments.js';
import { outsideAddress, viewText } from '../browser-state.js';
import { activeUrl, ACTS, COMMAND_TIMEOUT_MS, LEAK, notesOf, success, type Pages } from '../pages.js';

/** Maximum characters of a page's console log. */
const MAX_LOG = 6_000;

export function viewCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.view',
    hints: { small: { description: 'Show the open page.', place: 24 }, readFirst: true },
    activity: { verb: 'Looking at the page' },
    description:
      'See the page in front: its elements with their numbers, roles, names and states. After each of your commands what changed is shown without asking.',
    input: s.args({
      page: s.withDefault(s.integer({ minimum: 1, description: 'Part of a long page. Default: 1.' }), 1),
    }),
    timeoutMs: COMMAND_TIMEOUT_MS,
    run: async ({ page }, context) => {
      const reply = await pages.call({ do: 'look', page }, context);
      const url = activeUrl(reply);
      const { view } = reply;
      // The model receives this view as the output of the command, so its changes are not reported again.
      if (isRecordOfPage(context.state['page']))
        context.state['page']['since'] = context.state['page']['serial'];
      return [
        ...notesOf(reply),
        view === null
          ? `Current Browser Viewer\n URL: ${url}\nOBSERVATION:\n`
          : viewText(url, reply.tabs[reply.current]?.title ?? '', view),
      ].join('\n');
    },
  });
}

export function readConsoleCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.console',
    activity: { verb: 'Reading the console of the page' },
    description: "The messages and errors in the page's console.",
    input: s.args({}),
    timeoutMs: COMMAND_TIMEOUT_MS,
    run: async (_input, context) => {
      const reply = await pages.call({ do: 'console' }, context);
      const lines = (reply.log ?? []).join('\n');
      const log =
        lines.length > MAX_LOG ? `… earlier messages are left out …\n${lines.slice(-MAX_LOG)}` : lines;
      return [
        ...notesOf(reply),
        `Console of ${activeUrl(reply)}, as the page wrote it:`,
        log === '' ? '(nothing)' : log,
      ].join('\n');
    },
  });
}

export function screenshotCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.screenshot',
    activity: { verb: 'Taking a screenshot' },
    description:
      'Take a picture of the page, or of one element, into a PNG file of the workspace. A point of the picture of an element is the point for at_x and at_y.',
    input: s.args({
      element_id: s.optional(elementId),
      path: s.withDefault(
        s.string({ minLength: 1, description: 'Default: /screenshot.png.' }),
        '/screenshot.png',
      ),
    }),
    aliases: ELEMENT_ALIASES,
    timeoutMs: COMMAND_TIMEOUT_MS,
    run: async ({ path, element_id }, context) => {
      const reply = await pages.call({ do: 'screenshot', ...defined({ element: element_id }) }, context);
      await context.files.write(path, reply.image ?? new Uint8Array());
      const what = element_id === undefined ? '' : `Element ${element_id} of `;
      return [
        `${what === '' ? 'The' : `${what}the`} page ${activeUrl(reply)} as it looks is in ${path}`,
        ...notesOf(reply),
      ].join('\n');
    },
  });
}

export function waitForTextCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.wait_for_text',
    activity: { verb: 'Waiting for the page' },
    description: 'Wait until a text is on the page, or gone from it.',
    input: s.args({
      text: s.string({ minLength: 1, maxLength: 500 }),
      gone: s.withDefault(s.boolean(), false),
      seconds: s.withDefault(
        s.number({ minimum: 0, maximum: 30, description: 'At most 30. Default: 10.' }),
        10,
      ),
    }),
    aliases: { timeout: 'seconds' },
    ...ACTS,
    run: async ({ text, gone, seconds }, context) =>
      success(await pages.call({ do: 'wait', text, gone, within: seconds * 1000 }, context)),
  });
}

export function waitCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.wait',
    activity: { verb: 'Watching the page' },
    description:
      'Watch the page for some seconds, for example right after a click in the same reply. What appears and disappears meanwhile is reported.',
    input: s.args({
      seconds: s.withDefault(
        s.number({ minimum: 0, maximum: 30, description: 'At most 30. Default: 3.' }),
        3,
      ),
    }),
    aliases: { timeout: 'seconds' },
    ...ACTS,
    run: async ({ seconds }, context) =>
      success(await pages.call({ do: 'watch', duration: seconds * 1000 }, context)),
  });
}

export function answerDialogsCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.answer_dialogs',
    approval: () => 'answer the questions of the open page',
    activity: { verb: 'Preparing the answer to a dialog' },
    description:
      'Say how alert, confirm and prompt dialogs are answered from now on. They are answered at once: accepted, unless you say otherwise before.',
    input: s.args({
      accept: s.boolean({ description: 'true presses OK, false Cancel.' }),
      text: s.optional(
        s.string({
          maxLength: 2_000,
          description: 'What prompts are answered with, on pages of the origin that is open now.',
        }),
      ),
    }),
    ...ACTS,
    run: async ({ accept, text }, context) => {
      const reply = await pages.call({ do: 'dialogs', policy: { accept, text: text ?? null } }, context);
      return [`Dialogs are ${accept ? 'accepted' : 'cancelled'} from now on.`, ...notesOf(reply)].join('\n');
    },
  });
}

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

function isRecordOfPage(value: unknown): value is { since: number; serial: number } {
  return typeof value === 'object' && value !== null && 'serial' in value;
}
