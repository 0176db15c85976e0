import type {
  ErrorData,
  FileHistoryEntry,
  FileInfo,
  Inspection,
  MemoryItem,
  Phase,
  PlanData,
  Question,
  Session,
  SessionInfo,
  StepTrace,
  Usage,
} from 'rolezero';
import type { Tab } from '../tour/tour.js';
import { emptyConversation, type Conversation } from './conversation.js';
import type { Way, Ways } from './offers.js';
import { noPreferences, noSettings, type Preferences, type Settings } from './settings.js';

/** A file after a step. */
export type FileAfter = Awaited<ReturnType<Session['files']['after']>>[number];

/** The parts of the workbench beside the conversation. */
export const TABS: readonly Tab[] = ['plan', 'files', 'preview', 'terminal', 'memory', 'team', 'timeline'];
export type { Tab };

/** Which part a narrow screen shows. */
export type Pane = 'talk' | 'work' | 'setup';

/** The file that is shown. */
export interface OpenFile {
  path: string;
  content: string;
  /** As it was before the last change that was seen; null when that was its first. */
  before: string | null;
  /** It may not be edited here: too large, or no text. */
  locked: boolean;
}

/** One command line and what it said. */
export interface ShellLine {
  by: 'agent' | 'person';
  command: string;
  output: string;
  running: boolean;
}

/** What the page shows of a session. */
export interface SessionState {
  conversation: Conversation;
  /** So many entries of its end are shown. */
  shown: number;
  /** So many entries came in above the others since the session was opened. */
  older: number;
  /** The session keeps more of it than is here. */
  hasOlder: boolean;
  /** More of it is being asked for. */
  fetching: boolean;
  plan: PlanData | null;
  files: readonly FileInfo[];
  /** Paths written since this page opened the session. */
  changed: ReadonlyMap<string, 'new' | 'changed'>;
  openFile: OpenFile | null;
  /** Show each file the agent writes. */
  follow: boolean;
  history: readonly FileHistoryEntry[];
  steps: readonly StepTrace[];
  /** The step that is looked at in the timeline; null for the newest. */
  cursor: number | null;
  /** The files as they were after that step, and one of them with what the step changed; null until somebody looks. */
  past: { files: readonly FileAfter[]; file: OpenFile | null } | null;
  question: Question | null;
  /** Milliseconds since 1970; null when nothing is running. */
  runningSince: number | null;
  /** Where each role is. */
  phases: ReadonlyMap<string, Phase>;
  /** Work that can continue: since when it rests (null when that is not known), and whether it was stopped, failed or cut off. */
  paused: { at: number | null; why: 'stopped' | 'failed' | 'interrupted' } | null;
  usage: Usage | null;
  /** Tokens of the newest prompt. */
  promptTokens: number | null;
  /** A model that is being loaded, from 0 to 1. */
  loading: { share: number; text: string } | null;
  /** The page that is shown in the preview, and whose it is. */
  page: { url: string; by: 'agent' | 'person' } | null;
  shell: readonly ShellLine[];
  memories: { query: string; items: readonly MemoryItem[]; editing: string | null };
  /** Memories that were recalled last. */
  recalled: readonly string[];
  inspection: Inspection | null;
  /** The step of a tour whose note is put away. */
  noteHidden: boolean;
}

/** The browser's own model is started, with the share of its download from 0 to 1; or a server is asked for the context window. */
export type Preparing = { kind: 'chrome'; share: number } | { kind: 'server'; server: string };

/** Everything the page shows, and nothing else. */
export interface State extends SessionState {
  settings: Settings;
  preferences: Preferences;
  /** A key was used with this server before, and went with the page it was entered on. */
  keyIsMissing: boolean;
  dialog: 'model' | 'settings' | null;
  /** What models there are; null until it was looked. */
  ways: Ways | null;
  /** The user is asked about its download. */
  considered: Way | null;
  /** It was connected without the user choosing it, which they are told with the reason. */
  picked: Way | null;
  /** A model is being prepared before it is connected. */
  preparing: Preparing | null;
  sessions: readonly SessionInfo[];
  /** The open session; null before the first request of a new one. */
  session: string | null;
  opening: boolean;
  forking: boolean;
  /** The next session is worked on by a team. */
  wantsTeam: boolean;
  /** What went wrong outside of a run. */
  failure: ErrorData | null;
  /** A request was typed, and there is no model to work on it. */
  needsModel: boolean;
  pane: Pane;
  tab: Tab;
  /** The user chose the tab: a tour leaves it. */
  tabIsOwn: boolean;
  /** Brings in a newer build of the application; null when there is none. */
  update: (() => void) | null;
  /** For those who cannot see the page. */
  announcement: string;
}

/** More entries are shown when they are asked for. */
const MOST_AT_FIRST = 200;

export const emptySession: SessionState = {
  conversation: emptyConversation,
  shown: MOST_AT_FIRST,
  older: 0,
  hasOlder: false,
  fetching: false,
  plan: null,
  files: [],
  changed: new Map(),
  openFile: null,
  follow: true,
  history: [],
  steps: [],
  cursor: null,
  past: null,
  question: null,
  runningSince: null,
  phases: new Map(),
  paused: null,
  usage: null,
  promptTokens: null,
  loading: null,
  page: null,
  shell: [],
  memories: { query: '', items: [], editing: null },
  recalled: [],
  inspection: null,
  noteHidden: false,
};

const initial: State = {
  ...emptySession,
  settings: noSettings,
  preferences: noPreferences,
  keyIsMissing: false,
  dialog: null,
  ways: null,
  considered: null,
  picked: null,
  preparing: null,
  sessions: [],
  session: null,
  opening: false,
  forking: false,
  wantsTeam: false,
  failure: null,
  needsModel: false,
  pane: 'talk',
  tab: 'plan',
  tabIsOwn: false,
  update: null,
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

  /** Changes are shown with the next frame, all at once. A closed dialog is shown immediately: until then it blocks typing into the page. */
  update(change: Partial<State>): void {
    const closesDialog = this.#state.dialog !== null && change.dialog === null;
    this.#state = { ...this.#state, ...change };
    if (closesDialog) this.show(this.#state);
    if (this.#scheduled || closesDialog) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.show(this.#state);
    });
  }
}
