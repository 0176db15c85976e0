import { RoleZeroError } from 'rolezero';
import { NO_DRAFT, type Draft, type DraftControl } from './draft-control.js';
import { EditorMount } from './editor-mount.js';
import { ModelControl } from './model-control.js';
import { SessionControl } from './session-control.js';
import { ShellControl } from './shell-control.js';
import {
  isElsewhere,
  type Deletion,
  type ModelCard,
  type Pane,
  type State,
  type Store,
  type Tab,
} from './state/app-state.js';
import { readOnlyReason } from './state/read-only.js';
import { runCommand } from './state/run-command.js';
import type { SessionViews } from './state/session-views.js';
import { isConnected, savePreferences, type Keys, type Preferences } from './state/settings.js';
import { speak, t } from './text/index.js';
import { focusFirst, placesAround } from './view/places-around.js';

/** Actions for the parts of the page: sessions, files, the shell, and the page itself. */
export class App {
  readonly control: SessionControl;
  readonly models: ModelControl;
  readonly shell: ShellControl;
  readonly editor: EditorMount;
  /** Everything was deleted: nothing is stored before the page is loaded again. */
  isForgotten = false;

  /** The first request is being sent: a double click begins no second session. */
  #isBeginning = false;

  constructor(
    readonly store: Store,
    readonly keys: Keys,
    readonly drafts: DraftControl,
    readonly views: SessionViews,
    /** Loads views that are not part of the page at first; see `view/late-views.ts`. */
    private readonly late: { dialogs: () => Promise<void>; parts: () => Promise<boolean> },
  ) {
    this.models = new ModelControl(store, {
      connect: (...model) => this.control.connectModel(...model),
      open: () => this.#open({ dialog: 'model' }),
      sendWaiting: () => void this.send(this.drafts.current),
    });
    this.control = new SessionControl(store, keys, views, () => this.models.pick(), late.parts);
    this.shell = new ShellControl(store, views, () => this.control.session);
    this.editor = new EditorMount(this.control.files.edited);
  }

