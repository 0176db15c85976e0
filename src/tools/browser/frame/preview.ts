import { checkOptions } from '../../../core/check-options.js';
import { describeAsSentence } from '../../../core/error.js';
import type { FileInfo, SessionFiles } from '../../../core/files.js';
import { newId } from '../../../core/new-id.js';
import type { ReadableFiles } from '../../../core/page-tool.js';
import type { FrameAction, FrameReply } from '../frame-protocol.js';
import type { FrameOptions } from './frame-options.js';
import { frame } from './frame.js';

/** What `preview` needs of a session. */
interface PreviewedSession {
  readonly name: string;
  readonly files: ReadableFiles & Pick<SessionFiles, 'watch'>;
}

interface PreviewOptions extends Pick<FrameOptions, 'network' | 'frameUrl'> {
  /** Path of the page, such as `/index.html`. @default the newest `index.html` of the session, otherwise its newest page */
  page?: string;
}

/** In ms, the pause after a change of files before the page is loaded again. */
const RELOAD_DELAY = 400;
/** In ms, for a page to report where the user is in it. A page in an endless loop never does. */
const LOOK_TIMEOUT = 1_500;

/** Fills the element, and is visible in one without a height. */
const PLACE_STYLE = 'position:relative;inline-size:100%;block-size:100%;min-block-size:20rem;';

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
