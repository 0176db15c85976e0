import { RoleZeroError, type ErrorData } from 'rolezero';
import type { ServerQuestion } from './connection.worker.js';
import type { DownloadMessage } from './model-download.js';
import type { LocalModelConfig } from './local-model.js';
import type { Preparing, Store } from './state/app-state.js';
import { errorData } from './state/error-data.js';
import type { Checked, Endpoint } from './state/connection-check.js';
import type { Way, Ways } from './state/offers.js';
import type { Settings } from './state/settings.js';
import type { StoredModel } from './state/stored-models.js';
import { transferRate } from './state/transfer-rate.js';
import { t } from './text/index.js';
import { nameOfWay, reasonOf } from './text/ways.js';

/** What the models need from the rest of the page. */
interface Page {
  /** Connects a model; with its key if it has one. */
  connect(settings: Settings, key?: string, remember?: boolean): Promise<void>;
  /** Opens the dialog with the models. */
  open(): Promise<void>;
  /** Sends the request that waits in the field for a model. */
  sendWaiting(): void;
}

/** Finds a model for this machine: selects one automatically, and asks before any download. */
export class ModelControl {
  /** Ends the download in progress. */
  #stopDownload: (() => void) | null = null;
  /** Increases with every test of a server; results of earlier ones are dropped. */
  #checks = 0;

  constructor(
    private readonly store: Store,
    private readonly page: Page,
  ) {}

