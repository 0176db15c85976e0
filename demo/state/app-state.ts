import type {
  AgentEvent,
  ErrorData,
  FileHistoryEntry,
  FileInfo,
  Inspection,
  MemoryItem,
  Note,
  PlanData,
  Question,
  Session,
  SessionInfo,
  Usage,
} from 'rolezero';
import { noConversation, type ConversationView } from 'rolezero/element';
import type { StandalonePage } from 'rolezero/tools/frame';
import type { MoreTab, Tab } from '../tour/tour.js';
import type { Pointed } from './element-place.js';
import type { FileTab } from './file-tabs.js';
import type { Checked } from './connection-check.js';
import type { Way, Ways } from './offers.js';
import type { SessionLabels } from './session-labels.js';
import { noPreferences, noSettings, type Preferences, type Settings } from './settings.js';
import type { StoredData } from './stored-data.js';
import type { StoredModel } from './stored-models.js';

/** A file after a step. */
export type FileAfter = Awaited<ReturnType<Session['files']['after']>>[number];

export type { MoreTab, Tab };

/** The part that a narrow screen shows. */
export type Pane = 'talk' | 'work' | 'setup';

/** The shown file. */
export interface OpenFile {
  path: string;
  content: string;
  /** Its content before the last visible change; null when that created it. */
  before: string | null;
  /** It cannot be edited here: too large, binary, or being written. */
  locked: boolean;
  /** A model is writing it: text is added at its end. */
  isGrowing?: true;
}

/** A page in the preview. */
export interface ShownPage {
  url: string;
  by: 'agent' | 'user';
  /** The role of the agent that opened it; of the user, `user`. */
  role: string;
}

/** The width of the preview: that of a device, or all of the workbench. */
export type PreviewWidth = 'phone' | 'tablet' | 'full';

/** A command line and its output. */
export interface ShellLine {
  by: 'agent' | 'user';
  command: string;
  output: string;
  running: boolean;
}

/** Why a run is not finished; `forked`: it is a copy up to a step. */
type Pause = 'stopped' | 'failed' | 'interrupted' | 'forked';

/** The displayed data of a session. */
export interface SessionState {
  conversation: ConversationView;
  plan: PlanData | null;
  files: readonly FileInfo[];
  /** Paths written since this page opened the session. */
  changed: ReadonlyMap<string, 'new' | 'changed'>;
  openFile: OpenFile | null;
  /** The file that a model is writing, until the agent has stored it; null for none. */
  written: OpenFile | null;
  /** Recently opened or changed files. */
  fileTabs: readonly FileTab[];
  /** The file that the user has deleted last, until they close the notice; `id` undoes it. */
  deletedFile: { path: string; id: string } | null;
  /** Show each file the agent writes. */
  follow: boolean;
  history: readonly FileHistoryEntry[];
  /** The step selected in the timeline; null for the newest. */
  cursor: number | null;
  /** The files after that step, and one of them with its change; null until they are loaded. */
  past: { files: readonly FileAfter[]; file: OpenFile | null } | null;
  question: Question | null;
  /** Milliseconds since 1970; null when nothing is running. */
  runningSince: number | null;
  /** The phase of each role. */
  phases: ReadonlyMap<string, AgentEvent<'phase'>['phase']>;
  /** An interrupted run: when it ended (null when unknown), and why. `step`: the last step of a fork, from 1. */
  paused: { at: number | null; why: Pause; step?: number } | null;
  usage: Usage | null;
  /** Tokens of the newest prompt. */
  promptTokens: number | null;
  /** What the model does before it replies, and its progress from 0 to 1. */
  loading: { phase: AgentEvent<'model-progress'>['phase']; share: number; text: string } | null;
  /** The page shown in the preview, and who opened it. */
  page: ShownPage | null;
  shell: readonly ShellLine[];
  /** `shared`: the name under which this session shares them. */
  memories: {
    query: string;
    items: readonly MemoryItem[];
    editing: string | null;
    shared: string | null;
  };
  /** The standing notes of the agents. `on`: the agents of this session may write them. */
  notes: { on: boolean; items: readonly Note[]; editing: string | null };
  /** Memories recalled last. */
  recalled: readonly string[];
  inspection: Inspection | null;
  /** The notes of the tour are closed. */
  noteHidden: boolean;
  /** The note that the user looks back at; null for that of the newest step. */
  noteAt: number | null;
}

