import {
  connect,
  RoleZeroError,
  sessions,
  type AgentEvent,
  type ErrorData,
  type RunEndEvent,
  type Session,
  type StepTrace,
} from 'rolezero';
import type { ChatModel } from 'rolezero/worker';
import { roleNames, tourConfig, USUAL_WINDOW, type AgentConfig, type ModelConfig } from './agent-config.js';
import { emptySession, type State, type Store } from './state/app-state.js';
import { KeptPages } from './kept-pages.js';
import { PastControl } from './past-control.js';
import { applied, asked, filled, fromTeam, hasGaps, withOlder } from './state/conversation.js';
import { shellLines } from './state/shell-lines.js';
import { isTeam, newSessionName, newTourName, titleOf, tourIn } from './state/session-names.js';
import { CHROME, isConnected, saveSettings, type Keys, type Settings } from './state/settings.js';
import { FileControl } from './file-control.js';
import { offer } from './offer.js';
import { keepEngine } from './offline/register.js';
import { agentPages } from './stage-client.js';
import { t } from './text/index.js';
import { tourOf, type TourName } from './tour/index.js';

/** Milliseconds between the end of one request of a tour and the next. */
const BETWEEN_REQUESTS = 1_500;

/** Everything a user can do with sessions and runs. It speaks with the agent, and what comes of it goes into the store. */
export class SessionControl {
  readonly files: FileControl;
  readonly past: PastControl;
  #session: Session | null = null;
  /** Grows with every session that is opened; what an earlier one still has to say is not shown. */
  #opened = 0;
  /** What is here of the open session's conversation, role by role. */
  #pages: readonly KeptPages[] = [];
  #nextRequest: ReturnType<typeof setTimeout> | undefined;
  /** Grows with every look at the memories. */
  #looks = 0;

