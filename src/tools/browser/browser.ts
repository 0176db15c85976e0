import * as z from 'zod/mini';
import { defined } from '../../base/defined.js';
import { RoleZeroError } from '../../base/error.js';
import type { JsonValue } from '../../base/json.js';
import { inputSchema } from '../../base/schema.js';
import { defineTool, type Tool, type ToolContext } from '../../base/tool.js';
import { keepReply, knownTabs, openAddress, outsideAddress, toldView, viewText } from './browser-state.js';
import {
  FRAME_PART,
  type Download,
  type FrameAction,
  type FrameReply,
  type FrameRequest,
} from './frame-protocol.js';
import type { Point } from './protocol.js';

/** How the agent's browser behaves. */
export interface BrowserOptions {
  /** Characters of a page's view at most; longer ones come in parts. Default 12,000, less for a model with a small window. */
  maxView?: number;
}

/** Milliseconds for what waits for a page: it must settle within ten seconds, and it may lead to another one. */
const TIMEOUT = 60_000;
/** Characters of the log of a page. */
const MAX_LOG = 6_000;
/** Where pages' downloads go. */
const DOWNLOADS = '/downloads';
/** What the words around a view take of an observation. */
const AROUND_VIEW = 500;
const LEAST_VIEW = 500;

const element = z
  .pipe(
    z.union([z.number(), z.string()]),
    z.transform((id) =>
      String(id)
        .trim()
        .replace(/^\[|\]$/g, ''),
    ),
  )
  .check(z.describe('The number in brackets before the element in the newest view of the page.'));
const NAMES = { id: 'element_id', element: 'element_id', index: 'element_id', ref: 'element_id' };
const pixels = z.pipe(
  z.union([z.number(), z.string().check(z.trim(), z.regex(/^-?\d+(\.\d+)?$/))]),
  z.transform(Number),
);
const oneOrMore = (most: number) =>
  z.union([
    z.pipe(
      z.string(),
      z.transform((one) => [one]),
    ),
    z.array(z.string()).check(z.minLength(1), z.maxLength(most)),
  ]);
/** A point of an element, for drawings and maps whose parts have no lines of their own. */
const AT = {
  at_x: z
    .optional(pixels)
    .check(
      z.describe('Where in the element: pixels from its left edge. Default for at_x and at_y: its middle.'),
    ),
  at_y: z.optional(pixels).check(z.describe('Pixels from its upper edge.')),
};
const AT_NAMES = { ...NAMES, x: 'at_x', y: 'at_y' };

/**
 * The commands of the Browser (spec 17) over pages that `frame()` of `rolezero/tools/frame` shows. A page is the session's own files, opened
 * by their path, or one of the web as far as the application lets it be read. What stands on pages is labelled as theirs, and reading
 * pages that are not the session's own is noted: see `ToolContext.untrusted`. Tabs are opened again after a reload; what was typed is lost.
 *
 * @example new RoleZero({ model, tools: [...editor(), ...browser()] })
 */