/** The browser's own model is starting, with the share of its download from 0 to 1; or a server is asked for the context window. */
export type Preparing = { kind: 'chrome'; share: number } | { kind: 'server'; server: string };

/** The groups of models in the dialog: in this browser, on a server of this machine, on a hosted service. */
export type ModelCard = 'here' | 'server' | 'key';

/** A model that is being downloaded and then loaded once, as a test. */
export interface ModelDownload {
  way: Way;
  /** `download` counts bytes; `load` counts steps of any unit. */
  phase: 'download' | 'load';
  loaded: number;
  /** 0: unknown. */
  total: number;
  /** Null until it is measured. */
  bytesPerSecond: number | null;
}

/** The models in this browser and the space for more; null while unknown. */
interface Stock {
  /** Tokens per second that the processor reads, estimated for a model file of a gigabyte. */
  readingSpeed: number;
  models: readonly StoredModel[];
  /** Bytes. */
  free: number | null;
}

/** A part that is not in what was taken out of the session. */
export interface LeftOut {
  address: string;
  reason: StandalonePage['leftOut'][number]['reason'] | 'binary' | 'elsewhere';
}

/** What was taken out of the session, or that it is too large for that. */
export interface Shared {
  what: 'saved' | 'opened' | 'copied' | 'link' | 'sent' | 'too-large';
  leftOut: readonly LeftOut[];
  link?: string;
}

/** What the user is asked to confirm, because it is deleted for good. */
export interface Deletion {
  what: 'session' | 'note' | 'memory' | 'shared' | 'model' | 'archived' | 'everything';
  /** Its title, or its text; null for none. */
  name: string | null;
}

/** The complete state of the page. */
export interface State extends SessionState {
  settings: Settings;
  preferences: Preferences;
  /** A key was used with this server before, and was lost with the page it was entered on. */
  keyIsMissing: boolean;
  dialog: 'model' | 'settings' | 'palette' | 'share' | null;
  /** The question before something is deleted, above everything else; null for none. */
  confirming: (Deletion & { answer: (isConfirmed: boolean) => void }) | null;
  modelCard: ModelCard;
  /** The search text and the selected entry of the list of commands. */
  palette: { query: string; active: number };
  /** The available models; null before the search. */
  ways: Ways | null;
  /** A search for models is running, because a request was entered. */
  looking: boolean;
  /** The user is asked to consent to its download. */
  considered: Way | null;
  stock: Stock | null;
  /** What is stored in this browser; null until the settings are opened. */
  storedData: StoredData | null;
  download: ModelDownload | null;
  /** Why the last download failed, while the dialog with the models is open. */
  downloadFailure: { model: string; error: ErrorData } | null;
  /** The result of the last test of a server in the dialog; null before it, `running` meanwhile. */
  check: Checked | 'running' | null;
  /** What is known about the selected model: whether its last use or test succeeded. */
  link: 'untested' | 'ok' | 'failed';
  /** It was connected automatically; the user sees the reason. */
  picked: Way | null;
  /** A model is being prepared before it is connected. */
  preparing: Preparing | null;
  sessions: readonly SessionInfo[];
  /** Titles and first requests. */
  labels: SessionLabels;
  /** The search text above the list of sessions. */
  sessionQuery: string;
  /** The session whose title is being edited. */
  renaming: string | null;
  /** What was taken out of the session last, while the dialog for that is open. */
  shared: Shared | null;
  /** The open session; null before the first request of a new one. */
  session: string | null;
  opening: boolean;
  /** The session is read-only: another tab has it, or there is no space for changes. */
  viewing: boolean;
  /** There is no space for changes, so that the session is read-only. */
  lacksSpace: boolean;
  forking: boolean;
  /** A team works in the next session. */
  wantsTeam: boolean;
  /** An error outside of a run. */
  failure: ErrorData | null;
  /** A request was entered, but no model is connected. */
  needsModel: boolean;
  pane: Pane;
  tab: Tab;
  /** The workbench is beside the conversation. Null until there is something in it, or the user chooses. */
  workbench: boolean | null;
  /** The part that was shown last under "More". */
  moreTab: MoreTab;
  previewWidth: PreviewWidth;
  /** The user is pointing at an element of the page. */
  isPointing: boolean;
  pointed: Pointed | null;
  /** Errors of the page that the user has opened, oldest first. */
  pageErrors: readonly string[];
  /** Speed of tours; 1 is normal. */
  tourSpeed: number;
  /** The user chose the tab: neither the agent's work nor a tour changes it. */
  tabIsOwn: boolean;
  /** A run has built a page that the user of a narrow screen has not looked at. */
  pageIsReady: boolean;
  /** The tab with the newest work; null before there is any. */
  newestTab: Tab | null;
  /** Activates a newer build of the application; null without one. */
  update: (() => void) | null;
  /** For screen readers. */
  announcement: string;
}