  constructor(
    private readonly store: Store,
    private readonly keys: Keys,
    /** Finds a model where none is connected; false when the user has to choose. */
    private readonly pick: () => Promise<boolean>,
  ) {
    this.files = new FileControl(store, () => this.#session, this.guarded);
    this.past = new PastControl(store, () => this.#session, this.guarded);
  }

  /** The session that is open, for parts of the page that speak with it themselves. */
  get session(): Session | null {
    return this.#session;
  }

  /** Brings a session back, or begins one of that name. `other`: what is not to be as the settings say. */
  async open(name: string, other: Partial<AgentConfig> = {}): Promise<void> {
    await this.close();
    const opened = ++this.#opened;
    this.store.update({ ...emptySession, session: name, opening: true, failure: null, needsModel: false });
    history.replaceState(null, '', `#${encodeURIComponent(name)}`);
    await this.guarded(async () => {
      const known = sessions.list().then((all) => all.find((session) => session.name === name));
      known.catch(() => {}); // said below
      const session = await connect(
        () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }),
        {
          session: name,
          config: { ...this.config(name), ...other },
          models: await this.pageModels(),
          tools: [await agentPages()],
          restarts: 3,
        },
      );
      if (opened !== this.#opened) return session.close();
      this.#session = session;
      session.on((event) => {
        if (opened === this.#opened) this.heard(event);
      });
      await this.showConversation(session);
      const { waiting, lastRun } = session;
      const since = (await known)?.updatedAt ?? null;
      this.store.update({
        question: waiting,
        paused: session.resumable && waiting === null ? { at: since, why: whyPaused(lastRun?.status) } : null,
      });
      await Promise.all([this.showKept(session), this.files.readAll(), this.list()]);
    });
    if (opened !== this.#opened) return;
    this.store.update({ opening: false });
    if (tourIn(name) !== null && this.#session !== null) this.goOnWithTour(true);
  }

  /** Leaves the session for an empty page. */
  async begin(): Promise<void> {
    await this.close();
    this.#opened += 1;
    history.replaceState(null, '', location.pathname);
    this.store.update({
      ...emptySession,
      session: null,
      failure: null,
      needsModel: false,
      pane: 'talk',
      tab: 'plan',
    });
    await this.list();
  }

  /** Asks for something; the first request of a new session begins it. False when nobody could be asked. */
  async send(text: string): Promise<boolean> {
    const { settings, wantsTeam } = this.store.state;
    if (isConnected(settings)) this.store.update({ picked: null });
    else if (!(await this.pick())) return false;
    if (this.#session === null) await this.open(newSessionName(text, new Date(), wantsTeam));
    return this.ask(text);
  }

  async startTour(tour: TourName): Promise<void> {
    this.store.update({ tab: 'plan', tabIsOwn: false, pane: 'talk' });
    await this.open(newTourName(tour, new Date()));
  }

  stop(): void {
    clearTimeout(this.#nextRequest);
    this.#session?.running?.stop();
  }

  resume(): void {
    this.store.update({ paused: null, failure: null });
    this.follow(() => this.#session?.resume());
  }

  async answer(text: string): Promise<void> {
    const { question } = this.store.state;
    const session = this.#session;
    if (question === null || session === null) return;
    this.store.update({ question: null, announcement: t.announceAnswered });
    await this.guarded(async () => {
      await session.answer(question.id, text);
      if (session.running === null) this.resume();
    });
  }

  /** Works with another model from now on; the session stays. */
  async connectModel(settings: Settings, key = '', remember = false): Promise<void> {
    saveSettings(localStorage, settings);
    if (settings.where === 'server') this.keys.set(settings.baseURL, key, remember);
    this.store.update({
      settings,
      keyIsMissing: false,
      dialog: null,
      considered: null,
      picked: null,
      needsModel: false,
    });
    const { session } = this.store.state;
    if (session !== null && tourIn(session) === null) await this.open(session);
  }

  async remove(name: string): Promise<void> {
    if (name === this.store.state.session) await this.begin();
    await this.guarded(() => sessions.remove(name));
    await this.list();
  }

  readonly list = async (): Promise<void> => {
    await this.guarded(async () => {
      const all = await sessions.list();
      this.store.update({ sessions: all.sort((a, b) => b.updatedAt - a.updatedAt) });
    });
  };

  /** Saves the whole session as a file. */
  async export(): Promise<void> {
    await this.guarded(async () => {
      if (this.#session === null) return;
      const document = await this.#session.export();
      offer(`${this.#session.name}.json`, JSON.stringify(document));
    });
  }

  /** Brings an exported session back, under another name when its own is taken. */
  async import(file: File): Promise<void> {
    await this.guarded(async () => {
      const document: unknown = await file.text().then(JSON.parse).catch(notASession);
      const taken = new Set((await sessions.list()).map(({ name }) => name));
      const own = (document as { name?: unknown } | null)?.name;
      if (typeof own !== 'string') notASession();
      else {
        const name = taken.has(own) ? newSessionName(this.titleOf(own), new Date(), isTeam(own)) : own;
        await sessions.import(document, name);
        await this.open(name);
      }
    });
  }

  /** Takes in what was dropped on the page: files for the open session, and where none is, a session that was exported. */
  async dropped(data: DataTransfer): Promise<void> {
    const [file] = data.files;
    if (this.#session !== null) await this.files.dropped(data);
    else if (data.files.length === 1 && file?.name.endsWith('.json') === true) await this.import(file);
    else await this.guarded(() => Promise.reject(new RoleZeroError('invalid', t.dropNeedsSession)));
  }

  /** A new session with everything up to a step: a copy, or its replies are given again; then the user's model continues. */
  async fork(from: StepTrace): Promise<void> {
    const session = this.#session;
    if (session === null || this.store.state.forking) return;
    const { asks } = this.config(session.name);
    const name = newSessionName(t.forkOf(this.titleOf(session.name)), new Date(), isTeam(session.name));
    this.store.update({ forking: true, cursor: null });
    await this.guarded(async () => {
      const { fork } = await import('./panes/fork.js');
      if (from === this.store.state.steps.at(-1)) {
        const files = await fork.copy(session, from, name);
        await this.open(name);
        if (files !== null && this.#session !== null) await fork.restore(this.#session, files);
        return;
      }
      const plan = await fork.planOf(session, this.roles(session), from);
      await this.open(name, { model: { kind: 'replay', replies: plan.replies }, asks });
      if (this.#session !== null) await fork.replay(this.#session, plan);
      await this.open(name);
    });
    this.store.update({ forking: false });
  }

  /** Undoes what one step did to files. */
  async undo(step: string): Promise<void> {
    await this.guarded(async () => {
      await this.#session?.files.undo(step);
      await this.refresh();
    });
  }

  /** What goes wrong is shown, with what can be done about it. */
  readonly guarded = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const data: ErrorData =
        error instanceof RoleZeroError ? error.toData() : { code: 'internal', message: String(error) };
      if (data.code === 'aborted') return; // the user left the session
      this.store.update({ failure: data, runningSince: null, announcement: data.message });
    }
  };

  private config(name: string): AgentConfig {
    const { preferences } = this.store.state;
    const tourName = tourIn(name);
    if (tourName !== null) return tourConfig(tourName);
    return {
      model: this.chosenModel(),
      team: isTeam(name),
      asks: preferences.asks,
      tokenBudget: preferences.tokenBudget,
      memoryWindow: USUAL_WINDOW,
    };
  }

  private titleOf(name: string): string {
    const tour = tourIn(name);
    return tour === null ? titleOf(name) : t.tours[tour].title;
  }

  private chosenModel(): ModelConfig {
    const { settings } = this.store.state;
    const { where, baseURL, model, contextWindow } = settings;
    if (!isConnected(settings)) return { kind: 'none' };
    switch (where) {
      case 'tab':
        return { kind: 'web-llm', model, contextWindow };
      case 'browser':
        return { kind: 'page', name: CHROME };
      case 'processor':
        void keepEngine();
        return { kind: 'wllama', url: baseURL, name: model, contextWindow };
      case 'server':
        return { kind: 'remote', baseURL, model, contextWindow, apiKey: this.keys.get(baseURL) };
    }
  }

  /** What only a page has: the browser's own model is not available in workers. */
  private async pageModels(): Promise<Record<string, ChatModel>> {
    const { where, contextWindow } = this.store.state.settings;
    if (where !== 'browser') return {};
    const { chrome } = await import('rolezero/providers/chrome');
    return { [CHROME]: chrome({ contextWindow }) };
  }

  /** Shows more of the conversation and of the steps: what is here already, else what the session keeps. */
  async showOlder(): Promise<void> {
    const { state } = this.store;
    const { length } = state.conversation.entries;
    if (state.fetching) return;
    if (length > state.shown) {
      this.store.update({ shown: state.shown + emptySession.shown });
      return;
    }
    const pages = this.#pages;
    this.store.update({ fetching: true });
    await this.guarded(async () => {
      const older = pages.filter(({ hasOlder }) => hasOlder);
      await Promise.all(older.map((page) => page.older(state.steps.length)));
      if (pages !== this.#pages) return;
      const now = this.store.state;
      const conversation = withOlder(now.conversation, fromTeam(pages));
      const added = conversation.entries.length - now.conversation.entries.length;
      const steps = withSteps(now.steps, pages);
      const lines = shellLines(conversation);
      const fresh = lines.length - now.shell.filter(({ by }) => by === 'agent').length;
      this.store.update({
        conversation,
        steps,
        shown: now.shown + added,
        older: now.older + added,
        shell: [...lines.slice(0, fresh), ...now.shell],
        cursor: now.cursor === null ? null : now.cursor + steps.length - now.steps.length,
        hasOlder: pages.some(({ hasOlder }) => hasOlder),
        announcement: t.olderShown(added),
      });
    });
    this.store.update({ fetching: false });
  }

  /** What a part of the workbench shows that is only asked for when somebody looks. */
  async tabShown(): Promise<void> {
    const { tab } = this.store.state;
    if (tab === 'timeline') await this.past.look();
    if (tab === 'memory') await this.guarded(() => this.listMemories());
    if (tab === 'team') await this.guarded(() => this.inspect());
  }

  /** The end of the conversation as it was stored, which users see first. */
  private async showConversation(session: Session): Promise<void> {
    const pages = this.roles(session).map((role) => new KeptPages(session, role));
    await Promise.all(pages.map((page) => page.older()));
    if (session !== this.#session) return;
    this.#pages = pages;
    const conversation = fromTeam(pages);
    this.store.update({
      conversation,
      shown: Math.max(emptySession.shown, conversation.entries.length),
      hasOlder: pages.some(({ hasOlder }) => hasOlder),
      steps: withSteps([], pages),
      shell: shellLines(conversation),
    });
  }

  /** Plan and everything else as it was stored. */
  private async showKept(session: Session): Promise<void> {
    const [plan, usage, history] = await Promise.all([
      session.plan(),
      session.usage(),
      session.files.history(),
      this.listMemories(),
    ]);
    if (session !== this.#session) return;
    this.store.update({ plan, usage, history });
    await this.tabShown();
  }

  private async inspect(): Promise<void> {
    const session = this.#session;
    const inspection = await session?.inspect();
    if (session === this.#session && inspection !== undefined) this.store.update({ inspection });
  }

  private roles({ name }: Session): readonly string[] {
    return roleNames(isTeam(name));
  }

  /** History, memories and what is looked at, as they are now. */
  private async refresh(): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    await this.guarded(async () => {
      const history = await session.files.history();
      if (session !== this.#session) return;
      this.store.update({ history });
      await this.listMemories();
      if (this.store.state.tab !== 'memory') await this.tabShown();
    });
  }

  async listMemories(query = this.store.state.memories.query): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    const look = ++this.#looks;
    const items =
      query.trim() === ''
        ? (await session.memory.list({ limit: 200 })).toReversed()
        : await session.memory.search(query, { limit: 20 });
    // Somebody types while it is searched: what they look for by now comes later, and their words stay.
    if (look === this.#looks && session === this.#session)
      this.store.update({ memories: { ...this.store.state.memories, items } });
  }

  /** Offers older memories that are not pinned as a file, of each role as many as make half of all; they are forgotten once the user says that it is saved. */
  async archiveMemories(): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    const { memories } = await session.space();
    await session.memory.archive({ oldest: Math.ceil(memories.count / 2) }, (archive) => {
      offer(`${session.name}-memories.json`, JSON.stringify(archive));
      return confirm(t.archiveSure(archive.items.length));
    });
    await this.listMemories();
  }

  private ask(text: string): boolean {
    if (this.#session === null) return false; // it could not be opened, and that is shown
    this.store.update({
      conversation: asked(this.store.state.conversation, text),
      paused: null,
      failure: null,
      question: null,
      cursor: null,
    });
    this.follow(() => this.#session?.send(text));
    return true;
  }

  /** Starts a run; its events arrive by the listener, and here only why it could not be followed. */
  private follow(start: () => ReturnType<Session['send']> | undefined): void {
    void this.guarded(async () => {
      const run = start();
      if (run === undefined) return;
      this.store.update({ runningSince: this.store.state.runningSince ?? Date.now() });
      await run.result();
    });
  }

  private heard(event: AgentEvent): void {
    const { state } = this.store;
    const conversation = applied(state.conversation, event);
    const change: Partial<State> = { conversation };
    switch (event.type) {
      case 'run-start':
        change.runningSince = Date.now();
        change.paused = null;
        break;
      case 'call-start':
        change.promptTokens = event.promptTokens;
        break;
      case 'model-progress':
        change.loading = { share: event.total === 0 ? 0 : event.loaded / event.total, text: event.text };
        break;
      case 'reply-delta':
        change.loading = null;
        break;
      case 'thought-end':
        this.showInTour(conversation, change);
        // The results of the step before are part of what the model was told.
        if (hasGaps(state.conversation)) void this.fillGaps();
        break;
      case 'command-start':
      case 'command-end':
        if (event.name.startsWith('Terminal.')) change.shell = shellLines(conversation, state.shell);
        break;
      case 'phase':
        change.phases = new Map([...state.phases, [event.role, event.phase]]);
        break;
      case 'plan-changed':
        if (event.role === this.#leader) change.plan = event.plan;
        break;
      case 'usage':
        change.usage = event.total;
        change.loading = null; // it has answered
        break;
      case 'file-changed':
        void this.files.changed(event);
        break;
      case 'page-changed':
        change.page = { url: event.url.replace(/^file:\/\//, ''), by: 'agent' };
        break;
      case 'memory-recalled':
        change.recalled = event.ids;
        break;
      case 'step-end':
        change.steps = inOrder([...state.steps, event.trace]);
        void this.refresh();
        this.reloadInTour();
        break;
      case 'human-question':
      case 'approval-request':
        change.question = event.question;
        change.announcement = t.announceAsk(event.question.role, event.question.text);
        break;
      case 'human-reply':
        change.announcement = t.announceSay(event.role, event.text);
        break;
      case 'run-end':
        this.ended(event, change);
        break;
      default:
    }
    this.store.update(change);
    if (change.tab !== undefined && change.tab !== state.tab) void this.tabShown();
  }

  get #leader(): string {
    return this.#session === null ? '' : (this.roles(this.#session)[0] ?? '');
  }

  private ended({ status }: RunEndEvent, change: Partial<State>): void {
    const waiting = this.#session?.waiting ?? null;
    change.runningSince = null;
    change.loading = null;
    change.question = status === 'waiting' ? waiting : null;
    change.paused =
      this.#session?.resumable === true && waiting === null
        ? { at: Date.now(), why: whyPaused(status) }
        : null;
    if (status !== 'waiting') change.announcement = t.announceEnd(status);
    if (status === 'done' && hasGaps(this.store.state.conversation)) void this.fillGaps();
    void this.refresh();
    void this.list();
    if (status === 'done') this.goOnWithTour(false);
  }

  /** A tour asks its next question by itself, and continues by itself where it was reloaded on purpose. */
  private goOnWithTour(justOpened: boolean): void {
    const session = this.#session;
    const name = tourIn(session?.name ?? null);
    if (session === null || name === null || (session.running !== null && justOpened)) return;
    const tour = tourOf(name);
    if (justOpened && (session.resumable || session.waiting !== null)) {
      if (sessionStorage.getItem(RELOADED) === session.name && session.waiting === null) this.resume();
      return;
    }
    const done = this.store.state.conversation.entries.filter(({ kind }) => kind === 'request').length;
    const next = tour.requests[done];
    if (next === undefined) return;
    const ask = async (): Promise<void> => {
      if (session !== this.#session) return;
      if (done === 0 && tour.files !== undefined)
        await session.files.writeAll(
          Object.entries(tour.files).map(([path, content]) => ({ path, content })),
          { existing: 'keep' },
        );
      this.ask(next);
    };
    clearTimeout(this.#nextRequest);
    this.#nextRequest = setTimeout(() => void this.guarded(ask), justOpened ? 0 : BETWEEN_REQUESTS);
  }

  /** A tour shows where to look, unless the user looks elsewhere. */
  private showInTour({ entries }: State['conversation'], change: Partial<State>): void {
    const name = tourIn(this.#session?.name ?? null);
    if (name === null || this.store.state.tabIsOwn) return;
    const steps = entries.filter(({ kind }) => kind === 'step').length;
    const tab = tourOf(name).looks[steps - 1];
    if (tab !== undefined) change.tab = tab;
  }

  /** The tour that shows it loads the page again in the middle of a thought, once. */
  private reloadInTour(): void {
    const session = this.#session;
    const name = tourIn(session?.name ?? null);
    if (session === null || name === null || sessionStorage.getItem(RELOADED) === session.name) return;
    const steps = this.store.state.conversation.entries.filter(({ kind }) => kind === 'step').length;
    if (steps !== tourOf(name).reloadAfter) return;
    const stop = session.on((event) => {
      if (event.type !== 'reply-delta') return;
      stop();
      sessionStorage.setItem(RELOADED, session.name);
      setTimeout(() => location.reload(), 1_200);
    });
  }

  private async fillGaps(): Promise<void> {
    await this.guarded(async () => {
      const session = this.#session;
      if (session === null) return;
      const pages = this.roles(session).map((role) => new KeptPages(session, role));
      await Promise.all(pages.map((page) => page.older()));
      if (session === this.#session)
        this.store.update({ conversation: filled(this.store.state.conversation, fromTeam(pages)) });
    });
  }

  private async close(): Promise<void> {
    clearTimeout(this.#nextRequest);
    const session = this.#session;
    this.#session = null;
    if (session !== null) await this.guarded(() => session.close());
  }
}

/** Names the session that was reloaded on purpose. */
const RELOADED = 'rolezero-demo:reloaded';

function inOrder(steps: State['steps']): State['steps'] {
  return steps.toSorted((one, other) => one.startedAt - other.startedAt);
}

/** The steps of all roles, and those that have ended since they were asked for. */
function withSteps(known: State['steps'], pages: readonly KeptPages[]): State['steps'] {
  const keyOf = ({ role, startedAt, step }: State['steps'][number]): string => `${role} ${startedAt} ${step}`;
  const all = [...known, ...pages.flatMap(({ steps }) => steps)];
  return inOrder([...new Map(all.map((step) => [keyOf(step), step])).values()]);
}

function notASession(): never {
  throw new RoleZeroError('invalid', t.notASession);
}

function whyPaused(status: string | undefined): 'stopped' | 'failed' | 'interrupted' {
  return status === 'stopped' || status === 'failed' ? status : 'interrupted';
}
