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
import * as s from '../../core/schema.js';
import { MESSAGE_LIMITS } from './limits.js';

const text = (longest: number) => s.string({ maxLength: longest });

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
 * Requests from the host. Actions (`ActionRequest`) resolve when the page is quiet (0.5 s without activity), or after 3 s
 * if it only changes all the time, or after 10 s. The next time it gets less time. If they lead
 * away from the page, they resolve immediately with `left: true`.
 * `element` is its number in a view, such as `12`. In child frames, the number of
 * the frame precedes it: `7.3`. Numbers are never reused within a tab.
 */
export type DriverRequest =
  /** `changes`: returns the difference from the last returned view if it is shorter than the complete view. */
  | { kind: 'view'; page?: number; changes?: boolean; limit?: number }
  | {
      kind: 'click';
      element?: string;
      at?: Point;
      /** Clicks this text instead: in the element, or anywhere without one. */
      text?: string;
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
  /**
   * Drags to an element (its center or a point in it), by an offset in pixels, or along a path of points in the element. `text` and `toText`
   * are texts to take hold of and to aim at: in the element, or anywhere without one. Without element and text, `from` and `at` are points
   * in the window.
   */
  | {
      kind: 'drag';
      element?: string;
      text?: string;
      from?: Point;
      to?: string;
      toText?: string;
      at?: Point;
      by?: Point;
      path?: Point[];
    }
  | { kind: 'upload'; element: string; files: UploadedFile[] }
  /** Selects text as with the mouse: `text` within the element, or the whole element. */
  | { kind: 'selectText'; element?: string; text?: string }
  /** Returns the text of the whole page. The host compares it, so that no page receives what the model waits for. */
  | { kind: 'words' }
  | { kind: 'settle' }
  /** Observes the page for `duration` milliseconds, at most 30,000. */
  | { kind: 'watch'; duration: number }
  | { kind: 'dialogs'; policy: DialogPolicy }
  /** The visible part of the page, or of one element. */
  | { kind: 'screenshot'; element?: string }
  /** Lets the user point at an element: `read` returns it once it is picked. For the page side only. */
  | { kind: 'pick'; step: 'start' | 'read' | 'stop' }
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
  { kind: 'view' | 'words' | 'settle' | 'watch' | 'dialogs' | 'screenshot' | 'pick' | 'history' }
> & { approved?: string };

/** Message from host to driver. `file` replies to the event `fetch`; a rejected fetch has status 0 and the reason in `problem`. */
export type ToDriver =
  | { type: 'call'; id: number; request: DriverRequest }
  | { type: 'file'; id: number; status: number; contentType?: string; body?: ArrayBuffer; problem?: string };

const viewResult = s.object({
  title: text(MESSAGE_LIMITS.title),
  /** Lines of the page, indented with tabs. */
  text: text(MESSAGE_LIMITS.view),
  page: s.integer({ minimum: 1 }),
  pages: s.integer({ minimum: 1 }),
  /** True if `text` contains only the changes since the last view: lines prefixed with `+`, `-` or `~`. */
  changes: s.boolean(),
  /** Estimated tokens of `text`, and of the complete view of the page. */
  tokens: s.integer({ minimum: 0 }),
  allTokens: s.integer({ minimum: 0 }),
  /** Scroll position, height of the window, and height of the document, in pixels. */
  scroll: s.object({ top: s.number(), height: s.number(), all: s.number() }),
  /** First id that a later page of this tab may use. */
  nextId: s.integer({ minimum: 1 }),
});
export type ViewResult = s.TypeOf<typeof viewResult>;

const actionResult = s.object({
  /** Description of the action in one sentence: `clicked button 'Save'`. */
  report: text(MESSAGE_LIMITS.message),
  /** Events that a user would notice but that the page does not show, one sentence each, such as a blocked form. */
  notes: s.list(text(MESSAGE_LIMITS.message), { maxItems: MESSAGE_LIMITS.notes }),
  /** The action leads away from the page. The driver sent the event `navigate` before. */
  left: s.boolean(),
  /** False if the page did not become quiet in time. */
  quiet: s.boolean(),
});
export type ActionResult = s.TypeOf<typeof actionResult>;

const screenshotResult = s.object({
  /** A `data:image/png` URL. */
  image: s.string({ maxLength: MESSAGE_LIMITS.image, pattern: '^data:image/png;base64,' }),
  width: s.integer({ minimum: 1 }),
  height: s.integer({ minimum: 1 }),
});
export type ScreenshotResult = s.TypeOf<typeof screenshotResult>;

const pickResult = s.object({
  /** The user has neither picked an element nor ended. */
  isPointing: s.boolean(),
  picked: s.nullable(
    s.object({
      /** Its tag with its id, or else its classes. */
      name: text(MESSAGE_LIMITS.title),
      selector: text(MESSAGE_LIMITS.message),
      text: text(MESSAGE_LIMITS.title),
      tag: text(MESSAGE_LIMITS.title),
      id: text(MESSAGE_LIMITS.title),
      classes: text(MESSAGE_LIMITS.title),
    }),
  ),
});
export type PickResult = s.TypeOf<typeof pickResult>;

/** Schema of each response, for the host to parse driver responses. */
export const answerShapes = {
  view: viewResult,
  words: s.object({ text: text(MESSAGE_LIMITS.words) }),
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
  watch: actionResult,
  dialogs: s.object({}),
  screenshot: screenshotResult,
  pick: pickResult,
  history: s.object({ done: s.boolean() }),
} as const satisfies Record<RequestKind, s.Schema<unknown>>;

export type AnswerOf<Kind extends RequestKind> = s.TypeOf<(typeof answerShapes)[Kind]>;

/** Reason why an action failed. The message is a sentence for the model. */
const refusalCode = s.oneOf([
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
export type RefusalCode = s.TypeOf<typeof refusalCode>;

const errorPlaceShape = s.object({
  /** Path or address of the script; empty if it is in the document. */
  file: text(MESSAGE_LIMITS.url),
  /** Counted from 1; 0 if it is not known. */
  line: s.integer({ minimum: 0 }),
  column: s.integer({ minimum: 0 }),
  /** Line and column are those of the document that the frame shows, not of its file. */
  isInline: s.boolean(),
});
export type ErrorPlace = s.TypeOf<typeof errorPlaceShape>;

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
const driverEvent = s.either(
  s.object({ event: s.literal('ready'), title: text(MESSAGE_LIMITS.title) }),
  s.object({ event: s.literal('loaded'), title: text(MESSAGE_LIMITS.title) }),
  s.object({ event: s.literal('title'), title: text(MESSAGE_LIMITS.title) }),
  s.object({
    event: s.literal('navigate'),
    url: text(MESSAGE_LIMITS.url),
    how: s.oneOf(['link', 'submit', 'open', 'script', 'replace', 'reload', 'back', 'forward']),
    method: s.oneOf(['get', 'post']),
    /** Form fields of a POST. Form fields of a GET are in `url`. */
    fields: s.list(s.pair(text(MESSAGE_LIMITS.url), text(MESSAGE_LIMITS.view)), {
      maxItems: MESSAGE_LIMITS.fields,
    }),
    /** Opens in a new tab. */
    popup: s.boolean(),
    /** Targets a frame above the page: `_top` or `_parent`. */
    top: s.boolean(),
  }),
  s.object({
    event: s.literal('history'),
    url: text(MESSAGE_LIMITS.url),
    how: s.oneOf(['push', 'replace', 'hash', 'traverse']),
    index: s.integer({ minimum: 0 }),
    length: s.integer({ minimum: 1 }),
  }),
  /** Sites only: another document of the same site is about to replace this one. */
  s.object({ event: s.literal('leaving') }),
  s.object({ event: s.literal('close') }),
  /** The page changed stored data. A null `value` means removal. A null `key` means that the whole area was cleared. */
  s.object({
    event: s.literal('storage'),
    area: s.oneOf(['local', 'session', 'cookies']),
    key: s.nullable(text(MESSAGE_LIMITS.url)),
    value: s.nullable(text(MESSAGE_LIMITS.view)),
  }),
  /** `body`: content in the page's own memory (`data:`, `blob:`); null for content at `url`. */
  s.object({
    event: s.literal('download'),
    url: text(MESSAGE_LIMITS.url),
    name: text(MESSAGE_LIMITS.title),
    body: s.nullable(s.instanceOf(ArrayBuffer)),
  }),
  s.object({
    event: s.literal('dialog'),
    kind: s.oneOf(['alert', 'confirm', 'prompt', 'print']),
    message: text(MESSAGE_LIMITS.message),
    answer: text(MESSAGE_LIMITS.message),
  }),
  s.object({
    event: s.literal('console'),
    level: s.oneOf(['log', 'info', 'warn', 'error', 'debug']),
    text: text(MESSAGE_LIMITS.message),
  }),
  s.object({
    event: s.literal('error'),
    text: text(MESSAGE_LIMITS.message),
    at: s.optional(errorPlaceShape),
  }),
  s.object({
    event: s.literal('fetch'),
    id: s.integer({ minimum: 1 }),
    url: text(MESSAGE_LIMITS.url),
    method: text(20),
    /** `frame`: the document of a child frame. The host replies with its HTML, with resources inlined as for a page. */
    use: s.oneOf(['data', 'frame']),
    body: s.nullable(s.either(text(MESSAGE_LIMITS.body), s.instanceOf(ArrayBuffer))),
  }),
);
export type DriverEvent = s.TypeOf<typeof driverEvent>;

/** A page asks the host to open an address. */
export type NavigateRequest = Extract<DriverEvent, { event: 'navigate' }>;

/** Schema of every message from a driver. `answerShapes` then parses the `value` of an answer. */
export const fromDriver = s.either(
  s.object({ type: s.literal('event'), event: driverEvent }),
  s.object({ type: s.literal('answer'), id: s.integer(), ok: s.literal(true), value: s.anything() }),
  s.object({
    type: s.literal('answer'),
    id: s.integer(),
    ok: s.literal(false),
    code: refusalCode,
    message: text(MESSAGE_LIMITS.message),
  }),
);
export type FromDriver = s.TypeOf<typeof fromDriver>;

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
