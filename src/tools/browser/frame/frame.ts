import { checkOptions } from '../../../core/check-options.js';
import { describeAsSentence, RoleZeroError } from '../../../core/error.js';
import type { FileInfo, SessionFiles } from '../../../core/files.js';
import { newId } from '../../../core/new-id.js';
import type { PageTool, PageToolContext, ReadableFiles } from '../../../core/page-tool.js';
import * as s from '../../../core/schema.js';
import { FRAME_PART, type FrameAction, type FrameReply, type FrameRequest } from '../frame-protocol.js';
import { readOrigins } from './content-policy.js';
import { FrameBrowser } from './frame-browser.js';
import type { FrameOptions } from './frame-options.js';
import { readScopes } from './site-frame.js';

/** Request from the application's own worker; only its shape is checked. */
const requestShape = s.object({ role: s.string(), action: s.object({ do: s.string() }) });

/** Maximum number of browsers of a page: each sub-agent has one. */
const MAX_BROWSERS = 10;

/** Browser of one role. */
interface RoleBrowser {
  browser: FrameBrowser;
  container: HTMLElement;
  /** Resolves when all requested actions have finished. */
  last: Promise<unknown>;
}

const TAKEN =
  'Another role has used its own page in this window since your last command: what had the focus here has lost it.';

const DESCRIPTOR: PageTool['descriptor'] = {
  name: FRAME_PART,
  description: 'Shows pages.',
  schema: {},
  effect: 'ui',
  replay: 'idempotent',
  onAmbiguous: 'fail',
  part: true,
};

/** Size in pixels of pages that are not visible. */
const HIDDEN_SIZE = { width: 1280, height: 800 };

/** In ms, the pause after a change of files before the page is loaded again. */
const RELOAD_DELAY = 400;
/** In ms, for a page to report where the user is in it, also on a busy machine. A page in an endless loop never does. */
const LOOK_TIMEOUT = 4_000;

/** Fills the element, and is visible in one without a height. */
const PLACE_STYLE = 'position:relative;inline-size:100%;block-size:100%;min-block-size:20rem;';

/**
 * Page side of the Browser tool. Shows the pages that the agent opens, and runs the agent's commands in them. Each page is in a frame
 * without an origin and without network access. Each role of a team has its own tabs. A window has only one focus, so roles act in turn.
 * The role that acted last is in front. The worker side is `browser()` of `rolezero/tools/browser`.
 *
 * @example connect(worker, { tools: [frame({ element: document.querySelector('#preview') })] })
 * @throws RoleZeroError `invalid` if `network` or `drive` contains an invalid origin.
 */
export function frame(options: FrameOptions = {}): PageTool {
  const network = readOrigins(options.network ?? []);
  const drive = readScopes(options.drive ?? []);
  const browsers = new Map<string, RoleBrowser>();
  const turns = new ActionQueue<FrameBrowser>();
  const browserOf = (role: string, { session }: PageToolContext): RoleBrowser =>
    recentlyUsed(browsers, JSON.stringify([session.name, role]), () => {
      const container = containerIn(options.element);
      const browser = new FrameBrowser(newId(), container, { ...options, network, drive });
      return { browser, container, last: Promise.resolve() };
    });
  return {
    descriptor: DESCRIPTOR,
    async call(input, context): Promise<FrameReply> {
      const parsed = s.read(requestShape, input);
      if (!parsed.success)
        throw new RoleZeroError(
          'internal',
          'Invalid request to frame(). The page and the worker may run different versions of rolezero.',
        );
      const { role } = parsed.data;
      const entry = browserOf(role, context);
      const next = stoppable(context.signal, entry.last, async () => {
        context.signal.throwIfAborted();
        const { browser, container } = entry;
        const asked = input as FrameRequest;
        return turns.take(browser, asked.action, (wasTaken) => {
          context.signal.throwIfAborted();
          if (options.element !== undefined)
            for (const each of browsers.values()) each.container.style.zIndex = each === entry ? '1' : '0';
          if (wasTaken) browser.notice(TAKEN);
          container.dataset['role'] = role;
          return browser.handle(asked, context.files);
        });
      });
      entry.last = next.catch(() => undefined); // one action at a time; the caller receives the error
      return next;
    },
  };
}

/**
 * Returns the browser of a key, and makes it the last one of the map. A new one may need room: those that were unused for longest are closed.
 * Each reopens its pages with its next action.
 */
function recentlyUsed(
  browsers: Map<string, RoleBrowser>,
  key: string,
  create: () => RoleBrowser,
): RoleBrowser {
  const known = browsers.get(key);
  browsers.delete(key);
  for (const [oldest, { browser, container }] of known === undefined ? browsers : []) {
    if (browsers.size < MAX_BROWSERS) break;
    browsers.delete(oldest);
    browser.close();
    container.remove();
  }
  const entry = known ?? create();
  browsers.set(key, entry);
  return entry;
}

/** Runs an action after `before`. Rejects as soon as `signal` aborts; an action that already started in a page may continue there. */
async function stoppable<Value>(
  signal: AbortSignal,
  before: Promise<unknown>,
  action: () => Promise<Value>,
): Promise<Value> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  stopped.catch(() => undefined); // only `Promise.race` handles the rejection
  return Promise.race([before.then(action), stopped]);
}

