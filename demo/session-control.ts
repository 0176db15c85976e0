import {
  connect,
  RoleZeroError,
  sessions,
  type AgentEvent,
  type ErrorData,
  type Session,
  type StepTrace,
} from 'rolezero';
import { roleNames, type AgentConfig } from './agent-config.js';
import { emptySession, MORE, type State, type Store, type Tab } from './state/app-state.js';
import { MessagePages } from './message-pages.js';
import { NoteControl } from './note-control.js';
import { PastControl } from './past-control.js';
import { applied, asked, filled, fromTeam, hasGaps, withOlder } from './state/conversation.js';
import { shellLines } from './state/shell-lines.js';
import { isTeam, newSessionName, newTourName, tourIn } from './state/session-names.js';
import { isConnected, saveSettings, saveTourSpeed, type Keys, type Settings } from './state/settings.js';
import { FileControl } from './file-control.js';
import { offer } from './offer.js';
import { configOf, pageModels } from './session-config.js';
import { SessionList } from './session-list.js';
import { agentPages } from './stage-client.js';
import { t } from './text/index.js';
import { tourOf, type TourName } from './tour/index.js';
import { controlPace, type PaceControl } from './tour/pace.js';

/** What a request may come with. */
type SendOptions = NonNullable<Parameters<Session['send']>[1]>;

/** In ms, the pause between two requests of a tour. */
const BETWEEN_REQUESTS = 1_500;

/** User actions on sessions and runs. Calls the agent and writes the results to the store. */
export class SessionControl {
  readonly files: FileControl;
  readonly past: PastControl;
  readonly notes: NoteControl;
  readonly all: SessionList;
  #session: Session | null = null;
  /** Resolves when the last session is closed: only then it can be opened again. */
  #closing = Promise.resolve();
  #pace: PaceControl | null = null;
  /** Increases with every opened session; results of earlier ones are dropped. */
  #opened = 0;
  /** The loaded conversation of the open session, role by role. */
  #pages: readonly MessagePages[] = [];
  #nextRequest: ReturnType<typeof setTimeout> | undefined;
  /** Increases with every load of the memories. */
  #looks = 0;

