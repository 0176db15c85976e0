import { checkTab } from './checks.js';
import { newFacts, type Facts, type Fate } from './facts.js';
import { OPERATION_TABLE } from './operation-table.js';
import { roleNames, type Mixture, type Operation } from './operations.js';
import type { MixedClient, MixedRun, Opened, World } from './world.js';

/** After this many milliseconds, a call counts as one that never settles. */
const HANGS = 30_000;
/** Rejections that may follow from other calls: the session was closed, taken over, or lost its disk. */
const OFTEN = ['aborted', 'session-fenced', 'session-busy', 'worker-lost', 'interrupted', 'storage-closed'];

/** A client in a mixture. */
export interface Tab {
  readonly session: string;
  readonly opened: Opened;
  readonly client: MixedClient;
  /** `dead`: its worker was killed, and not replaced. */
  state: 'open' | 'fenced' | 'closed' | 'dead';
  /** Resolves when its worker was killed, and its calls may never settle. */
  readonly died: Promise<void>;
  readonly kill: (how: number) => void;
}

interface How {
  takeOver?: boolean;
  view?: boolean;
  shows?: boolean;
  /** It has been reported that the session is lost. */
  isReported?: boolean;
}

function tabOf(session: string, opened: Opened): Tab {
  let report = (): void => {};
  const died = new Promise<void>((resolve) => (report = resolve));
  const { client, loss } = opened;
  const tab: Tab = {
    session,
    opened,
    client,
    state: 'open',
    died,
    kill(how) {
      opened.kill(how);
      if (loss === 'replaced') return;
      tab.state = 'dead';
      if (loss === 'unnoticed') report();
    },
  };
  return tab;
}

/** True for a tab that may write. */
function writes({ state, client }: Tab): boolean {
  return state === 'open' && !client.viewing && !client.isFenced;
}

/** Returns the code of an error of the library, of any realm; empty for another one. */
function codeOf(error: unknown): string {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === 'RoleZeroError' && typeof code === 'string' ? code : '';
}

/** Runs a mixture. Returns what was violated; empty when nothing was. */
export async function runMixture({ operations }: Mixture, world: World): Promise<string[]> {
  const history = new History(world);
  try {
    for (const operation of operations) {
      await history.perform(operation);
      if (history.violations.length > 0) break;
    }
    if (history.violations.length === 0) await history.checkAll('the end');
  } catch (error) {
    history.violations.push(`the mixture failed: ${String(error)} ${(error as Error).stack ?? ''}`);
  } finally {
    await history.end();
  }
  return history.violations;
}

/** The sessions and tabs of a mixture, and what is expected of them. */
export class History {
  readonly violations: string[] = [];
  readonly tabs: Tab[] = [];
  readonly facts = new Map<string, Facts>();
  readonly roles: readonly string[];
  /** Calls that have not settled. */
  readonly #pending = new Map<Promise<unknown>, string>();
  /** The opening of a client: one after the other, so that the last one is known to write. */
  #opening: Promise<Tab | null> = Promise.resolve(null);
  #number = 0;
  /** The disk is or was full. */
  wasFull = false;
  /** The data of the site was cleared. */
  wasCleared = false;

  constructor(readonly world: World) {
    this.roles = roleNames(world.settings);
  }

  /** Returns a number that is not used elsewhere. */
  next(): number {
    return (this.#number += 1);
  }

  async perform(operation: Operation): Promise<void> {
    await this.world.turns(operation.after);
    const work = OPERATION_TABLE[operation.kind](this, operation);
    if (operation.waits || ALONE.has(operation.kind)) await this.limited(operation.kind, work);
    else this.track(operation.kind, work);
  }

  /** Returns the facts of a session. */
  factsOf(session: string): Facts {
    const known = this.facts.get(session) ?? newFacts();
    this.facts.set(session, known);
    return known;
  }

  /** Names of the sessions that exist, the first one always. */
  get names(): string[] {
    return [...new Set(['s1', ...this.facts.keys()])];
  }

  /** Opens a session. Whoever wrote to it before no longer can. */
  open(session: string, how: How = {}): Promise<Tab | null> {
    const opening = this.#opening.then(() => this.#open(session, how));
    this.#opening = opening;
    return opening;
  }

  async #open(session: string, how: How): Promise<Tab | null> {
    const { hasLocks, hasViewers } = this.world;
    const isDead =
      hasLocks && !hasViewers && this.tabs.some((tab) => tab.session === session && tab.state === 'dead');
    const takeOver = how.takeOver === true || isDead; // without browsers, nothing releases the session of a dead worker
    try {
      const opening = this.world.open(session, { ...how, takeOver, shows: how.shows === true });
      const opened = await this.limited('open', opening);
      const tab = tabOf(session, opened);
      if (writes(tab))
        for (const other of this.tabs) if (other.session === session && writes(other)) other.state = 'fenced';
      this.tabs.push(tab);
      this.factsOf(session);
      return tab;
    } catch (error) {
      this.refused('open', error, ['session-busy', 'session-fenced']);
      // A lost session is reported once, also when it was lost while it was being opened.
      const isLost = this.wasCleared && ['storage-lost', 'session-fenced'].includes(codeOf(error));
      return isLost && how.isReported !== true ? this.#open(session, { ...how, isReported: true }) : null;
    }
  }