export function browser(options: BrowserOptions = {}): Tool[] {
  const maxView = options.maxView ?? 12_000;
  const call = (action: FrameAction, context: ToolContext): Promise<FrameReply> =>
    callFrame(action, context, maxView);
  /** What a page does cannot be taken back, nor asked about: after a crash the model is told, and nothing is done twice. */
  const acts = {
    effect: 'egress-write',
    reaches: (_input: unknown, kept: Record<string, JsonValue>) => outsideAddress(openAddress(kept)),
    replay: 'unsafe',
    onAmbiguous: 'fail',
    timeoutMs: TIMEOUT,
  } as const;
  const act = async (
    request: Extract<FrameAction, { do: 'act' }>['request'],
    context: ToolContext,
  ): Promise<string> => said(await call({ do: 'act', request }, context));

  return [
    defineTool({
      name: 'Browser.goto',
      description:
        'Open a page: a file of the workspace by its path (/app/index.html), or a page of the web by its URL. Use it to look at, use and test what you built, and to read pages. What the page shows follows with the next observation.',
      input: inputSchema(
        z.strictObject({ url: z.string().check(z.minLength(1), z.describe('A path or a URL.')) }),
      ),
      aliases: { path: 'url', address: 'url', href: 'url' },
      effect: 'egress-read',
      reaches: ({ url }) => outsideAddress(url),
      replay: 'idempotent',
      timeoutMs: TIMEOUT,
      run: async ({ url }, context) => said(await call({ do: 'goto', url }, context)),
    }),
    defineTool({
      name: 'Browser.click',
      description: 'Click an element.',
      input: inputSchema(
        z.strictObject({
          element_id: element,
          count: z
            ._default(z.int().check(z.minimum(1), z.maximum(3)), 1)
            .check(z.describe('2 for a double click. Default: 1.')),
          button: z._default(z.enum(['left', 'middle', 'right']), 'left').check(z.describe('Default: left.')),
          ...AT,
          hold: z
            .optional(
              z.union([
                z.pipe(
                  z.string(),
                  z.transform((keys) => keys.split(/[+, ]+/)),
                ),
                z.array(z.string()).check(z.maxLength(4)),
              ]),
            )
            .check(z.describe('Keys held down meanwhile: ["Control"] or ["Shift"].')),
          seconds: z
            ._default(z.number().check(z.minimum(0), z.maximum(5)), 0)
            .check(z.describe('How long the button stays down. Default: 0.')),
        }),
      ),
      aliases: { ...AT_NAMES, clicks: 'count', modifiers: 'hold', keys: 'hold' },
      ...acts,
      run: ({ element_id, count, button, at_x, at_y, hold, seconds }, context) =>
        act(
          {
            kind: 'click',
            element: element_id,
            ...(count === 1 ? {} : { count: count === 2 ? 2 : 3 }),
            ...(button === 'left' ? {} : { button }),
            ...at(at_x, at_y),
            ...defined({ hold }),
            ...(seconds === 0 ? {} : { holdFor: seconds * 1000 }),
          },
          context,
        ),
    }),
    defineTool({
      name: 'Browser.type',
      description:
        'Click a field and type into it, after what is there unless it is cleared; with press_enter_after, press Enter at the end. Without element_id: type where the focus is.',
      input: inputSchema(
        z.strictObject({
          element_id: z.optional(element),
          content: z.string().check(z.maxLength(20_000)),
          press_enter_after: z._default(z.boolean(), false),
          clear: z._default(z.boolean(), false).check(z.describe('Empty the field first. Default: false.')),
        }),
      ),
      aliases: { ...NAMES, text: 'content', value: 'content', enter: 'press_enter_after' },
      ...acts,
      run: ({ element_id, content, press_enter_after, clear }, context) =>
        act(
          {
            kind: 'type',
            ...defined({ element: element_id }),
            text: content,
            clear,
            enter: press_enter_after,
          },
          context,
        ),
    }),
    defineTool({
      name: 'Browser.hover',
      description: 'Move the mouse over an element, to open a menu or show a tip.',
      input: inputSchema(z.strictObject({ element_id: element, ...AT })),
      aliases: AT_NAMES,
      ...acts,
      run: ({ element_id, at_x, at_y }, context) =>
        act({ kind: 'hover', element: element_id, ...at(at_x, at_y) }, context),
    }),
    defineTool({
      name: 'Browser.press',
      description:
        'Press a key or a combination, such as Enter, Tab, Escape, ArrowDown or Control+a; several with blanks between.',
      input: inputSchema(
        z.strictObject({
          key_comb: z.string().check(z.minLength(1), z.maxLength(200)),
          element_id: z.optional(element).check(z.describe('Gets the focus before. Default: what has it.')),
          seconds: z
            ._default(z.number().check(z.minimum(0), z.maximum(5)), 0)
            .check(z.describe('How long the last key stays down. Default: 0.')),
        }),
      ),
      aliases: { ...NAMES, keys: 'key_comb', key: 'key_comb', key_combination: 'key_comb' },
      ...acts,
      run: ({ key_comb, element_id, seconds }, context) =>
        act(
          {
            kind: 'press',
            keys: key_comb,
            ...defined({ element: element_id }),
            ...(seconds === 0 ? {} : { holdFor: seconds * 1000 }),
          },
          context,
        ),
    }),
    defineTool({
      name: 'Browser.scroll',
      description:
        'Scroll by one height of the window, or of an element that scrolls; "into" brings the element into view.',
      input: inputSchema(
        z.strictObject({
          direction: z.enum(['down', 'up', 'left', 'right', 'into']),
          element_id: z.optional(element),
        }),
      ),
      aliases: NAMES,
      ...acts,
      run: ({ direction, element_id }, context) =>
        act({ kind: 'scroll', direction, ...defined({ element: element_id }) }, context),
    }),
    defineTool({
      name: 'Browser.select',
      description: 'Choose options of a list, by their text or value.',
      input: inputSchema(
        z.strictObject({
          element_id: element,
          options: oneOrMore(100),
        }),
      ),
      aliases: { ...NAMES, option: 'options', values: 'options', value: 'options' },
      ...acts,
      run: ({ element_id, options: chosen }, context) =>
        act({ kind: 'select', element: element_id, options: chosen }, context),
    }),
    defineTool({
      name: 'Browser.check',
      description: 'Check or uncheck a checkbox, radio button or switch.',
      input: inputSchema(z.strictObject({ element_id: element, checked: z._default(z.boolean(), true) })),
      aliases: NAMES,
      ...acts,
      run: ({ element_id, checked }, context) =>
        act({ kind: 'check', element: element_id, checked }, context),
    }),
    defineTool({
      name: 'Browser.drag',
      description:
        'Drag an element onto another one, or by so many pixels; from_x and from_y take hold of a point of it, at_x and at_y aim at a point of the other.',
      input: inputSchema(
        z.strictObject({
          element_id: element,
          to_element_id: z.optional(element),
          by_x: z.optional(pixels),
          by_y: z.optional(pixels),
          from_x: z.optional(pixels),
          from_y: z.optional(pixels),
          at_x: z.optional(pixels),
          at_y: z.optional(pixels),
        }),
      ),
      aliases: { ...NAMES, from: 'element_id', to: 'to_element_id' },
      ...acts,
      run: ({ element_id, to_element_id, by_x = 0, by_y = 0, from_x, from_y, at_x, at_y }, context) =>
        act(
          {
            kind: 'drag',
            element: element_id,
            ...(to_element_id === undefined ? { by: { x: by_x, y: by_y } } : { to: to_element_id }),
            ...(from_x === undefined && from_y === undefined
              ? {}
              : { from: { x: from_x ?? 0, y: from_y ?? 0 } }),
            ...at(at_x, at_y),
          },
          context,
        ),
    }),
    defineTool({
      name: 'Browser.select_text',
      description:
        'Select text on the page as with the mouse: the text within the element, all of the element without a text, the text anywhere without an element. Control+c then copies it.',
      input: inputSchema(
        z.strictObject({
          element_id: z.optional(element),
          text: z.optional(z.string().check(z.minLength(1), z.maxLength(20_000))),
        }),
      ),
      aliases: NAMES,
      ...acts,
      run: ({ element_id, text }, context) =>
        act(
          {
            kind: 'selectText',
            ...defined({ element: element_id, text }),
          },
          context,
        ),
    }),
    defineTool({
      name: 'Browser.upload',
      description: 'Put files of the workspace into a file field.',
      input: inputSchema(
        z.strictObject({
          element_id: element,
          paths: oneOrMore(20),
        }),
      ),
      aliases: { ...NAMES, path: 'paths', files: 'paths' },
      ...acts,
      run: async ({ element_id, paths }, context) => {
        await noteRead(paths, context);
        return said(await call({ do: 'upload', element: element_id, paths }, context));
      },
    }),
    defineTool({
      name: 'Browser.answer_dialogs',
      description:
        'Say how alert, confirm and prompt dialogs are answered from now on. They are answered at once: accepted, unless you say otherwise before.',
      input: inputSchema(
        z.strictObject({
          accept: z.boolean().check(z.describe('true presses OK, false Cancel.')),
          text: z
            .optional(z.string().check(z.maxLength(2_000)))
            .check(z.describe('What prompts are answered with.')),
        }),
      ),
      timeoutMs: TIMEOUT,
      run: async ({ accept, text }, context) => {
        const reply = await call({ do: 'dialogs', policy: { accept, text: text ?? null } }, context);
        return [`Dialogs are ${accept ? 'accepted' : 'cancelled'} from now on.`, ...told(reply)].join('\n');
      },
    }),
    defineTool({
      name: 'Browser.wait_for_text',
      description: 'Wait until a text is on the page, or gone from it.',
      input: inputSchema(
        z.strictObject({
          text: z.string().check(z.minLength(1), z.maxLength(500)),
          gone: z._default(z.boolean(), false),
          seconds: z
            ._default(z.number().check(z.minimum(0), z.maximum(30)), 10)
            .check(z.describe('At most 30. Default: 10.')),
        }),
      ),
      aliases: { timeout: 'seconds' },
      timeoutMs: TIMEOUT,
      run: ({ text, gone, seconds }, context) =>
        act({ kind: 'wait', text, gone, within: seconds * 1000 }, context),
    }),
    defineTool({
      name: 'Browser.go_back',
      description: 'Go to the page before this one in the tab.',
      input: inputSchema(z.strictObject({})),
      ...acts,
      run: async (_input, context) => said(await call({ do: 'step', by: -1 }, context)),
    }),
    defineTool({
      name: 'Browser.go_forward',
      description: 'Go to the page after this one in the tab, after going back.',
      input: inputSchema(z.strictObject({})),
      ...acts,
      run: async (_input, context) => said(await call({ do: 'step', by: 1 }, context)),
    }),
    defineTool({
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
      run: async ({ page_number }, context) => said(await call({ do: 'focus', tab: page_number }, context)),
    }),
    defineTool({
      name: 'Browser.close_tab',
      description: 'Close the tab in front.',
      input: inputSchema(z.strictObject({})),
      ...acts,
      effect: 'ui',
      run: async (_input, context) => said(await call({ do: 'close' }, context)),
    }),
    defineTool({
      name: 'Browser.view',
      description:
        'See the page in front: its elements with their numbers, roles, names and states. After each of your commands what changed is shown without asking.',
      input: inputSchema(
        z.strictObject({
          page: z
            ._default(z.int().check(z.minimum(1)), 1)
            .check(z.describe('Part of a long page. Default: 1.')),
        }),
      ),
      timeoutMs: TIMEOUT,
      run: async ({ page }, context) => {
        const reply = await call({ do: 'look', page }, context);
        const url = urlOf(reply);
        const { view } = reply;
        // What the model reads here need not be told again.
        if (isRecordOfPage(context.state['page']))
          context.state['page']['since'] = context.state['page']['serial'];
        return [
          ...told(reply),
          view === null ? `Current Browser Viewer\n URL: ${url}\nOBSERVATION:\n` : viewText(url, view),
        ].join('\n');
      },
    }),
    defineTool({
      name: 'Browser.console',
      description: "The messages and errors in the page's console.",
      input: inputSchema(z.strictObject({})),
      timeoutMs: TIMEOUT,
      run: async (_input, context) => {
        const reply = await call({ do: 'console' }, context);
        const lines = (reply.log ?? []).join('\n');
        const log =
          lines.length > MAX_LOG ? `… earlier messages are left out …\n${lines.slice(-MAX_LOG)}` : lines;
        return [
          ...told(reply),
          `Console of ${urlOf(reply)}, as the page wrote it:`,
          log === '' ? '(nothing)' : log,
        ].join('\n');
      },
    }),
    defineTool({
      name: 'Browser.screenshot',
      description: 'Take a picture of the page into a PNG file of the workspace.',
      input: inputSchema(
        z.strictObject({
          path: z
            ._default(z.string().check(z.minLength(1)), '/screenshot.png')
            .check(z.describe('Default: /screenshot.png.')),
        }),
      ),
      timeoutMs: TIMEOUT,
      run: async ({ path }, context) => {
        const reply = await call({ do: 'screenshot' }, context);
        await context.files.write(path, reply.image ?? new Uint8Array());
        return [`The page ${urlOf(reply)} as it looks is in ${path}`, ...told(reply)].join('\n');
      },
    }),
  ];
}

