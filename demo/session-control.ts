import { connect, RoleZeroError, sessions, type AgentEvent, type ErrorData, type Session } from 'rolezero';
import type { AgentConfig } from './agent-config.js';
import { emptySession, type State, type Store } from './state/app-state.js';
import { applied, asked, filled, fromMessages, hasGaps } from './state/conversation.js';
import { previewDocument } from './state/preview-document.js';
import { isTour, newSessionName, newTourName } from './state/session-names.js';
import { isConnected, saveSettings, type Keys, type Settings } from './state/settings.js';
import { TOUR_REQUEST } from './tour/index.js';

/** Files up to this size are read to show them and what changes in them; bytes. */
const MAX_SHOWN_FILE = 400_000;
/** At most so many files are read when a session is opened. */
const MAX_READ_AT_ONCE = 100;

/** Everything a person can do on this page. It speaks with the agent, and what comes of it goes into the store. */
export class SessionControl {
  #session: Session | null = null;
  /** Grows with every session that is opened; what an earlier one still has to say is not shown. */
  #opened = 0;
  /** The files as they were last seen. */
  #contents = new Map<string, string>();

  constructor(
    private readonly store: Store,
    private readonly keys: Keys,
  ) {}

  /** Brings a session back, or begins one of that name. */
  async open(name: string): Promise<void> {
    await this.close();
    const opened = ++this.#opened;
    this.store.update({ ...emptySession, session: name, opening: true, failure: null, needsModel: false });
    history.replaceState(null, '', `#${encodeURIComponent(name)}`);
    await this.guarded(async () => {
      const known = (await sessions.list()).find((session) => session.name === name);
      const session = await connect(
        () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }),
        { session: name, config: this.config(name) },
      );
      if (opened !== this.#opened) return session.close();
      this.#session = session;
      session.on((event) => {
        if (opened === this.#opened) this.heard(event);
      });
      const [messages, plan, usage] = await Promise.all([
        session.messages(),
        session.plan(),
        session.usage(),
      ]);
      const { waiting, lastRun } = session;
      this.store.update({
        conversation: fromMessages(messages),
        plan,
        usage,
        question: waiting,
        paused:
          session.resumable && waiting === null
            ? { at: known?.updatedAt ?? null, why: whyPaused(lastRun?.status) }
            : null,
      });
      await this.readFiles();
      await this.list();
    });
    if (opened === this.#opened) this.store.update({ opening: false });
  }

  /** Leaves the session for an empty page. */
  async begin(): Promise<void> {
    await this.close();
    this.#opened += 1;
    history.replaceState(null, '', location.pathname);
    this.store.update({ ...emptySession, session: null, failure: null, needsModel: false, pane: 'talk' });
    await this.list();
  }

  /** Asks for something; the first request of a new session begins it. False when nobody could be asked. */
  async send(text: string): Promise<boolean> {
    if (!isConnected(this.store.state.settings)) {
      this.store.update({ needsModel: true });
      return false;
    }
    if (this.#session === null) await this.open(newSessionName(text, new Date()));
    return this.ask(text);
  }

  async startTour(): Promise<void> {
    await this.open(newTourName(new Date()));
    this.ask(TOUR_REQUEST);
  }

  stop(): void {
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
    this.store.update({ question: null, announcement: 'Answered.' });
    await this.guarded(async () => {
      await session.answer(question.id, text);
      if (session.running === null) this.resume();
    });
  }

  /** Works with another model from now on; the session stays. */
  async connectModel(settings: Settings, key: string, remember: boolean): Promise<void> {
    saveSettings(localStorage, settings);
    this.keys.set(settings.baseURL, key, remember);
    this.store.update({ settings, keyIsMissing: false, settingsOpen: false, needsModel: false });
    const { session } = this.store.state;
    if (session !== null && !isTour(session)) await this.open(session);
  }

  async remove(name: string): Promise<void> {
    if (name === this.store.state.session) await this.begin();
    await this.guarded(() => sessions.remove(name));
    await this.list();
  }

  async list(): Promise<void> {
    await this.guarded(async () => {
      const all = await sessions.list();
      this.store.update({ sessions: all.sort((a, b) => b.updatedAt - a.updatedAt) });
    });
  }

  /** Saves the whole session as a file. */
  async export(): Promise<void> {
    await this.guarded(async () => {
      if (this.#session === null) return;
      const document = await this.#session.export();
      offer(`${this.#session.name}.json`, JSON.stringify(document));
    });
  }

  async showFile(path: string): Promise<void> {
    await this.guarded(async () => {
      const content = this.#contents.get(path) ?? (await this.read(path));
      this.store.update({ openFile: { path, content, before: null }, follow: false, preview: null });
    });
  }

  downloadFile(): void {
    const { openFile } = this.store.state;
    if (openFile !== null) offer(openFile.path.slice(openFile.path.lastIndexOf('/') + 1), openFile.content);
  }

  setFollow(follow: boolean): void {
    this.store.update({ follow });
  }

  togglePreview(): void {
    const { openFile, preview } = this.store.state;
    if (openFile === null) return;
    this.store.update({
      preview: preview === null ? previewDocument(openFile.path, this.#contents) : null,
      follow: false,
    });
  }

  private config(name: string): AgentConfig {
    if (isTour(name)) return { kind: 'tour' };
    const { settings } = this.store.state;
    if (!isConnected(settings)) return { kind: 'none' };
    return { kind: 'remote', ...settings, apiKey: this.keys.get(settings.baseURL) };
  }

  private ask(text: string): boolean {
    if (this.#session === null) return false; // it could not be opened, and that is shown
    this.store.update({
      conversation: asked(this.store.state.conversation, text),
      paused: null,
      failure: null,
      question: null,
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
    const change: Partial<State> = { conversation: applied(state.conversation, event) };
    switch (event.type) {
      case 'run-start':
        change.runningSince = Date.now();
        change.paused = null;
        break;
      case 'thought-end': // the results of the step before are part of what the model was told
        if (hasGaps(state.conversation)) void this.fillGaps();
        break;
      case 'phase':
        change.phase = event.phase;
        break;
      case 'plan-changed':
        change.plan = event.plan;
        break;
      case 'usage':
        change.usage = event.total;
        break;
      case 'file-changed':
        void this.fileChanged(event.path, event.change);
        break;
      case 'human-question':
      case 'approval-request':
        change.question = event.question;
        change.announcement = `${event.question.role} asks: ${event.question.text}`;
        break;
      case 'human-reply':
        change.announcement = `${event.role} says: ${event.text}`;
        break;
      case 'run-end':
        this.ended(event, change);
        break;
      default:
    }
    this.store.update(change);
  }

  private ended({ status }: Extract<AgentEvent, { type: 'run-end' }>, change: Partial<State>): void {
    const waiting = this.#session?.waiting ?? null;
    change.runningSince = null;
    change.question = status === 'waiting' ? waiting : null;
    change.paused =
      this.#session?.resumable === true && waiting === null
        ? { at: Date.now(), why: whyPaused(status) }
        : null;
    if (status !== 'waiting') change.announcement = `The run has ended: ${status}.`;
    if (status === 'done' && hasGaps(this.store.state.conversation)) void this.fillGaps();
    void this.list();
  }

  private async fillGaps(): Promise<void> {
    await this.guarded(async () => {
      const messages = await this.#session?.messages();
      if (messages === undefined) return;
      this.store.update({ conversation: filled(this.store.state.conversation, fromMessages(messages)) });
    });
  }

  private async readFiles(): Promise<void> {
    this.#contents = new Map();
    const files = (await this.#session?.files.list()) ?? [];
    const shown = files.filter(({ type, size }) => type === 'file' && size <= MAX_SHOWN_FILE);
    for (const { path } of shown.slice(0, MAX_READ_AT_ONCE)) this.#contents.set(path, await this.read(path));
    const newest = shown.reduce<(typeof shown)[number] | null>(
      (best, file) => (best === null || file.modifiedAt >= best.modifiedAt ? file : best),
      null,
    );
    const content = newest === null ? undefined : this.#contents.get(newest.path);
    this.store.update({
      files,
      openFile:
        newest === null || content === undefined ? null : { path: newest.path, content, before: null },
    });
  }

  private async fileChanged(path: string, change: 'written' | 'removed'): Promise<void> {
    await this.guarded(async () => {
      const files = (await this.#session?.files.list()) ?? [];
      const isFile = files.some((file) => file.path === path && file.type === 'file');
      const content = change === 'written' && isFile ? await this.read(path) : null;
      const before = this.#contents.get(path) ?? null;
      // Changes may come while this one is read: what is shown is asked for last.
      const { openFile, follow, changed } = this.store.state;
      const marks = new Map(changed);
      if (content === null) {
        this.#contents.delete(path);
        marks.delete(path);
        this.store.update({ files, changed: marks, ...(openFile?.path === path ? { openFile: null } : {}) });
        return;
      }
      this.#contents.set(path, content);
      marks.set(path, before === null || marks.get(path) === 'new' ? 'new' : 'changed');
      const shows = content !== before && (follow || openFile?.path === path);
      const shown = shows ? { openFile: { path, content, before }, preview: null } : {};
      this.store.update({ files, changed: marks, ...shown });
    });
  }

  private async read(path: string): Promise<string> {
    const info = await this.#session?.files.stat(path);
    if ((info?.size ?? 0) > MAX_SHOWN_FILE) return '(This file is too large to be shown here.)';
    return (await this.#session?.files.read(path)) ?? '';
  }

  private async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (session !== null) await this.guarded(() => session.close());
  }

  /** What goes wrong is shown, with what can be done about it. */
  private async guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const data: ErrorData =
        error instanceof RoleZeroError ? error.toData() : { code: 'internal', message: String(error) };
      if (data.code === 'aborted') return; // the person left the session
      this.store.update({ failure: data, runningSince: null, announcement: data.message });
    }
  }
}

function whyPaused(status: string | undefined): 'stopped' | 'failed' | 'interrupted' {
  return status === 'stopped' || status === 'failed' ? status : 'interrupted';
}

/** Lets the person save a text as a file. */
function offer(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
