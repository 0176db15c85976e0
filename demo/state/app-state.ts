import type { ErrorData, FileInfo, Phase, PlanData, Question, SessionInfo, Usage } from 'rolezero';
import { emptyConversation, type Conversation } from './conversation.js';
import { noSettings, type Settings } from './settings.js';

/** Which part a narrow screen shows. */
export type Pane = 'talk' | 'plan' | 'files' | 'setup';

/** The file that is shown. */
export interface OpenFile {
  path: string;
  content: string;
  /** As it was before the last change that was seen; null when that was its first. */
  before: string | null;
}

/** What the page shows of a session. */
export interface SessionState {
  conversation: Conversation;
  plan: PlanData | null;
  files: readonly FileInfo[];
  /** Paths written since this page opened the session. */
  changed: ReadonlyMap<string, 'new' | 'changed'>;
  openFile: OpenFile | null;
  /** Show each file the agent writes. */
  follow: boolean;
  /** The page in `openFile` with everything it needs in one text; null when it is shown as text. */
  preview: string | null;
  question: Question | null;
  /** Milliseconds since 1970; null when nothing is running. */
  runningSince: number | null;
  phase: Phase;
  /** Work that can go on: since when it rests (null when that is not known), and whether it was stopped, failed or cut off. */
  paused: { at: number | null; why: 'stopped' | 'failed' | 'interrupted' } | null;
  usage: Usage | null;
}

/** Everything the page shows, and nothing else. */
export interface State extends SessionState {
  settings: Settings;
  /** A key was used with this server before, and went with the page it was entered on. */
  keyIsMissing: boolean;
  settingsOpen: boolean;
  sessions: readonly SessionInfo[];
  /** The open session; null before the first request of a new one. */
  session: string | null;
  opening: boolean;
  /** What went wrong outside of a run. */
  failure: ErrorData | null;
  /** A request was typed, and there is no model to work on it. */
  needsModel: boolean;
  pane: Pane;
  /** For those who cannot see the page. */
  announcement: string;
}

export const emptySession: SessionState = {
  conversation: emptyConversation,
  plan: null,
  files: [],
  changed: new Map(),
  openFile: null,
  follow: true,
  preview: null,
  question: null,
  runningSince: null,
  phase: 'idle',
  paused: null,
  usage: null,
};

const initial: State = {
  ...emptySession,
  settings: noSettings,
  keyIsMissing: false,
  settingsOpen: false,
  sessions: [],
  session: null,
  opening: false,
  failure: null,
  needsModel: false,
  pane: 'talk',
  announcement: '',
};

/** Holds the one state of the page and shows it, at most once a frame. */
export class Store {
  #state = initial;
  #scheduled = false;

  constructor(private readonly show: (state: State) => void) {}

  get state(): State {
    return this.#state;
  }

  update(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.show(this.#state);
    });
  }
}