  /** Clears what is stored, and with it what was promised. Every open client must notice that. */
  async clearData(how: number): Promise<void> {
    const open = this.tabs.filter(writes);
    this.wasCleared = true;
    if (!(await this.world.clearData(how))) return;
    for (const tab of open) {
      const written = await this.call('files.write', tab, () =>
        tab.client.files.write('/lost.txt', '').then(() => true),
      );
      if (written === true && tab.state !== 'dead')
        this.violations.push('a change was stored after the data of the site was cleared');
    }
    await this.#opening; // it may have begun before
    for (const tab of this.tabs) {
      if (tab.state === 'dead' || tab.state === 'closed') continue;
      tab.state = 'closed';
      await this.call('close', tab, () => tab.client.close());
    }
    for (const [name, { requests, clearedRequests }] of this.facts)
      this.facts.set(name, { ...newFacts(), clearedRequests: clearedRequests + requests.size });
  }

  /** Returns a tab that writes, and opens the first one. Sometimes it is one that has lost its session or was closed. */
  async writer({ where }: Operation): Promise<Tab> {
    const late = this.tabs.filter(({ state }) => state === 'fenced' || state === 'closed');
    const open = this.tabs.filter(writes);
    const chosen = late.length > 0 && where % 17 === 0 ? late : open;
    const tab = chosen[where % Math.max(1, chosen.length)];
    return tab ?? (await this.writerOf(this.names[where % this.names.length] ?? 's1'));
  }

  /** Returns the tab that writes to a session, and opens the first one. */
  async writerOf(session: string): Promise<Tab> {
    await this.#opening;
    const known = this.tabs.find((tab) => tab.session === session && writes(tab));
    if (known !== undefined) return known;
    this.world.setDiskFull(false);
    const tab = await this.open(session, { takeOver: true });
    if (tab === null) throw new Error(`${session} cannot be opened`);
    return tab;
  }

  /** Calls a method of a tab, and records a rejection that is not expected. Null when it was rejected. */
  async call<Value>(
    name: string,
    tab: Tab,
    work: () => Promise<Value>,
    expected: readonly string[] = [],
    settle: (fate: Fate) => void = () => {},
  ): Promise<Value | null> {
    const { state } = tab;
    try {
      const value = await this.limited(name, Promise.race([work(), tab.died.then(() => DIED)]));
      if (value === DIED) return null;
      // With false, the client cannot tell whether it was.
      if ((state === 'fenced' || state === 'closed') && CHANGES.has(name) && value !== false)
        this.violations.push(`${name} was accepted by a ${state} tab`);
      settle('stored');
      return value as Value;
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'interrupted' && code !== 'worker-lost') settle('rejected');
      this.refused(name, error, [...OFTEN, ...expected]);
      return null;
    }
  }

  /** Follows a run to its end: its result and its events. */
  follow(name: string, tab: Tab, run: MixedRun, expected: readonly string[] = []): void {
    const events = async (): Promise<void> => {
      for await (const event of run) if (event.type === 'run-end' && event.status === 'failed') break;
    };
    const result = run.result();
    const ends = Promise.allSettled([result, events()]);
    this.track(`the run of ${name}`, Promise.race([ends, tab.died]));
    result.then(
      ({ status, error }) => {
        const isLost = this.wasCleared && error?.code === 'storage-lost';
        if (status === 'failed' && !isLost && !RUN_ERRORS.has(error?.code ?? ''))
          this.violations.push(
            `${name} failed with ${error?.code}: ${String((error as Error | null)?.message)}`,
          );
      },
      (error: unknown) => this.refused(name, error, [...OFTEN, ...expected]),
    );
  }

  refused(name: string, error: unknown, expected: readonly string[]): void {
    const code = codeOf(error);
    if (code === 'storage-full' && this.wasFull) return;
    if (code === 'storage-lost' && this.wasCleared) return;
    if (code === '' || !expected.includes(code))
      this.violations.push(
        `${name} was rejected with ${code}: ${String(error)} ${code === '' ? ((error as Error).stack ?? '') : ''}`,
      );
  }

  track(name: string, work: Promise<unknown>): void {
    this.#pending.set(work, name);
    const forget = (): void => void this.#pending.delete(work);
    work.then(forget, (error: unknown) => {
      forget();
      this.violations.push(`${name} failed: ${String(error)} ${(error as Error).stack ?? ''}`);
    });
  }

  /** Waits until all calls have settled, while nothing makes them wait. */
  async rest(): Promise<void> {
    this.world.setGate(true);
    while (this.#pending.size > 0 && this.violations.length === 0)
      await this.limited([...this.#pending.values()].join(', '), Promise.allSettled(this.#pending.keys()));
    this.world.setGate(false);
  }

  async limited<Value>(name: string, work: Promise<Value>): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`it never settles: ${name}`)), HANGS);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Compares everything that is stored with what is shown and with what was promised. */
  async checkAll(when: string): Promise<void> {
    this.world.setDiskFull(false);
    await this.rest();
    for (const name of this.names) {
      if (this.violations.length > 0) return;
      await checkTab(this, await this.writerOf(name), when);
    }
  }

  async end(): Promise<void> {
    this.world.setGate(true);
    for (const { opened } of this.tabs) opened.kill(0);
    await this.world.end();
  }
}

/** Operations that wait for others, or change which tab may write: the next operation waits for them. */
const ALONE = new Set<string>([
  'check',
  'fork',
  'removeSession',
  'clearData',
  'open',
  'view',
  'takeOver',
  'reload',
  'kill',
]);
const DIED = Symbol('died');
/** Methods that a tab which does not own its session must reject. */
const CHANGES = new Set(['send', 'files.write', 'notes.write', 'attach']);
/** Errors with which a run may end. */
const RUN_ERRORS = new Set(['model-request', 'session-fenced', 'storage-full', 'aborted']);