  /** Searches again, since a server may have been started meanwhile. */
  async look(): Promise<Ways> {
    const [
      { findModels },
      { readingSpeed },
      { offersHere, waysOf, withStored },
      { freeSpace, storedModels },
    ] = await Promise.all([
      import('rolezero/providers/detect'),
      import('rolezero/providers/wllama'),
      import('./state/offers.js'),
      import('./state/stored-models.js'),
    ]);
    const [found, offers, models, free] = await Promise.all([
      findModels(this.#endpoint()),
      offersHere(),
      storedModels(),
      freeSpace(),
    ]);
    const ways = withStored(waysOf(found, offers), models);
    const known = this.store.state.stock?.readingSpeed;
    this.store.update({ ways, stock: { models, free, readingSpeed: known ?? readingSpeed(1e9) } });
    return ways;
  }

  /**
   * Connects the first model that needs no download, and shows which and why. Returns true when one is connected;
   * otherwise shows the models and returns false.
   */
  async pick(): Promise<boolean> {
    this.store.update({ looking: true, announcement: t.looking });
    const { ways } = await this.look().finally(() => this.store.update({ looking: false }));
    const [first] = ways;
    if (first === undefined || first.download !== null) {
      await this.page.open();
      this.store.update({ needsModel: true, announcement: t.noModelYet });
      return false;
    }
    await this.use(first);
    this.store.update({
      picked: first,
      announcement: `${t.picked(nameOfWay(first))} ${reasonOf(first)}`,
    });
    return true;
  }

  /** Asks for consent to the download of the user's own GGUF file, with the size that its server reports. */
  async chooseFile(url: string, contextWindow: number): Promise<void> {
    const { cpuWay, measured } = await import('./state/offers.js');
    const name = /([^/]+?)(\.gguf)?$/i.exec(new URL(url).pathname)?.[1] ?? url;
    const way = cpuWay({ name, url, bytes: 0 }, contextWindow);
    this.store.update({ considered: way });
    const known = await measured(way);
    if (this.store.state.considered === way) this.store.update({ considered: known });
  }

  /** Downloads a model if needed, and connects it. Call it only when the user has consented to the download. */
  async use(way: Way): Promise<void> {
    if (this.store.state.considered !== way) this.store.update({ considered: null });
    const isLocal = way.kind === 'web-llm' || way.kind === 'wllama';
    if (isLocal && way.download !== null && !(await this.#download(way))) return;
    const settings = await this.#settingsOf(way);
    await this.#connect(isLocal && way.download !== null ? { ...settings, isTested: true } : settings);
  }

  /** Stops the download in progress. What has arrived stays in the browser where the engine can continue it. */
  cancelDownload(): void {
    this.#stopDownload?.();
  }

  async removeStored(model: StoredModel): Promise<void> {
    const { removeStored } = await import('./state/stored-models.js');
    await removeStored(model);
    await this.look();
  }

  /** Tests a server: shows the result, and returns it. */
  async check(endpoint: Endpoint): Promise<Checked> {
    const check = ++this.#checks;
    this.store.update({ check: 'running' });
    const found = await asked<Checked>({ ask: 'check', endpoint });
    if (check === this.#checks) this.store.update({ check: found });
    return found;
  }

  /** Says that the server does not list the model that the user named. */
  notListed(found: Extract<Checked, { kind: 'ok' }>, model: string): void {
    this.store.update({ check: { ...found, unlisted: model } });
  }

  /** Drops the result of the last test, as the fields have changed. */
  forgetCheck(): void {
    this.#checks += 1;
    if (this.store.state.check !== null) this.store.update({ check: null });
  }

  /** Connects a server from the form. `asksWindow`: with the window that it reports for its model. */
  async useServer(settings: Settings, key: string, remember: boolean, asksWindow = false): Promise<void> {
    const known = asksWindow ? await asked<Settings>({ ask: 'window', settings }) : settings;
    await this.#connect(known, key, remember);
  }

  /** Connects, and sends the request that waits for a model. */
  async #connect(settings: Settings, key = '', remember = false): Promise<void> {
    const { needsModel } = this.store.state;
    await this.page.connect(settings, key, remember);
    if (needsModel) this.page.sendWaiting();
  }

  /** Downloads a model in a worker and loads it once. Returns false when the user has stopped it. */
  async #download(way: Way): Promise<boolean> {
    this.#stopDownload?.();
    const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), {
      type: 'module',
      name: 'download', // `DOWNLOADER`; Vite needs the literal.
    });
    const start = { way, phase: 'download', loaded: 0, total: 0, bytesPerSecond: null } as const;
    this.store.update({ download: start, downloadFailure: null });
    const rate = transferRate();
    try {
      return await new Promise<boolean>((resolve, reject) => {
        this.#stopDownload = () => resolve(false);
        worker.onerror = ({ message }) =>
          reject(new RoleZeroError('worker-start', message || t.advice['worker-start'] || ''));
        worker.onmessage = ({ data }: MessageEvent<DownloadMessage>) => {
          if (data.type === 'done') resolve(true);
          else if (data.type === 'failed') reject(RoleZeroError.fromData(data.error satisfies ErrorData));
          else {
            const { phase, loaded, total } = data;
            const bytesPerSecond = phase === 'download' ? rate(loaded, performance.now()) : null;
            this.store.update({ download: { way, phase, loaded, total, bytesPerSecond } });
          }
        };
        worker.postMessage(configOf(way));
      });
    } catch (error) {
      if (this.store.state.dialog !== 'model') throw error; // The page shows it.
      this.store.update({ downloadFailure: { model: way.settings.model, error: errorData(error) } });
      return false;
    } finally {
      worker.terminate();
      this.#stopDownload = null;
      this.store.update({ download: null });
      void this.look();
    }
  }

  /** Returns the settings of a model with its context window, as far as the model or its server reports it. */
  async #settingsOf({ kind, server, settings }: Way): Promise<Settings> {
    switch (kind) {
      case 'chrome':
        return this.#while({ kind, share: 0 }, () => this.#prepared(settings));
      case 'server':
        return this.#while({ kind, server }, async () => {
          const known = await asked<Settings>({ ask: 'window', settings });
          return { ...known, isTested: true }; // It has listed its models.
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
    return { ...settings, contextWindow, isTested: true };
  }

  #endpoint(): { remote?: { baseURL: string; model: string } } {
    const { where, baseURL, model } = this.store.state.settings;
    return where === 'server' && model !== '' ? { remote: { baseURL, model } } : {};
  }
}

function configOf({ kind, name, settings }: Way): LocalModelConfig {
  const { baseURL, contextWindow } = settings;
  return kind === 'web-llm'
    ? { kind, model: settings.model, contextWindow }
    : { kind: 'wllama', url: baseURL, name, contextWindow };
}

/** Asks a server in a worker of its own. */
async function asked<Answer extends Checked | Settings>(question: ServerQuestion): Promise<Answer> {
  const worker = new Worker(new URL('./connection.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      worker.onerror = ({ message }) => reject(new RoleZeroError('worker-start', message));
      worker.postMessage(question);
    });
  } finally {
    worker.terminate();
  }
}
