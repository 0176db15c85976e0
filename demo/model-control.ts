import type { Preparing, Store } from './state/app-state.js';
import type { Way, Ways } from './state/offers.js';
import type { Settings } from './state/settings.js';
import { t } from './text/index.js';
import { downloadText, nameOfWay, reasonOf } from './text/ways.js';

/** Finds a model for this machine: selects one automatically, and asks before any download. */
export class ModelControl {
  constructor(
    private readonly store: Store,
    private readonly connect: (settings: Settings) => Promise<void>,
  ) {}

  /** Searches again, since a server may have been started meanwhile. */
  async look(): Promise<Ways> {
    const [{ findModels }, { offersHere, waysOf }] = await Promise.all([
      import('rolezero/providers/detect'),
      import('./state/offers.js'),
    ]);
    const [found, offers] = await Promise.all([findModels(this.#endpoint()), offersHere()]);
    const ways = waysOf(found, offers);
    this.store.update({ ways });
    return ways;
  }

  /**
   * Connects the first model that needs no download, and shows which and why. Returns true when one is connected;
   * when the first one needs a download, asks the user and returns false.
   */
  async pick(): Promise<boolean> {
    this.store.update({ needsModel: true, ways: null, announcement: t.looking });
    const [first] = (await this.look()).ways;
    if (first === undefined) return false;
    if (first.download !== null) {
      this.store.update({
        announcement: `${t.pickedFor(nameOfWay(first))} ${reasonOf(first)} ${downloadText(first.download)}`,
      });
      return false;
    }
    await this.use(first);
    this.store.update({
      picked: first,
      announcement: `${t.picked(nameOfWay(first))} ${reasonOf(first)}`,
    });
    return true;
  }

  /** Connects a model, or asks first when it needs a download, with the size reported by its server. */
  async choose(way: Way): Promise<void> {
    if (way.download === null) return this.use(way);
    this.store.update({ considered: way });
    const { measured } = await import('./state/offers.js');
    const known = await measured(way);
    if (this.store.state.considered === way) this.store.update({ considered: known });
  }

  /** The same for the user's own GGUF file. */
  async chooseFile(url: string, contextWindow: number): Promise<void> {
    const { cpuWay } = await import('./state/offers.js');
    const name = /([^/]+?)(\.gguf)?$/i.exec(new URL(url).pathname)?.[1] ?? url;
    await this.choose(cpuWay({ name, url, bytes: 0 }, contextWindow));
  }

  /** Connects a model. The user has consented to its download, if any. */
  async use(way: Way): Promise<void> {
    this.store.update({ dialog: null, considered: null });
    await this.connect(await this.#settingsOf(way));
  }

  /** Returns the settings of a model with its context window, as far as the model or its server reports it. */
  async #settingsOf({ kind, server, settings }: Way): Promise<Settings> {
    switch (kind) {
      case 'chrome':
        return this.#while({ kind, share: 0 }, () => this.#prepared(settings));
      case 'server':
        return this.#while({ kind, server }, async () => {
          const { withReportedWindow } = await import('./state/reported-window.js');
          return withReportedWindow(settings);
        });
      default:
        return settings;
    }
  }

  /** Shows that a model is being prepared until `prepare` ends. */
  async #while(preparing: Preparing, prepare: () => Promise<Settings>): Promise<Settings> {
    this.store.update({ preparing });
    try {
      return await prepare();
    } finally {
      this.store.update({ preparing: null });
    }
  }

  /** Starts the browser's own model: only then its window is known, and only a click may start its download. */
  async #prepared(settings: Settings): Promise<Settings> {
    const { prepareChrome } = await import('rolezero/providers/chrome');
    const { contextWindow } = await prepareChrome({
      onProgress: (share) => this.store.update({ preparing: { kind: 'chrome', share } }),
    });
    return { ...settings, contextWindow };
  }

  #endpoint(): { remote?: { baseURL: string; model: string } } {
    const { where, baseURL, model } = this.store.state.settings;
    return where === 'server' && model !== '' ? { remote: { baseURL, model } } : {};
  }
}
