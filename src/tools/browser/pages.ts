import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import * as s from '../../core/schema.js';
import type { ToolContext } from '../../core/tool.js';
import {
  keepReply,
  knownTabs,
  openAddress,
  outsideAddress,
  shownSerial,
  shownTarget,
} from './browser-state.js';
import {
  FRAME_PART,
  type Download,
  type FrameAction,
  type FrameReply,
  type FrameRequest,
} from './frame-protocol.js';

/** Time limit of a command in ms. The page has 10 seconds to settle, and it may lead to another page. */
export const COMMAND_TIMEOUT_MS = 60_000;
/** Folder for downloads of pages. */
const DOWNLOADS = '/downloads';
/** Characters that the text around a view uses in an observation. */
const AROUND_VIEW = 500;
const LEAST_VIEW = 500;

/**
 * Traits of commands that act on a page. A page can neither undo nor confirm an action. After a crash, the model is notified and nothing is
 * repeated.
 */
export const ACTS = {
  effect: 'egress-write',
  reaches: (_input: unknown, state: Record<string, JsonValue>) => outsideAddress(openAddress(state)),
  target: (input: unknown, state: Record<string, JsonValue>) => namedTarget(input, state),
  replay: 'unsafe',
  onAmbiguous: 'fail',
  timeoutMs: COMMAND_TIMEOUT_MS,
} as const;

/** How a page of session files can send data out: it can open connections, whatever its policy says. */
export const LEAK = 'it opens a page, which can send out data';

/** Pages of a role's browser, for its commands. */
export interface Pages {
  /** Sends an action to `frame()` on the page. Stores the tabs, the view and the downloads of the reply. */
  call(action: FrameAction, context: ToolContext): Promise<FrameReply>;
  /** Performs an action on the active page. Returns the observation. */
  act(request: Extract<FrameAction, { do: 'act' }>['request'], context: ToolContext): Promise<string>;
}

/** @param maxView maximum characters of a view */
export function openPages(maxView: number): Pages {
  const call: Pages['call'] = (action, context) => callAndFollow(action, context, maxView);
  return {
    call,
    act: async (request, context) => success(await call({ do: 'act', request }, context)),
  };
}

/** Returns the roles and names of the elements that a command names. */
function namedTarget(input: unknown, state: Record<string, JsonValue>): string | null {
  if (!isRecord(input)) return null;
  return shownTarget(state, [input['element_id'], input['to_element_id']]) || null;
}

/**
 * Calls the frame. If the page then leads to another origin, opens that address once, provided that the role could open it with
 * Browser.goto without a question.
 */
async function callAndFollow(
  action: FrameAction,
  context: ToolContext,
  maxView: number,
): Promise<FrameReply> {
  let reply = await callFrame(action, context, maxView);
  const { leadsTo: url, notices } = reply;
  if (url !== null && context.mayRun?.('Browser.goto', { url }) !== false) {
    reply = await callFrame({ do: 'follow' }, context, maxView);
    reply.notices.unshift(...notices);
  }
  if (reply.leadsTo !== null)
    reply.notices.push(`The page leads to ${reply.leadsTo}, another origin. Browser.goto opens it.`);
  return reply;
}

async function callFrame(action: FrameAction, context: ToolContext, maxView: number): Promise<FrameReply> {
  const { state, session, callId, outputLimit = Infinity } = context;
  if (context.callPage === undefined) throw noFrame();
  const step = callId.slice(0, callId.lastIndexOf('.'));
  const shownBefore = shownSerial(state, step);
  const request: FrameRequest = {
    role: session.role,
    action,
    known: knownTabs(state),
    since: shownBefore,
    limit: Math.max(LEAST_VIEW, Math.min(maxView, outputLimit - AROUND_VIEW)),
    exposed: context.exposed === true,
    ...defined({ approved: context.approvedTarget }),
  };
  const reply = readFrameReply(
    await context.callPage(FRAME_PART, request).catch((error: unknown) => {
      throw error instanceof RoleZeroError &&
        error.code === 'not-found' &&
        error.detail['name'] === FRAME_PART
        ? noFrame()
        : error;
    }),
  );
  await noteRead(reply.given, context);
  keepReply(state, reply, step, shownBefore);
  if (reply.outside) {
    context.untrusted?.(activeUrl(reply));
    context.untrusted?.(activeUrl(reply), addressesIn(reply.view?.text ?? '', activeUrl(reply))); // the view is no part of the result
  } else if (!reply.empty) await context.files.list('/', { recursive: true }); // the page may show content of any session file
  reply.notices.push(...(await keepDownloads(reply.downloads, context)));
  if (!reply.empty) context.pageChanged(activeUrl(reply), reply.tabs[reply.current]?.title ?? '');
  return reply;
}

