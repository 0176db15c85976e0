import { connect, sessions, type ConnectOptions, type Session, type StepTrace } from 'rolezero';
import { followConversation } from 'rolezero/element';
import { roleNames, type AgentConfig } from './agent-config.js';
import { EventControl, whyPaused } from './event-control.js';
import { FileControl } from './file-control.js';
import { MemoryControl } from './memory-control.js';
import { NoteControl } from './note-control.js';
import { newId } from './new-id.js';
import { PastControl } from './past-control.js';
import { PointControl } from './point-control.js';
import { configOf, pageModels } from './session-config.js';
import { SessionList } from './session-list.js';
import { agentPages } from './stage-client.js';
import { emptySession, showsWorkbench, type State, type Store } from './state/app-state.js';
import { errorData } from './state/error-data.js';
import { readOnlyReason } from './state/read-only.js';
import { isTeam, newSessionName, newTourName, tourIn } from './state/session-names.js';
import type { SessionViews } from './state/session-views.js';
import { isConnected, saveSettings, type Keys, type Settings } from './state/settings.js';
import { shellLines } from './state/shell-lines.js';
import { t } from './text/index.js';
import type { TemplateName } from './templates/names.js';
import type { TourName } from './tour/names.js';
import { TourControl } from './tour-control.js';
import { unchosenWorkbench, WorkbenchControl } from './workbench-control.js';

type FollowedConversation = ReturnType<typeof followConversation>;

/** What a request may come with. */
type SendOptions = NonNullable<Parameters<Session['send']>[1]>;

/** Maximum number of times that the agent is asked automatically to repair a page. */
const MAX_FIXES = 2;

/** What to do when another tab has the session. */
type Access = Pick<ConnectOptions, 'view' | 'takeOver'>;

/** User actions on sessions and runs. Calls the agent and writes the results to the store. */
export class SessionControl {
  readonly files: FileControl;
  readonly past: PastControl;
  readonly notes: NoteControl;
  readonly memories: MemoryControl;
  readonly all: SessionList;
  readonly tour: TourControl;
  readonly workbench: WorkbenchControl;
  readonly point: PointControl;
  readonly #events: EventControl;
  #session: Session | null = null;
  #conversation: FollowedConversation | null = null;
  /** Resolves when the last session is closed: only then it can be opened again. */
  #closing = Promise.resolve();
  /** The step whose file changes are being undone. */
  #undoing: string | null = null;
  /** Resolves when the session that is being opened is open, or could not be opened. */
  #opening: Promise<void> | null = null;
  /** Number of times that the agent was asked to repair the page since the last request of the user. */
  #fixes = MAX_FIXES;
  /** Increases with every opened session; results of earlier ones are dropped. */
  #opened = 0;

  constructor(
    private readonly store: Store,
    private readonly keys: Keys,
    private readonly views: SessionViews,
    /** Finds a model when none is connected; false when the user must choose. */
    private readonly pick: () => Promise<boolean>,
    /** Loads the views of the parts under "More". */
    loadParts: () => Promise<boolean>,
  ) {
    const session = (): Session | null => this.#session;
    this.files = new FileControl(store, session, this.guarded, views, () => void this.#fixErrors());
    this.past = new PastControl(store, session, this.guarded);
    this.notes = new NoteControl(store, session, this.guarded);
    this.memories = new MemoryControl(store, session);
    this.all = new SessionList(store, this.guarded);
    this.tour = new TourControl(store, session, this.guarded, {
      ask: (request) => void this.ask(request),
      resume: () => this.resume(),
    });
    this.point = new PointControl(store, session, this.guarded);
    this.workbench = new WorkbenchControl(store, session, this.guarded, this, loadParts);
    this.#events = new EventControl(store, session, this);
  }

  /** The open session, for parts of the page that call it directly. */
  get session(): Session | null {
    return this.#session;
  }

  /** The open session is shown read-only, because another tab has it. */
  get #isViewer(): boolean {
    const { viewing, lacksSpace } = this.store.state;
    return viewing && !lacksSpace;
  }

