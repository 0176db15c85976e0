import type { Preparing, Store } from './state/app-state.js';
import type { Way, Ways } from './state/offers.js';
import type { Settings } from './state/settings.js';
import { t } from './text/index.js';
import { downloadText, nameOfWay, reasonOf } from './text/ways.js';

/** Finds a model for this machine: picks one by itself, and asks before anything is downloaded. */
export class ModelControl {
  constructor(
    private readonly store: Store,
    private readonly connect: (settings: Settings) => Promise<void>,
  ) {}

  /** What there is now: somebody may have started a server since it was last looked. */
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
   * Connects the first model that can be used at once, and says which and why. True when one is connected; where the first one has to be
   * downloaded the user is asked, and it is false.
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

  /** Connects a model, or asks first where it has to be downloaded, with the size as its server tells it. */
  async choose(way: Way): Promise<void> {
    if (way.download === null) return this.use(way);
    this.store.update({ considered: way });
    const { measured } = await import('./state/offers.js');
    const known = await measured(way);
    if (this.store.state.considered === way) this.store.update({ considered: known });
  }

  /** The same for a GGUF file of the user's own. */
  async chooseFile(url: string, contextWindow: number): Promise<void> {
    const { cpuWay } = await import('./state/offers.js');
    const name = /([^/]+?)(\.gguf)?$/i.exec(new URL(url).pathname)?.[1] ?? url;
    await this.choose(cpuWay({ name, url, bytes: 0 }, contextWindow));
  }

  /** Connects a model whose download, if there is one, the user has agreed to. */
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

  /** The browser's own model, started: only then it tells its window, and only after a click it can be downloaded. */
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