export const emptySession: SessionState = {
  conversation: noConversation,
  plan: null,
  files: [],
  changed: new Map(),
  openFile: null,
  written: null,
  fileTabs: [],
  deletedFile: null,
  follow: true,
  history: [],
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
  memories: { query: '', items: [], editing: null, shared: null },
  notes: { on: false, items: [], editing: null },
  recalled: [],
  inspection: null,
  noteHidden: false,
  noteAt: null,
};

const initial: State = {
  ...emptySession,
  settings: noSettings,
  preferences: noPreferences,
  keyIsMissing: false,
  dialog: null,
  confirming: null,
  modelCard: 'here',
  palette: { query: '', active: 0 },
  ways: null,
  looking: false,
  considered: null,
  stock: null,
  storedData: null,
  download: null,
  downloadFailure: null,
  check: null,
  link: 'untested',
  picked: null,
  preparing: null,
  sessions: [],
  labels: {},
  sessionQuery: '',
  renaming: null,
  shared: null,
  session: null,
  opening: false,
  viewing: false,
  lacksSpace: false,
  forking: false,
  wantsTeam: false,
  failure: null,
  needsModel: false,
  pane: 'talk',
  tab: 'files',
  workbench: null,
  moreTab: 'memory',
  previewWidth: 'full',
  isPointing: false,
  pointed: null,
  pageErrors: [],
  tourSpeed: 1,
  tabIsOwn: false,
  pageIsReady: false,
  newestTab: null,
  update: null,
  announcement: '',
};

/** The file in the editor: the one that a model is writing, if the user follows it, otherwise the open one. */
export function shownFile({ written, follow, openFile }: State): OpenFile | null {
  return follow && written !== null ? written : openFile;
}

/** The workbench is beside the conversation; a narrow screen shows it alone. */
export function showsWorkbench({ session, workbench }: Pick<State, 'session' | 'workbench'>): boolean {
  return session !== null && workbench === true;
}

/** The workbench appears with its first content, and remains until the user closes it. */
function withWorkbench(state: State): State {
  const { workbench, files, written, page, plan, shell } = state;
  const isEmpty = files.length === 0 && written === null && page === null && shell.length === 0;
  if (workbench !== null || (isEmpty && (plan?.tasks ?? []).length === 0)) return state;
  return { ...state, workbench: true };
}

/** Another tab has the session, and the user has not chosen what to do. */
export function isElsewhere({ failure }: Pick<State, 'failure'>): boolean {
  return failure?.code === 'session-busy' || failure?.code === 'session-fenced';
}

/** Stores the state of the page and renders it at most once per frame. */
export class Store {
  #state = initial;
  #scheduled = false;

  constructor(private readonly show: (state: State) => void) {}

  get state(): State {
    return this.#state;
  }

  /**
   * Renders changes together with the next frame. A closed dialog is removed immediately: until then it blocks typing
   * into the page.
   */
  update(change: Partial<State>): void {
    const { dialog, confirming } = this.#state;
    const closesDialog =
      (dialog !== null && change.dialog === null) || (confirming !== null && change.confirming === null);
    this.#state = withWorkbench({ ...this.#state, ...change });
    if (closesDialog) this.show(this.#state);
    if (this.#scheduled || closesDialog) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.show(this.#state);
    });
  }
}