  constructor(
    private readonly store: Store,
    private readonly keys: Keys,
    /** Finds a model when none is connected; false when the user must choose. */
    private readonly pick: () => Promise<boolean>,
  ) {
    this.files = new FileControl(store, () => this.#session, this.guarded);
    this.past = new PastControl(store, () => this.#session, this.guarded);
    this.notes = new NoteControl(store, () => this.#session, this.guarded);
    this.all = new SessionList(store, this.guarded);
  }

  /** The open session, for parts of the page that call it directly. */
  get session(): Session | null {
    return this.#session;
  }

  /** Opens a session, or creates it. `other`: deviations from the settings; `access`: what to do when another tab has it. */
  async open(
    name: string,
    other: Partial<AgentConfig> = {},
    access: { view?: boolean; takeOver?: boolean } = {},
  ): Promise<void> {
    await this.close();
    const opened = ++this.#opened;
    const config = { ...configOf(name, this.store.state, this.keys), ...other };
    const isOther = name !== this.store.state.session;
    this.store.update({ ...emptySession, session: name, opening: true, failure: null, leftOut: null });
    if (isOther) this.store.update(unchosenTab);
    void this.all.load();
    history.replaceState(null, '', `#${encodeURIComponent(name)}`);
    if (tourIn(name) !== null) this.#pace = controlPace(name, () => this.store.state.tourSpeed);
    await this.guarded(async () => {
      const known = sessions.list().then((all) => all.find((session) => session.name === name));
      known.catch(() => {}); // Reported below.
      const session = await connect(
        () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }),
        {
          session: name,
          config,
          models: await pageModels(this.store.state.settings),
          tools: [await agentPages()],
          restarts: 3,
          ...access,
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
        notes: { ...emptySession.notes, on: config.notes },
        memories: { ...emptySession.memories, shared: config.shared },
        question: waiting,
        viewing: session.viewing,
        paused:
          session.resumable && waiting === null && !session.viewing
            ? this.pauseOf(name, since, lastRun?.status)
            : null,
      });
      await Promise.all([this.showStored(session), this.files.readAll(), this.all.load()]);
    });
    if (opened !== this.#opened) return;
    this.store.update({ opening: false });
    if (tourIn(name) !== null && this.#session?.viewing === false) this.goOnWithTour(true);
  }

  /** Opens the session that another tab has: read-only until that one closes it, or in its place. */
  async openBusy(access: 'view' | 'takeOver'): Promise<void> {
    const { session } = this.store.state;
    if (session !== null) await this.open(session, {}, { [access]: true });
  }

  /** Closes the session and shows an empty page. */
  async begin(): Promise<void> {
    const closing = this.close(); // The user may type at once.
    this.#opened += 1;
    history.replaceState(null, '', location.pathname);
    this.store.update({
      ...emptySession,
      session: null,
      viewing: false,
      failure: null,
      leftOut: null,
      pane: 'talk',
      ...unchosenTab,
    });
    await closing;
    await this.all.load();
  }

  /** Sends a request; the first request of a new session creates it. False when it could not be sent. */
  async send(text: string, options: SendOptions = {}): Promise<boolean> {
    const { settings, wantsTeam } = this.store.state;
    if (isConnected(settings)) this.store.update({ picked: null });
    else if (!(await this.pick())) return false;
    if (this.#session === null) {
      const name = newSessionName(text, new Date(), wantsTeam);
      this.all.label(name, { first: text });
      await this.open(name);
    }
    return this.ask(text, options);
  }

  /** Asks the agent to repair the page in the preview. A page may have written anything into its errors. */
  async askToFix(): Promise<void> {
    const { page } = this.store.state;
    const errors = this.files.errors.dismiss();
    if (page === null || errors.length === 0) return;
    await this.send(t.fixRequest(page.url, errors), { untrusted: `the page ${page.url}` });
  }

  async startTour(tour: TourName): Promise<void> {
    const { opening, session } = this.store.state;
    if (opening && tourIn(session) === tour) return; // A double click.
    this.store.update({ ...unchosenTab, pane: 'talk' });
    await this.open(newTourName(tour, new Date()));
  }

  /** Continues a tour with its next step, though the time to read its note is not over. */
  nextInTour(): void {
    this.#pace?.next();
  }

  setTourSpeed(speed: number): void {
    saveTourSpeed(localStorage, speed);
    this.store.update({ tourSpeed: speed });
    this.#pace?.sendSpeed();
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

  /** Switches to another model; the session stays. */
  async connectModel(settings: Settings, key?: string, remember = false): Promise<void> {
    saveSettings(localStorage, settings);
    if (settings.where === 'server' && key !== undefined) this.keys.set(settings.baseURL, key, remember);
    this.store.update({
      settings,
      link: settings.isTested === true ? 'ok' : 'untested',
      keyIsMissing: this.keys.isMissing(settings.baseURL),
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
    await this.all.remove(name);
  }

  /** Downloads the open session as a file. */
  async export(): Promise<void> {
    if (this.#session !== null) await this.all.export(this.#session);
  }

  /** Imports a session and opens it. */
  async import(file: File): Promise<void> {
    await this.guarded(async () => this.open(await this.all.import(file)));
  }

  /** Imports a drop on the page: files for the open session, or an exported session when none is open. */
  async dropped(data: DataTransfer): Promise<void> {
    const [file] = data.files;
    if (this.#session !== null) await this.files.dropped(data);
    else if (data.files.length === 1 && file?.name.endsWith('.json') === true) await this.import(file);
    else await this.guarded(() => Promise.reject(new RoleZeroError('invalid', t.dropNeedsSession)));
  }

  /**
   * Creates a session with everything up to a step: a copy, or a replay of its replies; then the user's model
   * continues.
   */
  async fork(from: StepTrace): Promise<void> {
    const session = this.#session;
    if (session === null || this.store.state.forking) return;
    const { asks } = configOf(session.name, this.store.state, this.keys);
    const name = newSessionName(t.forkOf(this.all.titleOf(session.name)), new Date(), isTeam(session.name));
    this.all.label(name, { forkedAt: this.store.state.steps.indexOf(from) + 1 });
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

  /** Undoes the file changes of one step. */
  async undo(step: string): Promise<void> {
    await this.guarded(async () => {
      await this.#session?.files.undo(step);
      await this.refresh();
    });
  }

  /** Shows an error with advice. */
  readonly guarded = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const data: ErrorData =
        error instanceof RoleZeroError ? error.toData() : { code: 'internal', message: String(error) };
      if (data.code === 'aborted') return; // The user left the session.
      this.store.update({ failure: data, runningSince: null, announcement: data.message });
    }
  };

  /** Shows more of the conversation and of the steps: loaded ones first, then stored ones. */
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

  /** Loads the content of a workbench part when it is shown. */
  async tabShown(): Promise<void> {
    const { tab } = this.store.state;
    const moreTab = MORE.find((name) => name === tab);
    if (moreTab !== undefined) this.store.update({ moreTab });
    if (tab === 'files') this.files.looked();
    if (tab === 'timeline') await this.past.look();
    if (tab === 'memory') await this.guarded(() => this.listMemories());
    if (tab === 'notes') await this.notes.list();
    if (tab === 'team') await this.guarded(() => this.inspect());
  }

  /** Loads the end of the stored conversation, which users see first. */
  private async showConversation(session: Session): Promise<void> {
    const pages = this.roles(session).map((role) => new MessagePages(session, role));
    await Promise.all(pages.map((page) => page.older()));
    if (session !== this.#session) return;
    this.#pages = pages;
    const conversation = fromTeam(pages);
    const [first] = conversation.entries;
    if (first?.kind === 'request' && !pages.some(({ hasOlder }) => hasOlder))
      this.all.labelFirst(session.name, first.text);
    this.store.update({
      conversation,
      shown: Math.max(emptySession.shown, conversation.entries.length),
      hasOlder: pages.some(({ hasOlder }) => hasOlder),
      steps: withSteps([], pages),
      shell: shellLines(conversation),
    });
  }

  /** Loads the plan and everything else that is stored. */
  private async showStored(session: Session): Promise<void> {
    const [plan, usage, history] = await Promise.all([
      session.plan(),
      session.usage(),
      session.files.history(),
      this.listMemories(),
      this.notes.list(),
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

  /** Reloads history, memories and the selected step. */
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
    // The user may type during the search: a later search will follow, and their text is preserved.
    if (look === this.#looks && session === this.#session)
      this.store.update({ memories: { ...this.store.state.memories, items } });
  }

  /**
   * Downloads the older half of the unpinned memories of each role; they are removed after the user confirms that the
   * file is saved.
   */
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

  /** Deletes what sessions share, in all of them. */
  async removeShared(shared: string): Promise<void> {
    await sessions.removeShared(shared);
    await Promise.all([this.listMemories(), this.notes.list()]);
  }

  /** The selected model has answered, or has not. A recorded run says nothing about it. */
  private linked(works: boolean, change: Partial<State>): void {
    const { settings, link } = this.store.state;
    if (tourIn(this.#session?.name ?? null) !== null || (works && link === 'ok')) return;
    change.link = works ? 'ok' : 'failed';
    change.settings = { ...settings, isTested: works };
    saveSettings(localStorage, change.settings);
  }

  private pauseOf(name: string, at: number | null, status: string | undefined): State['paused'] {
    const step = this.store.state.labels[name]?.forkedAt;
    return step === undefined ? { at, why: whyPaused(status) } : { at, why: 'forked', step };
  }

  private ask(text: string, options: SendOptions = {}): boolean {
    if (this.#session === null) return false; // It could not be opened; the error is shown.
    this.store.update({
      conversation: asked(this.store.state.conversation, text),
      paused: null,
      failure: null,
      question: null,
      cursor: null,
    });
    this.follow(() => this.#session?.send(text, options));
    return true;
  }

  /** Starts a run. Its events arrive at the listener; here only an error to follow it. */
  private follow(start: () => ReturnType<Session['send']> | undefined): void {
    const { session, labels } = this.store.state;
    if (session !== null && labels[session]?.forkedAt !== undefined)
      this.all.label(session, { forkedAt: undefined });
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
    this.followWork(event, change);
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
        this.files.streamed(conversation.live);
        break;
      case 'thought-end':
        this.files.streamed(state.conversation.live, true);
        this.showInTour(conversation, change);
        // The results of the previous step are part of the model's input.
        if (hasGaps(state.conversation)) void this.fillGaps();
        break;
      case 'command-start':
      case 'command-end':
        if (event.name === OPENS_PAGE) {
          if (event.type === 'command-start') this.files.pageOpening(event.role);
          else if (event.ok) this.files.pageOpened(event.role);
        }
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
        change.loading = null; // It has replied.
        this.linked(true, change);
        break;
      case 'file-changed':
        void this.files.changed(event);
        break;
      case 'page-changed':
        change.page = { url: event.url.replace(/^file:\/\//, ''), by: 'agent', role: event.role };
        break;
      case 'memory-recalled':
        change.recalled = event.ids;
        break;
      case 'notes-changed':
        void this.notes.list();
        break;
      case 'step-end':
        change.steps = inOrder([...state.steps, event.trace]);
        this.files.stepEnded(event.role);
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
      case 'warning':
        if (event.code === 'session-fenced') change.failure = { code: event.code, message: event.message };
        break;
      case 'session-held':
        change.viewing = false;
        change.announcement = t.nowOwner;
        break;
      default:
    }
    this.store.update(change);
    if (change.tab !== undefined && change.tab !== state.tab) void this.tabShown();
  }

  get #leader(): string {
    return this.#session === null ? '' : (this.roles(this.#session)[0] ?? '');
  }

  private ended({ status, error }: AgentEvent<'run-end'>, change: Partial<State>): void {
    const waiting = this.#session?.waiting ?? null;
    this.files.stepEnded();
    change.runningSince = null;
    change.loading = null;
    change.question = status === 'waiting' ? waiting : null;
    change.paused =
      this.#session?.resumable === true && waiting === null
        ? { at: Date.now(), why: whyPaused(status) }
        : null;
    if (error?.code.startsWith('model-') === true) this.linked(false, change);
    if (status !== 'waiting') change.announcement = t.announceEnd(status);
    if (status === 'done' && hasGaps(this.store.state.conversation)) void this.fillGaps();
    void this.refresh();
    void this.all.load();
    this.files.refreshPage();
    if (status !== 'done') return;
    if (tourIn(this.#session?.name ?? null) === null) void this.showResult();
    this.goOnWithTour(false);
  }

  /** Shows the part of the workbench in which something happens, unless the user has chosen one. */
  private followWork(event: AgentEvent, change: Partial<State>): void {
    const tab = workOf(event, this.store.state.written !== null);
    if (tab === null || tourIn(this.#session?.name ?? null) !== null) return;
    change.newestTab = tab;
    if (!this.store.state.tabIsOwn) change.tab = tab;
  }

  /** Shows the newest work again, after the user has looked at another part. */
  followAgain(): void {
    const { newestTab, tab } = this.store.state;
    this.store.update({ tabIsOwn: false, tab: newestTab ?? tab });
    void this.tabShown();
  }

  /** Shows the page that a run has built or opened, if there is one. */
  private async showResult(): Promise<void> {
    if (!(await this.files.openResult())) return;
    this.store.update({ newestTab: 'preview' });
    if (!this.store.state.tabIsOwn) this.store.update({ tab: 'preview' });
  }

  /** Sends the next request of a tour, and resumes a tour after its intended reload. */
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

  /** Opens the tab that a tour points to, unless the user has chosen another. */
  private showInTour({ entries }: State['conversation'], change: Partial<State>): void {
    const name = tourIn(this.#session?.name ?? null);
    if (name === null || this.store.state.tabIsOwn) return;
    const steps = entries.filter(({ kind }) => kind === 'step').length;
    const tab = tourOf(name).looks[steps - 1];
    if (tab !== undefined) change.tab = tab;
  }

  /** Reloads the page in the middle of a thought, once, in the tour that shows it. */
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
      const pages = this.roles(session).map((role) => new MessagePages(session, role));
      await Promise.all(pages.map((page) => page.older()));
      if (session === this.#session)
        this.store.update({ conversation: filled(this.store.state.conversation, fromTeam(pages)) });
    });
  }

  private async close(): Promise<void> {
    clearTimeout(this.#nextRequest);
    this.#pace?.close();
    this.#pace = null;
    const session = this.#session;
    this.#session = null;
    if (session !== null) this.#closing = this.guarded(() => session.close());
    await this.#closing;
  }
}

/** The tab of a session in which the user has not chosen one. */
const unchosenTab = { tab: 'files', tabIsOwn: false, newestTab: null } as const;

/** The part of the workbench that shows the work of an event; null for events without one. */
function workOf(event: AgentEvent, isWriting: boolean): Tab | null {
  switch (event.type) {
    case 'reply-delta':
      return isWriting ? 'files' : null;
    case 'command-start':
      return event.name.startsWith('Terminal.') ? 'terminal' : null;
    case 'file-changed':
      return event.by === 'agent' ? 'files' : null;
    case 'page-changed':
      return 'preview';
    default:
      return null;
  }
}

/** The command that loads a page. Others use the loaded one, which then shows older files. */
const OPENS_PAGE = 'Browser.goto';

/** Key for the name of the intentionally reloaded session. */
const RELOADED = 'rolezero-demo:reloaded';

function inOrder(steps: State['steps']): State['steps'] {
  return steps.toSorted((one, other) => one.startedAt - other.startedAt);
}

/** The steps of all roles, and those that have ended since they were read. */
function withSteps(known: State['steps'], pages: readonly MessagePages[]): State['steps'] {
  const keyOf = ({ role, startedAt, step }: State['steps'][number]): string => `${role} ${startedAt} ${step}`;
  const all = [...known, ...pages.flatMap(({ steps }) => steps)];
  return inOrder([...new Map(all.map((step) => [keyOf(step), step])).values()]);
}

function whyPaused(status: string | undefined): 'stopped' | 'failed' | 'interrupted' {
  return status === 'stopped' || status === 'failed' ? status : 'interrupted';
}
