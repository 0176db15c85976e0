import { sessions } from 'rolezero';
import { fingerprint } from '../../../src/core/fingerprint.js';
import type { Question } from '../../../src/core/human.js';
import { Dice } from '../../chaos/simulation/dice.js';
import type { Settings } from '../../chaos/mixtures/operations.js';
import { rowsOf } from '../../chaos/mixtures/rows-of.js';
import type { Effect, Opened, World } from '../../chaos/mixtures/world.js';
import { channelOf, type ChannelMessage, type Conditions, type MixtureConfig } from './channel.js';
import type { TabFrame } from './tab.js';

/** Milliseconds without a sign of life after which a worker is replaced. */
const HUNG_AFTER = 1_500;
/** Default name of the database. */
const DATABASE = 'rolezero';

/** Sessions in this browser. Each client is in a frame of its own. */
export class BrowserWorld implements World {
  effects: Effect[] = [];
  answers: World['answers'] = [];
  readonly hasLocks = true;
  readonly hasViewers = true;
  readonly #dice: Dice;
  readonly #channel: BroadcastChannel;
  readonly #replacesWorkers: boolean;
  readonly #frames: HTMLIFrameElement[] = [];
  #conditions: Conditions = { isOpen: false, isFull: false, clock: 0 };
  #waiting: (() => void)[] = [];

  constructor(readonly settings: Settings) {
    this.#dice = new Dice(settings.seed + 1);
    this.#replacesWorkers = this.#dice.once(2);
    this.#channel = channelOf(settings);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<ChannelMessage>) => {
      if (data.type === 'effect') this.effects.push({ session: data.session, what: data.what });
    });
  }

  async open(session: string, how: Parameters<World['open']>[1]): Promise<Opened> {
    const frame = document.body.appendChild(document.createElement('iframe'));
    this.#frames.push(frame);
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = '?tab';
    await loaded;
    const { tab } = frame.contentWindow as Window & { tab: TabFrame };
    const config: MixtureConfig = { settings: this.settings, session, conditions: this.#conditions };
    const ask = async (question: Question): Promise<string | null> =>
      how.shows ? this.#ask(session, question) : null;
    const opened = await tab.open({
      session,
      config,
      takeOver: how.takeOver === true,
      view: how.view === true,
      persist: false,
      askHuman: ask,
      approve: async (_command, question) => {
        const answer = await ask(question);
        return answer === null ? null : answer === 'yes';
      },
      ...(this.#replacesWorkers ? { restarts: 3, hungAfterMs: HUNG_AFTER } : {}),
    });
    return opened;
  }

  readonly sessions: World['sessions'] = sessions;

  forget(name: string): void {
    this.effects = this.effects.filter(({ session }) => session !== name);
    this.answers = this.answers.filter(({ session }) => session !== name);
  }

  setGate(isOpen: boolean): void {
    this.#set({ isOpen });
    if (isOpen) this.#goOn();
  }

  openGate(): void {
    this.#post({ type: 'through' });
    this.#goOn();
  }

  setDiskFull(isFull: boolean): void {
    this.#set({ isFull });
  }

  async clearData(how: number): Promise<boolean> {
    await window.clearSiteData(how % 2 === 0 ? 'all' : 'indexeddb,file_systems');
    return true;
  }

  turnClock(milliseconds: number): void {
    this.#set({ clock: this.#conditions.clock + milliseconds });
  }

  async turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve));
  }

  async remainsOf(session: string): Promise<string[]> {
    const remains = await rowsOf(session, DATABASE);
    const root = await navigator.storage.getDirectory();
    const ours = await root.getDirectoryHandle('rolezero').catch(() => null);
    const place = await ours?.getDirectoryHandle(fingerprint(DATABASE)).catch(() => null);
    for await (const name of place?.keys() ?? [])
      if (name === fingerprint(session)) remains.push(`replica ${session}`);
    for (const key of Object.keys(localStorage)) if (key.endsWith(`:${session}`)) remains.push(key);
    return remains;
  }

  async end(): Promise<void> {
    for (const frame of this.#frames) frame.remove();
    this.#channel.close();
    for (const { name } of await sessions.list()) await sessions.remove(name);
    await sessions.removeShared('mixed');
  }

  /** A user who answers when the gate opens; sometimes not at all. */
  async #ask(session: string, question: Question): Promise<string | null> {
    if (!this.#conditions.isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#dice.once(4)) return null;
    const answer = this.#dice.once(4) ? 'no' : 'yes';
    this.answers.push({ session, question, answer });
    return answer;
  }

  #goOn(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  #set(given: Partial<Conditions>): void {
    this.#conditions = { ...this.#conditions, ...given };
    this.#post({ type: 'conditions', conditions: this.#conditions });
  }

  #post(message: ChannelMessage): void {
    this.#channel.postMessage(message);
  }
}