/** Creates the element that contains the frames of one browser. */
function containerIn(element: HTMLElement | undefined): HTMLElement {
  const container = document.createElement('div');
  container.className = 'rolezero-pages';
  if (element !== undefined) {
    container.style.cssText = 'position:absolute;inset:0;overflow:hidden;';
    element.append(container);
    return container;
  }
  // The container stays within the window and is not `display: none`, because browsers throttle timers of invisible frames.
  container.style.cssText = `position:fixed;left:0;top:0;width:${HIDDEN_SIZE.width}px;height:${HIDDEN_SIZE.height}px;opacity:0;pointer-events:none;z-index:-1;overflow:hidden;`;
  container.setAttribute('aria-hidden', 'true');
  document.body.append(container);
  return container;
}

/**
 * Serializes actions of several roles. All roles share one window, which has one focus and one browser in front. Each role has its own
 * tabs. Only one role at a time acts in a page, in request order. Opening, viewing and waiting need no turn.
 */
class ActionQueue<Browser> {
  #last: Promise<unknown> = Promise.resolve();
  #holder: Browser | null = null;
  readonly #before = new Set<Browser>();

  /** Runs an action when it is the browser's turn. `wasTaken` is true if another browser has acted since this one last did. */
  take<Value>(
    browser: Browser,
    action: FrameAction,
    act: (wasTaken: boolean) => Promise<Value>,
  ): Promise<Value> {
    if (!needsFocus(action)) return act(false);
    const turn = this.#last.then(() => {
      const wasTaken = this.#holder !== null && this.#holder !== browser && this.#before.has(browser);
      this.#holder = browser;
      this.#before.add(browser);
      return act(wasTaken);
    });
    this.#last = turn.catch(() => undefined); // the caller receives the error
    return turn;
  }
}

function needsFocus(action: FrameAction): boolean {
  return action.do === 'upload' || action.do === 'act';
}

/** What `preview` needs of a session. */
interface PreviewedSession {
  readonly name: string;
  readonly files: ReadableFiles & Pick<SessionFiles, 'watch'>;
}

interface PreviewOptions extends Pick<FrameOptions, 'network' | 'frameUrl'> {
  /** Path of the page, such as `/index.html`. @default the newest `index.html` of the session, otherwise its newest page */
  page?: string;
}

/**
 * Shows a page of a session to the user, and loads it again when files change. The user stays where they were in it. Until there is a page,
 * the element stays empty. As in `frame`, the page has no origin and no network access, and receives only the files that it uses.
 *
 * @example preview(session, document.body.appendChild(document.createElement('div')));
 * @returns Function that ends the preview and removes it from the element.
 * @throws RoleZeroError `invalid` for an unknown option, or an invalid origin in `network`.
 */
export function preview(
  session: PreviewedSession,
  element: HTMLElement,
  options: PreviewOptions = {},
): () => void {
  checkOptions('preview()', options, { page: 'text', network: 'list', frameUrl: true });
  const { page, ...frameOptions } = options;
  const place = document.createElement('div');
  place.style.cssText = PLACE_STYLE;
  const problem = document.createElement('p');
  problem.setAttribute('role', 'alert');
  const tool = frame({ ...frameOptions, element: place });
  const closing = new AbortController();
  /** Path of the shown page. */
  let shown: string | null = null;

  const act = (action: FrameAction, signal = closing.signal): Promise<FrameReply> =>
    tool.call(
      { role: 'user', action, known: null, since: 0, limit: 1_000, exposed: false },
      { signal, callId: newId(), session: { name: session.name }, files: session.files },
    ) as Promise<FrameReply>;

  /** Returns where the user is: links may have led to another page. */
  const position = async (path: string): Promise<{ url: string; scrollTop: number }> => {
    try {
      const { tabs, current, view } = await act({ do: 'look', page: 1 }, AbortSignal.timeout(LOOK_TIMEOUT));
      return { url: tabs[current]?.url ?? encodedPath(path), scrollTop: view?.scrollTop ?? 0 };
    } catch {
      return { url: encodedPath(path), scrollTop: 0 };
    }
  };

  const show = (path: string | null, reason = ''): void => {
    shown = path;
    place.hidden = path === null || reason !== '';
    problem.textContent = reason;
    problem.hidden = reason === '';
  };

  const load = async (): Promise<void> => {
    const files = await session.files.list();
    const path = page ?? mainPage(files);
    if (path === undefined || !files.some((file) => file.path === path)) {
      show(null);
      return;
    }
    const to = path === shown ? await position(path) : { url: encodedPath(path), scrollTop: 0 };
    show(path);
    const { view } = await act({ do: 'goto', ...to });
    if (view?.serial === 0) show(path, forUser(view.text)); // there is no view of the page, but the reason
  };

  let loading = Promise.resolve();
  const reload = (): void => {
    loading = loading.then(load).catch((error: unknown) => {
      if (!closing.signal.aborted) show(null, describeAsSentence(error));
    });
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unwatch = session.files.watch('/', () => {
    clearTimeout(timer);
    timer = setTimeout(reload, RELOAD_DELAY);
  });
  show(null);
  element.append(place, problem);
  reload();
  return () => {
    unwatch();
    clearTimeout(timer);
    closing.abort();
    place.remove();
    problem.remove();
  };
}

/** Returns the page that a user wants to see: the newest index page, otherwise the newest page. */
function mainPage(files: readonly FileInfo[]): string | undefined {
  const pages = files
    .filter(({ type, path }) => type === 'file' && /\.html?$/i.test(path))
    .toSorted((one, other) => other.modifiedAt - one.modifiedAt);
  return (pages.find(({ path }) => /\/index\.html?$/i.test(path)) ?? pages[0])?.path;
}

/** Returns the address of a file whose name may contain `?`, `#` or `%`. */
function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Removes the parentheses, and the advice to use a command of the agent. */
function forUser(text: string): string {
  return text.replace(/^\((.*)\)$/s, '$1').replace(/ Browser\.goto .*$/s, '');
}