/** Returns the addresses that the view of a page shows, with those of its links. */
function addressesIn(view: string, page: string): string[] {
  const shown = view.match(/(?<=\burl: )\S+|https?:\/\/[^\s"'<>]+/giu) ?? [];
  return [
    ...new Set(shown.flatMap((address) => (isUrl(address, page) ? [new URL(address, page).href] : []))),
  ];
}

/**
 * Reads the files that the page reads through the command's own file access, which labels the data.
 *
 * @throws RoleZeroError `permission` for files that a rule forbids. Other read errors are ignored.
 */
export async function noteRead(paths: readonly string[], { files }: ToolContext): Promise<void> {
  for (const path of paths)
    await files.readBytes(path).catch((error: unknown) => {
      if (error instanceof RoleZeroError && error.code === 'permission') throw error;
    });
}

/** Stores downloads as files of the workspace without overwriting existing files. */
async function keepDownloads(downloads: readonly Download[], { files }: ToolContext): Promise<string[]> {
  const notices: string[] = [];
  for (const { name, bytes } of downloads) {
    const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
    let path = `${DOWNLOADS}/${name}`;
    for (let number = 2; (await files.stat(path)) !== null; number++)
      path = `${DOWNLOADS}/${stem} (${number})${ending}`;
    await files.write(path, bytes);
    notices.push(`The page offered a file, which was saved as ${path} (${bytes.length} bytes).`);
  }
  return notices;
}

function noFrame(): RoleZeroError {
  return new RoleZeroError(
    'not-found',
    "There is no browser: the application shows no pages. (In the page's code: connect(worker, { tools: [frame()] }), with frame from 'rolezero/tools/frame'.)",
  );
}

const replyShape = s.object({
  instance: s.string(),
  tabs: s.list(s.object({ url: s.string(), title: s.string() }), { maxItems: 100 }),
  current: s.number(),
  empty: s.boolean(),
  outside: s.boolean(),
  leadsTo: s.withDefault(s.nullable(s.string()), null),
  given: s.withDefault(s.list(s.string()), []),
  restored: s.number(),
  notices: s.list(s.string()),
  downloads: s.list(s.object({ name: s.string(), bytes: s.instanceOf(Uint8Array) }), { maxItems: 200 }),
  view: s.nullable(
    s.object({
      serial: s.number(),
      text: s.string(),
      page: s.number(),
      pages: s.number(),
      changes: s.nullable(s.string()),
    }),
  ),
  log: s.nullable(s.list(s.string())),
  logStart: s.withDefault(s.number(), 0),
  image: s.nullable(s.instanceOf(Uint8Array)),
}) satisfies s.Schema<FrameReply>;

function readFrameReply(value: unknown): FrameReply {
  const read = s.read(replyShape, value);
  if (read.success) return read.data;
  throw new RoleZeroError(
    'internal',
    'Invalid reply from frame(). The page and the worker may run different versions of rolezero.',
  );
}

/** Returns the address of the active tab. */
export function activeUrl({ tabs, current }: FrameReply): string {
  return tabs[current]?.url ?? '';
}

/** Returns the output common to all actions, followed by notes on other events. */
export function success(reply: FrameReply): string {
  return [`SUCCESS, URL: ${activeUrl(reply)} have been loaded.`, ...notesOf(reply)].join('\n');
}

/** Returns one line per additional event: lost tabs, notices of the page, other open tabs. */
export function notesOf({ notices, restored, tabs, current }: FrameReply): string[] {
  const lost =
    restored === 0
      ? []
      : [
          `The browser was restarted and ${restored === 1 ? 'its page was' : `its ${restored} pages were`} opened again at the same address: what was typed, clicked or scrolled there before is lost.`,
        ];
  const others =
    tabs.length > 1
      ? [
          `Tabs: ${tabs.map(({ url }, index) => `${index}${index === current ? ' (in front)' : ''} ${url}`).join(', ')}`,
        ]
      : [];
  return [...lost, ...notices, ...others];
}