/** Asks the page's half, and keeps what came of it. */
async function callFrame(action: FrameAction, context: ToolContext, maxView: number): Promise<FrameReply> {
  const { state, session, callId, outputLimit = Infinity } = context;
  if (context.callPage === undefined) throw noFrame();
  const step = callId.slice(0, callId.lastIndexOf('.'));
  const toldBefore = toldView(state, step);
  const request: FrameRequest = {
    role: session.role,
    action,
    known: knownTabs(state),
    told: toldBefore,
    limit: Math.max(LEAST_VIEW, Math.min(maxView, outputLimit - AROUND_VIEW)),
  };
  const reply = readReply(
    await context.callPage(FRAME_PART, request).catch((error: unknown) => {
      throw error instanceof RoleZeroError &&
        error.code === 'not-found' &&
        error.detail['name'] === FRAME_PART
        ? noFrame()
        : error;
    }),
  );
  await noteRead(reply.given, context);
  keepReply(state, reply, step, toldBefore);
  if (reply.outside) context.untrusted?.(urlOf(reply));
  else if (!reply.empty) await context.files.list('/', { recursive: true }); // what it shows may be any of them
  reply.notices.push(...(await keepDownloads(reply.downloads, context)));
  if (!reply.empty) context.pageChanged(urlOf(reply), reply.tabs[reply.current]?.title ?? '');
  return reply;
}

