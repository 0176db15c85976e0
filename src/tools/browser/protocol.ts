/**
 * What the frame host and the driver inside a page say to each other.
 *
 * Beginning: the host writes the driver in front of everything else of the document (`driverText` puts the settings into the text), and
 * once the document is there posts `{ rolezero: nonce }` with one `MessagePort` to its window. The driver takes the first such message that
 * comes from its parent, answers `ready`, then all events that waited. From there on only the port is used.
 *
 * The host leaves `base-uri` open in the page's policy: the driver sets `<base>` to the page's address, so that addresses resolve.
 *
 * Distrust: all that comes from a page may have been made by the page. The host reads it with `fromDriver` and drops what does not fit;
 * texts are cut by the driver and refused by the host when longer than the limits here. Values given to a page are the page's from then on.
 */
import * as z from 'zod/mini';
import { LIMITS } from './limits.js';

/** An element's name in a view: a number, for elements of child frames with the frame's number before it: `12`, `7.3`. Never used twice in a tab. */
export const elementId = z.string().check(z.regex(/^\d{1,9}(\.\d{1,9}){0,5}$/));

const text = (longest: number) => z.string().check(z.maxLength(longest));

/** A file handed to `<input type=file>`. */
export interface UploadedFile {
  name: string;
  type: string;
  bytes: ArrayBuffer;
}

/** How alert, confirm and prompt are answered: they cannot wait, so the answer is there before the question. */
export interface DialogPolicy {
  /** True presses OK, false Cancel. */
  accept: boolean;
  /** What a prompt is answered with when accepted; null takes the page's own default. */
  text: string | null;
}

/** What the host writes into the driver's text. */
export interface DriverSettings {
  nonce: string;
  /** The page's own address, against which links are resolved: `https://workspace.invalid/app/index.html`. */
  url: string;
  /** Ids start here, so that an id of an earlier page of this tab never means another element. Read back from `ViewResult.nextId`. */
  firstId: number;
  dialogs: DialogPolicy;
  /** Position in the tab's history and its length, for `history.length`, and the state of the entry for `history.state`. */
  history?: { index: number; length: number; state: unknown };
  /** What earlier pages of the tab stored; an opaque origin has no storage of its own. Read back from the event `storage`. */
  storage?: { local: [string, string][]; session: [string, string][]; cookies: [string, string][] };
  /** Milliseconds without any activity after which the page counts as quiet; 500 if not given. */
  quiet?: number;
  /** `navigator.platform` decides about Meta; this overrides it in tests. */
  isMac?: boolean;
}

export interface Point {
  /** CSS pixels from the left edge of the element. */
  x: number;
  /** CSS pixels from the upper edge of the element. */
  y: number;
}

/**
 * What the host may ask for. Actions (`click` to `drag`) answer once the page is quiet again (0.5 s, at most 10 s), or at once with
 * `left: true` when they lead away from the page.
 */
export type DriverRequest =
  /** `changes`: what differs from the last view handed out, when that is shorter than the whole. */
  | { kind: 'view'; page?: number; changes?: boolean; limit?: number }
  | {
      kind: 'click';
      element: string;
      at?: Point;
      button?: 'left' | 'middle' | 'right';
      count?: 1 | 2 | 3;
      /** Keys held down meanwhile: `['Shift']`. */
      hold?: string[];
      /** Milliseconds the button stays down, at most 5,000. */
      holdFor?: number;
    }
  /** Types at the caret. `clear` empties the field first; `enter` presses Enter after it. Without `element`: where the focus is. */
  | { kind: 'type'; element?: string; text: string; clear?: boolean; enter?: boolean }
  | { kind: 'hover'; element: string; at?: Point }
  /** `Control+a`, `Enter`, `Shift+Tab`; several with spaces between. `holdFor`: milliseconds the last key stays down, at most 5,000. */
  | { kind: 'press'; keys: string; element?: string; holdFor?: number }
  /** One viewport height of the page, or of the element, or until the element is in view (`into`). */
  | { kind: 'scroll'; direction: 'up' | 'down' | 'left' | 'right' | 'into'; element?: string }
  /** Options by their text or value, of a native select or a listbox or combobox made of other elements. */
  | { kind: 'select'; element: string; options: string[] }
  | { kind: 'check'; element: string; checked: boolean }
  /** To an element (its centre, or a point of it), or by an offset in pixels. */
  | { kind: 'drag'; element: string; from?: Point; to?: string; at?: Point; by?: Point }
  | { kind: 'upload'; element: string; files: UploadedFile[] }
  /** Selects text as with the mouse: `text` within the element, or all of it. */
  | { kind: 'selectText'; element?: string; text?: string }
  /** Until the text is on the page (`gone`: no longer), at most `within` milliseconds, 30,000 at the longest. */
  | { kind: 'wait'; text: string; gone?: boolean; within: number }
  | { kind: 'settle' }
  | { kind: 'dialogs'; policy: DialogPolicy }
  | { kind: 'screenshot' }
  /** Steps through the entries the page itself made with pushState or `#`. `false` in the answer: the step leads off this page. */
  | { kind: 'history'; by: number };

export type RequestKind = DriverRequest['kind'];

/** Those that answer what was done. */
export type ActionRequest = Exclude<
  DriverRequest,
  { kind: 'view' | 'settle' | 'dialogs' | 'screenshot' | 'history' }
>;

