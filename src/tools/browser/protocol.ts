/**
 * Protocol between the frame host and the driver inside a page.
 *
 * Startup: the host writes the driver before all other content of the document (`driverText` inserts the settings). After the document has
 * loaded, the host posts `{ rolezero: nonce }` with one `MessagePort` to its window. The driver accepts the first such message from its
 * parent. It replies with `ready`, followed by all queued events. From then on, both sides use only the port.
 *
 * The page starts with a `<base>` at its address, so that URLs resolve. The policy that follows it (`base-uri 'none'`) forbids any other base.
 *
 * Trust: the page may forge any message. The host parses messages with `fromDriver` and drops invalid ones. The driver truncates texts, and
 * the host rejects texts longer than the limits here. A page can read and change every value that is sent to it.
 */
import * as z from 'zod/mini';
import { LIMITS } from './limits.js';

/**
 * Identifier of an element in a view: a number such as `12`. In child frames, the number of the frame precedes it: `7.3`. Identifiers are
 * never reused within a tab.
 */
export const elementId = z.string().check(z.regex(/^\d{1,9}(\.\d{1,9}){0,5}$/));

const text = (longest: number) => z.string().check(z.maxLength(longest));

/** File for `<input type=file>`. */
export interface UploadedFile {
  name: string;
  type: string;
  bytes: ArrayBuffer;
}

/** Response to `alert`, `confirm` and `prompt`. These calls are synchronous, so the response must be set in advance. */
export interface DialogPolicy {
  /** True presses OK, false presses Cancel. */
  accept: boolean;
  /** Text to enter when a prompt is accepted; null uses the page's default. */
  text: string | null;
}

/** Settings that the host writes into the driver's text. */
export interface DriverSettings {
  nonce: string;
  /** Address of the page, against which links resolve: `https://workspace.invalid/app/index.html`. */
  url: string;
  /**
   * First element id to use, so that an id of an earlier page of this tab never identifies another element. Comes from `ViewResult.nextId`.
   */
  firstId: number;
  dialogs: DialogPolicy;
  /** Pixels to scroll down when the page has loaded. */
  scrollTop?: number;
  /** Position in the tab's history, its length for `history.length`, and the state of the entry for `history.state`. */
  history?: { index: number; length: number; state: unknown };
  /** Data that earlier pages of the tab stored. An opaque origin has no storage of its own. Comes from the event `storage`. */
  storage?: { local: [string, string][]; session: [string, string][]; cookies: [string, string][] };
  /**
   * Milliseconds without activity after which the page counts as quiet.
   *
   * @default 500
   */
  quiet?: number;
  /** Overrides `navigator.platform` for the choice of the Meta key, in tests. */
  isMac?: boolean;
}

export interface Point {
  /** CSS pixels from the left edge of the element. */
  x: number;
  /** CSS pixels from the top edge of the element. */
  y: number;
}

/**
 * Requests from the host. Actions (`ActionRequest`) resolve when the page is quiet (0.5 s without activity, at most 10 s). If they lead
 * away from the page, they resolve immediately with `left: true`.
 */
export type DriverRequest =
  /** `changes`: returns the difference from the last returned view if it is shorter than the complete view. */
  | { kind: 'view'; page?: number; changes?: boolean; limit?: number }
  | {
      kind: 'click';
      element: string;
      at?: Point;
      button?: 'left' | 'middle' | 'right';
      count?: 1 | 2 | 3;
      /** Modifier keys to hold during the click: `['Shift']`. */
      hold?: string[];
      /** Milliseconds to hold the button, at most 5,000. */
      holdFor?: number;
    }
  /**
   * Types at the caret. `clear` empties the field first; `enter` presses Enter afterwards. Without `element`, types into the focused
   * element.
   */
  | { kind: 'type'; element?: string; text: string; clear?: boolean; enter?: boolean }
  | { kind: 'hover'; element: string; at?: Point }
  /**
   * Key combinations such as `Control+a`, `Enter`, `Shift+Tab`, separated by spaces. `holdFor`: milliseconds to hold the last key, at most
   * 5,000.
   */
  | { kind: 'press'; keys: string; element?: string; holdFor?: number }
  /** Scrolls by one viewport height of the page or of the element. `into` scrolls the element into view. */
  | { kind: 'scroll'; direction: 'up' | 'down' | 'left' | 'right' | 'into'; element?: string }
  /** Selects options by text or value, in a native select or in a custom listbox or combobox. */
  | { kind: 'select'; element: string; options: string[] }
  | { kind: 'check'; element: string; checked: boolean }
  /** Drags to an element (its center or a point in it), or by an offset in pixels. */
  | { kind: 'drag'; element: string; from?: Point; to?: string; at?: Point; by?: Point }
  | { kind: 'upload'; element: string; files: UploadedFile[] }
  /** Selects text as with the mouse: `text` within the element, or the whole element. */
  | { kind: 'selectText'; element?: string; text?: string }
  /** Returns the text of the whole page. The host compares it, so that no page receives what the model waits for. */
  | { kind: 'words' }
  | { kind: 'settle' }
  | { kind: 'dialogs'; policy: DialogPolicy }
  | { kind: 'screenshot' }
  /**
   * Steps through the history entries that the page itself created with `pushState` or `#`. Returns `done: false` if the step leads off
   * this page.
   */
  | { kind: 'history'; by: number };

