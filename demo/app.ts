import { EditorMount } from './editor-mount.js';
import { SessionControl } from './session-control.js';
import { ShellControl } from './shell-control.js';
import type { Pane, Store, Tab } from './state/app-state.js';
import { offersHere } from './state/offers.js';
import { savePreferences, type Keys, type Preferences } from './state/settings.js';
import { speak } from './text/index.js';

/** What the parts of the page can do: sessions, files, the shell, and the page itself. */
export class App {
  readonly control: SessionControl;
  readonly shell: ShellControl;
  readonly editor: EditorMount;

  constructor(
    readonly store: Store,
    readonly keys: Keys,
  ) {
    this.control = new SessionControl(store, keys);
    this.shell = new ShellControl(store, () => this.control.session);
    this.editor = new EditorMount(this.control.files.edited);
  }

  showTab(tab: Tab): void {
    this.editor.flush();
    this.store.update({ tab, tabIsOwn: true, pane: 'work' });
    if (tab === 'memory') void this.control.guarded(() => this.control.listMemories());
  }

  showPane(pane: Pane): void {
    this.store.update({ pane });
  }

  /** Looks for models on this machine, once, and lets the person choose. */
  openModels(): void {
    this.store.update({ dialog: 'model' });
    if (this.store.state.detection === null) void this.control.guarded(() => this.#lookForModels());
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

  async #lookForModels(): Promise<void> {
    const { detectModels } = await import('rolezero/providers/detect');
    const { settings } = this.store.state;
    const [detection, offers] = await Promise.all([
      detectModels(
        settings.where === 'server' && settings.model !== ''
          ? { remote: { baseURL: settings.baseURL, model: settings.model } }
          : {},
      ),
      offersHere(),
    ]);
    this.store.update({ detection, offers });
  }
}