  /** Sends a request. It is in the field until a model is chosen. */
  async send(request: Draft): Promise<void> {
    const { files } = request;
    const text = request.text.trim();
    if (text === '' || this.#isBeginning) return;
    this.drafts.fillIn(isConnected(this.store.state.settings) ? NO_DRAFT : request);
    this.#isBeginning = this.store.state.session === null;
    const { pointed } = this.store.state;
    const isSent = await this.control
      .send(pointed === null ? text : t.aboutElement(text, pointed), {
        ...(files.length === 0 ? {} : { files }),
        // A page may have written anything into its elements.
        ...(pointed === null ? {} : { untrusted: `the page ${pointed.url}` }),
      })
      .finally(() => (this.#isBeginning = false));
    if (isSent) this.store.update({ pointed: null });
    const now = this.drafts.current.text.trim(); // A new session has its own field.
    if (isSent && now === text) this.drafts.fillIn(NO_DRAFT);
    if (!isSent && now === '') this.drafts.fillIn(request);
  }

  /** Imports a drop on the page: files for the open session, or an exported session when none is open. */
  async dropped(data: DataTransfer): Promise<void> {
    const { control, store } = this;
    const [file] = data.files;
    const reason = store.state.lacksSpace ? null : readOnlyReason(store.state); // Storing them says what to do about space.
    if (isElsewhere(store.state)) store.update({ announcement: reason ?? '' });
    else if (reason !== null)
      await control.guarded(() => Promise.reject(new RoleZeroError('invalid', reason)));
    else if (control.session !== null) await control.files.dropped(data);
    else if (data.files.length === 1 && file !== undefined && /\.(?:json|zip)$/.test(file.name))
      await control.import(file);
    else await control.guarded(() => Promise.reject(new RoleZeroError('invalid', t.dropNeedsSession)));
  }

  showTab(tab: Tab): void {
    this.editor.flush();
    this.store.update({ workbench: true, tab, tabIsOwn: true, pane: 'work', pageIsReady: false });
    void this.control.workbench.shown();
  }

  /** Opens or closes the workbench. A narrow screen shows it, or the conversation. */
  showWorkbench(isShown: boolean): void {
    this.store.update({ workbench: isShown });
    this.showPane(isShown ? 'work' : 'talk');
  }

  /** Runs a program in the shell of the user. */
  async runFile(path: string): Promise<void> {
    const command = runCommand(path);
    if (command === null) return;
    this.showTab('terminal');
    await this.control.files.stored();
    await this.shell.run(command);
  }

  showPane(pane: Pane): void {
    this.store.update({ pane, ...(pane === 'work' ? { pageIsReady: false } : {}) });
  }

  /** Searches for models on this machine, and lets the user choose. `card`: the group to show. */
  openModels(card: ModelCard = cardOf(this.store.state)): void {
    void this.control.guarded(async () => {
      await this.#open({ dialog: 'model', modelCard: card });
      await this.models.look();
    });
  }

  openSettings(): void {
    void this.control.guarded(async () => {
      await this.#open({ dialog: 'settings', storedData: null });
      const { readStoredData } = await import('./state/stored-data.js');
      this.store.update({ storedData: await readStoredData() });
    });
  }

  /** Opens the ways to take the result out of the session. */
  openShare(): void {
    this.editor.flush();
    void this.control.guarded(() => this.#open({ dialog: 'share', shared: null }));
  }

  /** Opens the list of all commands. */
  openPalette(): void {
    void this.control.guarded(() => this.#open({ dialog: 'palette', palette: { query: '', active: 0 } }));
  }

  closeDialog(): void {
    this.store.update({ dialog: null, needsModel: false });
  }

  /** Deletes a session with what was about to be sent to it. */
  async removeSession(name: string): Promise<void> {
    await this.control.remove(name);
    if (this.store.state.sessions.some((session) => session.name === name)) return;
    this.drafts.forget(name);
    this.views.forget(name);
  }

  /** Asks the user before something is deleted for good. */
  async confirmDeletion(deletion: Deletion): Promise<boolean> {
    await this.late.dialogs();
    if (this.store.state.confirming !== null) return false; // A double click.
    return new Promise((resolve) => {
      const answer = (isConfirmed: boolean): void => {
        this.store.update({ confirming: null });
        resolve(isConfirmed);
      };
      this.store.update({ confirming: { ...deletion, answer } });
    });
  }

  /** Deletes something once the user confirms it. The focus returns to the button, or to what is beside it. */
  async delete(deletion: Deletion, button: HTMLElement, work: () => Promise<unknown>): Promise<void> {
    const places = placesAround(button);
    await this.control.guarded(async () => {
      if (!(await this.confirmDeletion(deletion))) return;
      const { failure } = this.store.state;
      await work();
      if (failure === this.store.state.failure) this.store.update({ announcement: t.deleted });
    });
    requestAnimationFrame(() => focusFirst(places));
  }

  /** Deletes everything that is stored in this browser, once the user confirms it, and loads the page again. */
  async deleteEverything(): Promise<void> {
    await this.control.guarded(async () => {
      if (!(await this.confirmDeletion({ what: 'everything', name: null }))) return;
      this.closeDialog();
      await this.control.begin();
      const { deleteStoredData } = await import('./state/stored-data.js');
      await deleteStoredData();
      this.isForgotten = true;
      location.replace(location.pathname);
    });
  }

  async prefer(change: Partial<Preferences>): Promise<void> {
    const preferences = { ...this.store.state.preferences, ...change };
    savePreferences(localStorage, preferences);
    await this.apply(preferences);
  }

  async apply(preferences: Preferences): Promise<void> {
    document.documentElement.dataset['theme'] = preferences.theme;
    await speak(preferences.language);
    this.store.update({ preferences });
  }

  async #open(change: Partial<State>): Promise<void> {
    await this.late.dialogs();
    this.models.forgetCheck();
    this.store.update({ considered: null, downloadFailure: null, ...change });
  }
}

/** The group of the selected model. */
function cardOf({ settings, keyIsMissing }: State): ModelCard {
  if (keyIsMissing) return 'key';
  if (settings.where !== 'server' || settings.model === '') return 'here';
  const { hostname } = new URL(settings.baseURL);
  return hostname === 'localhost' || hostname.startsWith('127.') ? 'server' : 'key';
}