export type RequestKind = DriverRequest['kind'];

/**
 * Requests that perform an action and return an `ActionResult`. `approved`: the roles and names of its elements when the user approved the
 * action (see `targetIn`). If one has another role or name by now, the action is refused with `changed`.
 */
export type ActionRequest = Exclude<
  DriverRequest,
  { kind: 'view' | 'words' | 'settle' | 'dialogs' | 'screenshot' | 'history' }
> & { approved?: string };

/** Message from host to driver. `file` replies to the event `fetch`; a rejected fetch has status 0 and the reason in `problem`. */
export type ToDriver =
  | { type: 'call'; id: number; request: DriverRequest }
  | { type: 'file'; id: number; status: number; contentType?: string; body?: ArrayBuffer; problem?: string };

const viewResult = z.object({
  title: text(LIMITS.title),
  /** Lines of the page, indented with tabs. */
  text: text(LIMITS.view),
  page: z.int().check(z.minimum(1)),
  pages: z.int().check(z.minimum(1)),
  /** True if `text` contains only the changes since the last view: lines prefixed with `+`, `-` or `~`. */
  changes: z.boolean(),
  /** Estimated tokens of `text`, and of the complete view of the page. */
  tokens: z.int().check(z.minimum(0)),
  allTokens: z.int().check(z.minimum(0)),
  /** Scroll position, height of the window, and height of the document, in pixels. */
  scroll: z.object({ top: z.number(), height: z.number(), all: z.number() }),
  /** First id that a later page of this tab may use. */
  nextId: z.int().check(z.minimum(1)),
});
export type ViewResult = z.infer<typeof viewResult>;

const actionResult = z.object({
  /** Description of the action in one sentence: `clicked button 'Save'`. */
  said: text(LIMITS.message),
  /** Events that a user would notice but that the page does not show, one sentence each, such as a blocked form. */
  notes: z.array(text(LIMITS.message)).check(z.maxLength(LIMITS.notes)),
  /** The action leads away from the page. The driver sent the event `navigate` before. */
  left: z.boolean(),
  /** False if the page did not become quiet within 10 s. */
  quiet: z.boolean(),
});
export type ActionResult = z.infer<typeof actionResult>;

const screenshotResult = z.object({
  /** A `data:image/png` URL. */
  image: text(LIMITS.image).check(z.regex(/^data:image\/png;base64,/)),
  width: z.int().check(z.minimum(1)),
  height: z.int().check(z.minimum(1)),
});
export type ScreenshotResult = z.infer<typeof screenshotResult>;

/** Schema of each response, for the host to parse driver responses. */
export const answerOf = {
  view: viewResult,
  words: z.object({ text: text(LIMITS.words) }),
  click: actionResult,
  type: actionResult,
  hover: actionResult,
  press: actionResult,
  scroll: actionResult,
  select: actionResult,
  check: actionResult,
  drag: actionResult,
  upload: actionResult,
  selectText: actionResult,
  settle: actionResult,
  dialogs: z.object({}),
  screenshot: screenshotResult,
  history: z.object({ done: z.boolean() }),
} as const satisfies Record<RequestKind, z.ZodMiniType>;

export type AnswerOf<Kind extends RequestKind> = z.infer<(typeof answerOf)[Kind]>;

/** Reason why an action failed. The message is a sentence for the model. */
const refusalCode = z.enum([
  'not-found', // no element has this id, or it was removed
  'disabled',
  'hidden',
  'changed', // the element is not the one that the user approved
  'covered', // another element covers it
  'unfit', // the element does not support this action
  'no-option', // no option matches
  'timeout', // the awaited change did not happen in time
  'unsupported', // not possible from inside a page
  'busy', // another action is still running
  'failed',
]);
export type RefusalCode = z.infer<typeof refusalCode>;

