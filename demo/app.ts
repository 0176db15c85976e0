import { EditorMount } from './editor-mount.js';
import { ModelControl } from './model-control.js';
import { SessionControl } from './session-control.js';
import { ShellControl } from './shell-control.js';
import type { Pane, Store, Tab } from './state/app-state.js';
import { savePreferences, type Keys, type Preferences } from './state/settings.js';
import { speak } from './text/index.js';

/** Actions for the parts of the page: sessions, files, the shell, and the page itself. */
export class App {
  readonly control: SessionControl;
  readonly models: ModelControl;
  readonly shell: ShellControl;
  readonly editor: EditorMount;

  constructor(
    readonly store: Store,
    readonly keys: Keys,
  ) {
    this.models = new ModelControl(store, (settings) => this.control.connectModel(settings));
    this.control = new SessionControl(store, keys, () => this.models.pick());
    this.shell = new ShellControl(store, () => this.control.session);
    this.editor = new EditorMount(this.control.files.edited);
  }

  showTab(tab: Tab): void {
    this.editor.flush();
    this.store.update({ tab, tabIsOwn: true, pane: 'work' });
    void this.control.tabShown();
  }

  showPane(pane: Pane): void {
    this.store.update({ pane });
  }

  /** Searches for models on this machine, and lets the user choose. */
  openModels(): void {
    this.store.update({ dialog: 'model', considered: null });
    void this.control.guarded(() => this.models.look());
  }

  openSettings(): void {
    this.store.update({ dialog: 'settings' });
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
}