/** What the page reads is read on the way of the command as well, which labels it. @throws RoleZeroError `permission` for what a rule forbids. */
async function noteRead(paths: readonly string[], { files }: ToolContext): Promise<void> {
  for (const path of paths)
    await files.readBytes(path).catch((error: unknown) => {
      if (error instanceof RoleZeroError && error.code === 'permission') throw error;
    });
}

/** Downloads become files of the workspace, none in the place of another. */
async function keepDownloads(downloads: readonly Download[], { files }: ToolContext): Promise<string[]> {
  const said: string[] = [];
  for (const { name, bytes } of downloads) {
    const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
    let path = `${DOWNLOADS}/${name}`;
    for (let number = 2; (await files.stat(path)) !== null; number++)
      path = `${DOWNLOADS}/${stem} (${number})${ending}`;
    await files.write(path, bytes);
    said.push(`The page handed out a file, which is ${path} now (${bytes.length} bytes).`);
  }
  return said;
}

function at(x: number | undefined, y: number | undefined): { at?: Point } {
  return x === undefined && y === undefined ? {} : { at: { x: x ?? 0, y: y ?? 0 } };
}

function noFrame(): RoleZeroError {
  return new RoleZeroError(
    'not-found',
    "There is no browser: the application shows no pages. (In the page's code: connect(worker, { tools: [frame()] }), with frame from 'rolezero/tools/frame'.)",
  );
}