/**
 * Events that a page sends on its own initiative.
 *
 * - `ready`: the port is connected. `loaded`: the document and its resources have loaded.
 * - `navigate`: the page requests another address. `url` is absolute. Script access to `location` arrives here if the text of the script
 *   could be rewritten (`virtualLocation`). Other access appears only in the wrapper, as a `securitypolicyviolation`.
 * - `history`: `pushState`, `replaceState` or `#…` changed the address within the document; `index` counts within this document.
 * - `fetch`: the page requests a file; the host replies with `file`.
 * - `dialog`: a dialog was shown, with the response it received.
 */
const driverEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready'), title: text(LIMITS.title) }),
  z.object({ event: z.literal('loaded'), title: text(LIMITS.title) }),
  z.object({ event: z.literal('title'), title: text(LIMITS.title) }),
  z.object({
    event: z.literal('navigate'),
    url: text(LIMITS.url),
    how: z.enum(['link', 'submit', 'open', 'script', 'replace', 'reload', 'back', 'forward']),
    method: z.enum(['get', 'post']),
    /** Form fields of a POST. Form fields of a GET are in `url`. */
    fields: z.array(z.tuple([text(LIMITS.url), text(LIMITS.view)])).check(z.maxLength(LIMITS.fields)),
    /** Opens in a new tab. */
    popup: z.boolean(),
    /** Targets a frame above the page: `_top` or `_parent`. */
    top: z.boolean(),
  }),
  z.object({
    event: z.literal('history'),
    url: text(LIMITS.url),
    how: z.enum(['push', 'replace', 'hash', 'traverse']),
    index: z.int().check(z.minimum(0)),
    length: z.int().check(z.minimum(1)),
  }),
  /** Sites only: another document of the same site is about to replace this one. */
  z.object({ event: z.literal('leaving') }),
  z.object({ event: z.literal('close') }),
  /** The page changed stored data. A null `value` means removal. A null `key` means that the whole area was cleared. */
  z.object({
    event: z.literal('storage'),
    area: z.enum(['local', 'session', 'cookies']),
    key: z.nullable(text(LIMITS.url)),
    value: z.nullable(text(LIMITS.view)),
  }),
  /** `body`: content in the page's own memory (`data:`, `blob:`); null for content at `url`. */
  z.object({
    event: z.literal('download'),
    url: text(LIMITS.url),
    name: text(LIMITS.title),
    body: z.nullable(z.instanceof(ArrayBuffer)),
  }),
  z.object({
    event: z.literal('dialog'),
    kind: z.enum(['alert', 'confirm', 'prompt', 'print']),
    message: text(LIMITS.message),
    answer: text(LIMITS.message),
  }),
  z.object({
    event: z.literal('console'),
    level: z.enum(['log', 'info', 'warn', 'error', 'debug']),
    text: text(LIMITS.message),
  }),
  z.object({ event: z.literal('error'), text: text(LIMITS.message) }),
  z.object({
    event: z.literal('fetch'),
    id: z.int().check(z.minimum(1)),
    url: text(LIMITS.url),
    method: text(20),
    /** `frame`: the document of a child frame. The host replies with its HTML, with resources inlined as for a page. */
    use: z.enum(['data', 'frame']),
    body: z.nullable(z.union([text(LIMITS.body), z.instanceof(ArrayBuffer)])),
  }),
]);
export type DriverEvent = z.infer<typeof driverEvent>;

/** Schema of every message from a driver. `answerOf` then parses the `value` of an answer. */
export const fromDriver = z.union([
  z.object({ type: z.literal('event'), event: driverEvent }),
  z.object({ type: z.literal('answer'), id: z.int(), ok: z.literal(true), value: z.unknown() }),
  z.object({
    type: z.literal('answer'),
    id: z.int(),
    ok: z.literal(false),
    code: refusalCode,
    message: text(LIMITS.message),
  }),
]);
export type FromDriver = z.infer<typeof fromDriver>;

/**
 * Returns the driver as the text of one classic script, for a `<script>` before all other content of a document. `source` is `driverSource`
 * of `./driver-source.ts`. The text is safe inside HTML: it contains neither `</script` nor `<!--`.
 */
export function driverText(source: string, settings: DriverSettings): string {
  return withSettings(source, settings);
}

/**
 * Returns the driver text for a page of the application's own origin. The page can then be driven from that origin, in the same way as a
 * site that names the origin.
 */
export function ownDriverText(source: string, origin: string): string {
  return withSettings(source, { origins: [origin] });
}

function withSettings(source: string, settings: object): string {
  const literal = JSON.stringify(settings).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `{const ROLEZERO_DRIVER=${literal};\n${source}}`; // the driver finds its own source text after the first line
}