  /** Opens a session, or creates it. `other`: deviations from the settings; `access`: what to do when another tab has it. */
  async open(name: string, other: Partial<AgentConfig> = {}, access: Access = {}): Promise<void> {
    const opening = this.#open(name, other, access);
    this.#opening = opening;
    await opening;
    if (this.#opening === opening) this.#opening = null;
  }

  async #open(name: string, other: Partial<AgentConfig>, access: Access): Promise<void> {
    this.#fixes = MAX_FIXES;
    await this.close();
    const opened = ++this.#opened;
    const isOther = name !== this.store.state.session || opened === 1; // After a reload, the address names it.
    this.store.update({
      ...emptySession,
      session: name,
      opening: true,
      lacksSpace: false,
      failure: null,
    });
    const { workbench = null, tab, width = 'full' } = this.views.of(name);
    if (isOther)
      this.store.update({
        ...unchosenWorkbench,
        workbench,
        ...(tab === undefined ? {} : { tab }),
        previewWidth: width,
        pointed: null,
      });
    void this.all.load();
    history.replaceState(null, '', `#${encodeURIComponent(name)}`);
    await this.guarded(async () => {
      const known = sessions.list().then((all) => all.find((session) => session.name === name));
      known.catch(() => {}); // Reported below.
      const [usual] = await Promise.all([configOf(name, this.store.state, this.keys), this.tour.begin(name)]);
      if (opened !== this.#opened) return;
      const config = { ...usual, ...other };
      const session = await this.#connect(name, config, access);
      if (opened !== this.#opened) return session.close();
      this.#session = session;
      // The plan is above the conversation: shown later, it would move the buttons of a question or a pause.
      const planned = this.#showPlan(session);
      await Promise.all([planned, this.#follow(session)]);
      const stored = await known;
      if (session !== this.#session) return;
      this.store.update({
        notes: { ...emptySession.notes, on: config.notes },
        memories: { ...emptySession.memories, shared: config.shared },
        question: session.waiting,
        viewing: session.viewing,
        runningSince: session.running === null ? null : (this.store.state.runningSince ?? Date.now()), // Of another tab.
        paused: this.pauseOf(session, stored?.updatedAt ?? null),
      });
      await Promise.all([this.workbench.load(), this.files.readAll(), this.all.load()]);
      if (session === this.#session && isAtRest(session)) void this.workbench.showAgain(tab === undefined);
    });
    if (opened !== this.#opened) return;
    this.store.update({ opening: false });
    if (tourIn(name) !== null && this.#session?.viewing === false) this.tour.proceed(true);
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
      lacksSpace: false,
      failure: null,
      pane: 'talk',
      pointed: null,
      ...unchosenWorkbench,
    });
    await closing;
    await this.all.load();
  }

  /** Sends a request; the first request of a new session creates it. False when it could not be sent. */
  async send(text: string, options: SendOptions = {}): Promise<boolean> {
    const { settings, wantsTeam } = this.store.state;
    if (isConnected(settings)) this.store.update({ picked: null });
    else if (!(await this.pick())) return false;
    const { session } = this.store.state;
    if (session !== null) await this.#opening;
    if (session !== this.store.state.session) return false; // The user has left it meanwhile.
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
    const tries = this.#fixes;
    await this.send(t.fixRequest(page.url, errors), { untrusted: `the page ${page.url}` });
    this.#fixes = tries;
  }

  /** Does that automatically, if the user wants it, at most twice for a request of this visit. */
  async #fixErrors(): Promise<void> {
    const { pageErrors, preferences, runningSince, question } = this.store.state;
    if (!preferences.fixes || pageErrors.length === 0 || this.#fixes >= MAX_FIXES) return;
    if (runningSince !== null || question !== null || readOnlyReason(this.store.state) !== null) return;
    this.#fixes += 1;
    await this.askToFix();
  }

  async startTour(tour: TourName): Promise<void> {
    const { opening, session } = this.store.state;
    if (opening && tourIn(session) === tour) return; // A double click.
    this.store.update({ ...unchosenWorkbench, pane: 'talk' });
    await this.open(newTourName(tour, new Date()));
  }

  /** Opens a session with the files of a template, and shows its page. */
  async startTemplate(template: TemplateName): Promise<void> {
    if (this.store.state.opening) return; // A double click.
    const title = t.templates[template];
    const name = newSessionName(title, new Date());
    this.all.label(name, { first: title });
    this.views.openWorkbench(name);
    this.store.update({ ...unchosenWorkbench, pane: 'work', tab: 'preview' });
    const loading = import('./templates/index.js').then(({ templateFiles }) => templateFiles(template));
    loading.catch(() => {}); // Reported below.
    await this.open(name, {}, {});
    await this.guarded(async () => {
      const files = await loading;
      const session = this.#session;
      if (session === null || session.name !== name) return;
      const writes = Object.entries(files).map(([path, content]) => ({ path, content }));
      await session.files.writeAll(writes, { existing: 'keep' });
      if (session === this.#session) await this.files.preview('/index.html');
    });
  }

  stop(): void {
    this.tour.stop();
    this.#session?.running?.stop();
  }

  resume(): void {
    this.store.update({ paused: null, failure: null });
    this.#run(() => this.#session?.resume());
  }

  async answer(text: string): Promise<void> {
    const session = this.#session;
    const question = session?.waiting ?? null;
    if (question === null || session === null) return;
    this.store.update({ question: null, announcement: t.announceAnswered });
    await this.guarded(async () => {
      await session.answer(question.id, text);
      if (session.running === null && !session.viewing) this.resume();
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
    if (session !== null && tourIn(session) === null)
      await this.open(session, {}, this.#isViewer ? { view: true } : {});
  }

  async remove(name: string): Promise<void> {
    if (name === this.store.state.session && !this.#isViewer) await this.begin(); // That of another tab stays.
    await this.all.remove(name);
  }

  /** Downloads the open session as a file. */
  async export(): Promise<void> {
    if (this.#session !== null) await this.all.export(this.#session);
  }

  /** Imports the sessions in a file, and opens one that is alone. */
  async import(file: File): Promise<void> {
    await this.guarded(async () => {
      const names = await this.all.import(file);
      const [name] = names;
      if (names.length === 1 && name !== undefined) return this.open(name);
      await this.all.load();
      this.store.update({ announcement: t.importedAll(names.length) });
    });
  }

  /**
   * Creates a session with everything up to a step: a copy, or a replay of its replies; then the user's model
   * continues.
   */
  async fork(from: StepTrace): Promise<void> {
    const session = this.#session;
    const { forking, conversation } = this.store.state;
    if (session === null || forking) return;
    const name = newSessionName(t.forkOf(this.all.titleOf(session.name)), new Date(), isTeam(session.name));
    this.all.label(name, { forkedAt: conversation.steps.indexOf(from) + 1 });
    if (showsWorkbench(this.store.state)) this.views.openWorkbench(name);
    this.store.update({ forking: true, cursor: null });
    await this.guarded(async () => {
      const { fork } = await import('./panes/fork.js');
      if (from === conversation.steps.at(-1)) {
        const files = await fork.copy(session, from, name);
        await this.open(name);
        if (files !== null && this.#session !== null) await fork.restore(this.#session, files);
        return;
      }
      const plan = await fork.planOf(session, rolesOf(session), from);
      const { asks } = await configOf(session.name, this.store.state, this.keys);
      await this.open(name, { model: { kind: 'replay', replies: plan.replies }, asks });
      if (this.#session !== null) await fork.replay(this.#session, plan);
      await this.open(name);
    });
    this.store.update({ forking: false });
  }

  /** Undoes the file changes of one step, or repeats them. The conversation asks what to do when the user has changed the same since. */
  async undo(step: string, act: 'undo' | 'redo' = 'undo'): Promise<void> {
    if (this.#undoing === step) return; // A double click.
    this.#undoing = step;
    await this.guarded(async () => {
      const changed = (await document.querySelector('rolezero-chat')?.reverse(act, step)) ?? [];
      await this.workbench.refresh();
      if (changed.length > 0)
        this.store.update({ pane: 'talk', announcement: t.changedSince(changed.join(', ')) });
    });
    this.#undoing = null;
  }

  /** Shows an error with advice. */
  readonly guarded = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const data = errorData(error);
      if (data.code === 'aborted') return; // The user left the session.
      this.store.update({ failure: data, runningSince: null, announcement: data.message });
    }
  };

  /** Shows more of the conversation and of the steps. */
  async showOlder(): Promise<void> {
    await this.guarded(async () => this.#conversation?.showOlder());
  }

  async #connect(name: string, config: AgentConfig, access: Access): Promise<Session> {
    return connect(() => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }), {
      session: name,
      config,
      models: await pageModels(this.store.state.settings),
      tools: [await agentPages()],
      restarts: 3,
      ...access,
    });
  }

  /** Shows what is stored now: the conversation went back, or to another branch. */
  async showPast(): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    await this.guarded(() => Promise.all([this.#showPlan(session), this.workbench.refresh()]));
  }

  async #showPlan(session: Session): Promise<void> {
    const plan = await session.plan();
    if (session === this.#session) this.store.update({ plan });
  }

  /** Shows a session from now on, and its stored conversation. */
  async #follow(session: Session): Promise<void> {
    const conversation = followConversation(session, rolesOf(session));
    this.#conversation = conversation;
    conversation.subscribe(() => {
      if (session !== this.#session) return;
      this.#showConversation(conversation);
      this.#showAnswered(session);
    });
    session.on((event) => {
      if (session === this.#session) this.#events.show(event);
    });
    await conversation.opened;
    const { entries, hasOlder } = conversation.view;
    const [first] = entries;
    if (first?.kind === 'request' && !hasOlder) this.all.labelFirst(session.name, first.text);
  }

  #showConversation({ view }: FollowedConversation): void {
    const before = this.store.state;
    const change: Partial<State> = { conversation: view };
    if (view.isOpen && (!before.conversation.isOpen || view.older !== before.conversation.older)) {
      const lines = shellLines(view.entries);
      const known = before.shell.filter(({ by }) => by === 'agent').length;
      change.shell = [...lines.slice(0, lines.length - known), ...before.shell];
    }
    if (view.older !== before.conversation.older) {
      const added = view.steps.length - before.conversation.steps.length;
      change.cursor = before.cursor === null ? null : before.cursor + added;
      change.announcement = t.olderShown(view.older - before.conversation.older);
    }
    this.store.update(change);
  }

  /** Another tab has answered the question. Without a run, no event says so, and the work continues here. */
  #showAnswered(session: Session): void {
    const { question, paused } = this.store.state;
    const { waiting, running } = session;
    if (question === null || question.id === waiting?.id) return;
    this.store.update({
      question: waiting,
      paused: running === null ? this.pauseOf(session, null) : paused,
    });
  }

  /** Why the work of a session is not finished; null when it is, and while it waits for an answer or another tab has it. */
  pauseOf(session: Session, at: number | null): State['paused'] {
    const { resumable, waiting, viewing, lastRun, name } = session;
    if (!resumable || waiting !== null || viewing) return null;
    const step = this.store.state.labels[name]?.forkedAt;
    return step === undefined ? { at, why: whyPaused(lastRun?.status) } : { at, why: 'forked', step };
  }

  /** Resolves when the request is stored, with false when it was refused. */
  private async ask(text: string, options: SendOptions = {}): Promise<boolean> {
    const session = this.#session;
    if (session === null) return false; // It could not be opened; the error is shown.
    this.#fixes = 0;
    this.store.update({ paused: null, failure: null, question: null, cursor: null });
    const id = newId();
    const remove = this.#conversation?.ask(text, id);
    const run = session.send(text, { ...options, id });
    this.#run(() => run);
    return run.accepted.then(
      () => {
        this.all.labelRequest(session.name, text);
        return true;
      },
      () => {
        remove?.();
        return false;
      },
    );
  }

  /** Starts a run. Its events arrive at the listener; here only an error to follow it. */
  #run(start: () => ReturnType<Session['send']> | undefined): void {
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

  private async close(): Promise<void> {
    this.tour.end();
    const session = this.#session;
    this.#session = null;
    this.#conversation = null;
    if (session !== null) this.#closing = this.guarded(() => session.close());
    await this.#closing;
  }
}

/** The roles of a session by name. The first one receives the user's requests. */
function rolesOf({ name }: Session): readonly string[] {
  return roleNames(isTeam(name));
}

/** Nothing is in progress, and nothing waits. */
function isAtRest({ running, waiting, resumable }: Session): boolean {
  return running === null && waiting === null && !resumable;
}