const reply = z.object({
  instance: z.string(),
  tabs: z.array(z.object({ url: z.string(), title: z.string() })).check(z.maxLength(100)),
  current: z.number(),
  empty: z.boolean(),
  outside: z.boolean(),
  given: z._default(z.array(z.string()), []),
  restored: z.number(),
  notices: z.array(z.string()),
  downloads: z.array(z.object({ name: z.string(), bytes: z.instanceof(Uint8Array) })).check(z.maxLength(200)),
  view: z.nullable(
    z.object({
      serial: z.number(),
      text: z.string(),
      page: z.number(),
      pages: z.number(),
      changes: z.nullable(z.string()),
    }),
  ),
  log: z.nullable(z.array(z.string())),
  image: z.nullable(z.instanceof(Uint8Array)),
}) satisfies z.ZodMiniType<FrameReply>;

function readReply(value: unknown): FrameReply {
  const read = reply.safeParse(value);
  if (read.success) return read.data;
  throw new RoleZeroError(
    'internal',
    "The page's half of the browser gave an answer that makes no sense; is it of the same release?",
  );
}

function urlOf({ tabs, current }: FrameReply): string {
  return tabs[current]?.url ?? '';
}

/** What every action answers (spec 17), and what else happened. */
function said(reply: FrameReply): string {
  return [`SUCCESS, URL: ${urlOf(reply)} have been loaded.`, ...told(reply)].join('\n');
}

function told({ notices, restored, tabs, current }: FrameReply): string[] {
  const lost =
    restored === 0
      ? []
      : [
          `The browser was started anew and ${restored === 1 ? 'its page was' : `its ${restored} pages were`} opened again at the same address: what was typed, clicked or scrolled there before is lost.`,
        ];
  const others =
    tabs.length > 1
      ? [
          `Tabs: ${tabs.map(({ url }, index) => `${index}${index === current ? ' (in front)' : ''} ${url}`).join(', ')}`,
        ]
      : [];
  return [...lost, ...notices, ...others];
}

function isRecordOfPage(value: unknown): value is { since: number; serial: number } {
  return typeof value === 'object' && value !== null && 'serial' in value;
}
