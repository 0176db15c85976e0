import { RoleZeroError } from '../../../core/error.js';
import { newId } from '../../../core/new-id.js';
import type { PageTool, PageToolContext } from '../../../core/page-tool.js';
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
