import type { PreviewWidth, State, Tab } from './app-state.js';
import { isRecord } from './is-record.js';
import { keep } from './keep.js';
import { MORE } from './more-tabs.js';

/** What was shown of a session last. */
export interface SessionView {
  /** The workbench was beside the conversation. */
  workbench?: boolean;
  tab?: Tab;
  /** Path of the page in the preview. */
  page?: string;
  /** Pixels that it was scrolled down. */
  scrollTop?: number;
  width?: PreviewWidth;
  /** Command lines of the user, the newest last. */
  commands?: readonly string[];
}

const KEY = 'rolezero-demo:session-views';
/** Maximum number of remembered sessions; the oldest views are forgotten. */
const MAX_VIEWS = 100;
/** Maximum number of remembered command lines of a session. */
const MAX_COMMANDS = 50;
/** Maximum characters of a remembered command line; a longer one can be run, and is not remembered. */
const MAX_COMMAND = 1_000;
const TABS: readonly Tab[] = ['preview', 'files', 'terminal', ...MORE];
const WIDTHS: readonly PreviewWidth[] = ['phone', 'tablet', 'full'];

/** Remembers what is shown of each session, to show it again after a reload. */
export class SessionViews {
  /** The views by the name of the session; the newest last. */
  readonly #views: Map<string, SessionView>;

  constructor(private readonly storage: Storage) {
    this.#views = readViews(storage);
  }

  of(session: string): SessionView {
    return this.#views.get(session) ?? {};
  }

  /** Remembers what the page shows. A session that is being opened does not show it yet. */
  keep({ session, opening, workbench, tab, page, previewWidth }: State): void {
    if (session === null || opening) return;
    const before = this.of(session);
    const path = page?.url.startsWith('/') === true ? page.url : undefined;
    const isSamePage = path === undefined || path === before.page;
    const isSameTab = before.tab === tab && before.width === previewWidth;
    if (isSamePage && isSameTab && (workbench ?? before.workbench) === before.workbench) return;
    const { scrollTop: _, ...others } = before;
    this.#set(session, {
      ...(isSamePage ? before : others),
      ...(path === undefined ? {} : { page: path }),
      ...(workbench === null ? {} : { workbench }),
      tab,
      width: previewWidth,
    });
  }

  /** The workbench of a new session is open from the beginning. */
  openWorkbench(session: string): void {
    this.#set(session, { ...this.of(session), workbench: true });
  }

  /** Remembers how far the page in the preview is scrolled. */
  scrolled(session: string, page: string, scrollTop: number): void {
    const before = this.of(session);
    if (before.page === page && before.scrollTop !== scrollTop) this.#set(session, { ...before, scrollTop });
  }

  /** Remembers a command line, unless it is the newest one already. */
  ran(session: string, command: string): void {
    const before = this.of(session);
    const { commands = [] } = before;
    if (command.length > MAX_COMMAND || command === commands.at(-1)) return;
    this.#set(session, { ...before, commands: [...commands, command].slice(-MAX_COMMANDS) });
  }

  forget(session: string): void {
    if (this.#views.delete(session)) this.#save();
  }

  #set(session: string, view: SessionView): void {
    this.#views.delete(session);
    this.#views.set(session, view);
    this.#save();
  }

  #save(): void {
    keep(this.storage, KEY, JSON.stringify([...this.#views].slice(-MAX_VIEWS)));
  }
}

/** Reads the views; entries that another program wrote are ignored. */
function readViews(storage: Storage): Map<string, SessionView> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    const entries = Array.isArray(stored) ? stored : [];
    return new Map(
      entries.flatMap((entry: unknown) =>
        Array.isArray(entry) && typeof entry[0] === 'string' ? [[entry[0], viewOf(entry[1])] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

function viewOf(value: unknown): SessionView {
  if (!isRecord(value)) return {};
  const tab = TABS.find((known) => known === value['tab']);
  const width = WIDTHS.find((known) => known === value['width']);
  const { workbench, page, scrollTop, commands } = value;
  return {
    ...(typeof workbench === 'boolean' ? { workbench } : {}),
    ...(tab === undefined ? {} : { tab }),
    ...(width === undefined ? {} : { width }),
    ...(typeof page === 'string' ? { page } : {}),
    ...(typeof scrollTop === 'number' ? { scrollTop } : {}),
    ...(Array.isArray(commands)
      ? { commands: commands.filter((command): command is string => typeof command === 'string') }
      : {}),
  };
}