/** Host → driver. `file` answers the event `fetch`; a refused one has status 0 and says why in `problem`. */
export type ToDriver =
  | { type: 'call'; id: number; request: DriverRequest }
  | { type: 'file'; id: number; status: number; contentType?: string; body?: ArrayBuffer; problem?: string };

const viewResult = z.object({
  title: text(LIMITS.title),
  /** The page's lines, tabs for depth. */
  text: text(LIMITS.view),
  page: z.int().check(z.minimum(1)),
  pages: z.int().check(z.minimum(1)),
  /** True when `text` tells only what changed since the last view: lines with `+`, `-` or `~` before them. */
  changes: z.boolean(),
  /** Estimated tokens of `text`, and of the whole page's view. */
  tokens: z.int().check(z.minimum(0)),
  allTokens: z.int().check(z.minimum(0)),
  /** Where the view is: pixels scrolled, the window's height and the document's. */
  scroll: z.object({ top: z.number(), height: z.number(), all: z.number() }),
  /** The first id a later page of this tab may use. */
  nextId: z.int().check(z.minimum(1)),
});
export type ViewResult = z.infer<typeof viewResult>;

const actionResult = z.object({
  /** What was done, one sentence: `clicked button 'Save'`. */
  said: text(LIMITS.message),
  /** What a person would have noticed and the page does not show, one sentence each: a form that was held back. */
  notes: z.array(text(LIMITS.message)).check(z.maxLength(LIMITS.notes)),
  /** The action leads away: the event `navigate` was sent before. */
  left: z.boolean(),
  /** False when the page did not become quiet in 10 s. */
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

/** The shape of each answer, for the host to read what a driver says. */
export const answerOf = {
  view: viewResult,
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
  wait: actionResult,
  settle: actionResult,
  dialogs: z.object({}),
  screenshot: screenshotResult,
  history: z.object({ done: z.boolean() }),
} as const satisfies Record<RequestKind, z.ZodMiniType>;

export type AnswerOf<Kind extends RequestKind> = z.infer<(typeof answerOf)[Kind]>;

/** Why an action was not done. The message is a sentence for the model. */
const refusalCode = z.enum([
  'not-found', // no element with this id (any more)
  'disabled',
  'hidden',
  'covered', // another element lies over it
  'unfit', // not an element this can be done to
  'no-option', // nothing to select by this name
  'timeout', // what was waited for did not come
  'unsupported', // cannot be done from inside a page
  'busy', // an action is still under way
  'failed',
]);
export type RefusalCode = z.infer<typeof refusalCode>;

/**
 * What a page tells by itself.
 *
 * - `ready`: the port is there. `loaded`: the document and its resources are there.
 * - `navigate`: the page wants to be elsewhere. `url` is absolute. What scripts do with `location` arrives here where their
 *   text could be rewritten (`virtualLocation`); what could not be shows only in the wrapper, as a `securitypolicyviolation`.
 * - `history`: pushState, replaceState or `#…` changed the address without leaving; `index` counts within this document.
 * - `fetch`: the page asks for a file; the host answers with `file`.
 * - `dialog`: a dialog was shown, and how it was answered.
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
    /** Form fields of a POST; a GET's are in `url`. */
    fields: z.array(z.tuple([text(LIMITS.url), text(LIMITS.view)])).check(z.maxLength(LIMITS.fields)),
    /** To a new tab. */
    popup: z.boolean(),
    /** Out of all frames: `_top` or `_parent`. */
    top: z.boolean(),
  }),
  z.object({
    event: z.literal('history'),
    url: text(LIMITS.url),
    how: z.enum(['push', 'replace', 'hash', 'traverse']),
    index: z.int().check(z.minimum(0)),
    length: z.int().check(z.minimum(1)),
  }),
  /** Of a site: its document is about to go, to another one of the same site. */
  z.object({ event: z.literal('leaving') }),
  z.object({ event: z.literal('close') }),
  /** The page stored something; null: it was removed. Without a key: all of the area was. */
  z.object({
    event: z.literal('storage'),
    area: z.enum(['local', 'session', 'cookies']),
    key: z.nullable(text(LIMITS.url)),
    value: z.nullable(text(LIMITS.view)),
  }),
  /** `body`: what is in the page's own memory (`data:`, `blob:`); null for what is at `url`. */
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
    /** `frame`: the document of a child frame; the host answers with its HTML, resources inlined as for a page. */
    use: z.enum(['data', 'frame']),
    body: z.nullable(z.union([text(LIMITS.body), z.instanceof(ArrayBuffer)])),
  }),
]);
export type DriverEvent = z.infer<typeof driverEvent>;

/** Everything a driver may say, for the host to check. An answer's `value` is then read with `answerOf`. */
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
 * The driver as the text of one classic script, to be put into a `<script>` before everything else of a document: `source` is
 * `driverSource` of `./driver-source.ts`. Safe inside of HTML: it holds no `</script` and no `<!--`.
 */
export function driverText(source: string, settings: DriverSettings): string {
  return withSettings(source, settings);
}

/** The same for a page of the application's own origin: it drives itself for that origin as a site does for those it names. */
export function ownDriverText(source: string, origin: string): string {
  return withSettings(source, { origins: [origin] });
}

function withSettings(source: string, settings: object): string {
  const literal = JSON.stringify(settings).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `{const ROLEZERO_DRIVER=${literal};\n${source}}`; // the driver finds its own text behind the first line
}
