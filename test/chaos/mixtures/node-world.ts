import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { RoleZeroError } from '../../../src/core/error.js';
import type { Question } from '../../../src/core/human.js';
import type { SessionStore, Storage } from '../../../src/core/store.js';
import { checkSessionRecord } from '../../../src/core/session-record-check.js';
import { Session, type SessionRun } from '../../../src/session/session.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { Dice } from '../simulation/dice.js';
import { JournalDisk, SimulatedJournals } from '../storage/simulated-journals.js';
import type { Surroundings } from './jobs.js';
import { rolesFor } from './mixed-roles.js';
import type { Settings } from './operations.js';
import { rowsOf } from './rows-of.js';
import type { Effect, MixedClient, MixedRun, Opened, World } from './world.js';

// Older versions of Node have none: then there are no locks and no files, and only the epoch check protects.
if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

/** One worker. */
interface Life {
  isOver: boolean;
}

const never = <Value>(): Promise<Value> => new Promise(() => {});
let databases = 0;

/** Sessions without pages, over Maps or a database with replicas, whose workers can die at any time. */
export class NodeWorld implements World {
  effects: Effect[] = [];
  answers: World['answers'] = [];
  readonly hasViewers = false;
  readonly hasLocks: boolean;
  readonly #dice: Dice;
  readonly #databaseName = `mixture-${++databases}`;
  readonly #journals = new JournalDisk();
  readonly #memory: Storage;
  #isFull = false;
  #clock = 1_700_000_000_000;
  #isOpen = false;
  #waiting: (() => void)[] = [];

  constructor(readonly settings: Settings) {
    this.#dice = new Dice(settings.seed + 1);
    this.hasLocks = settings.storage === 'memory';
    this.#memory = memoryStorage({ now: this.#now });
  }

  readonly #now = (): number => this.#clock;

  async open(session: string, how: Parameters<World['open']>[1]): Promise<Opened> {
    const life: Life = { isOver: false };
    const seen = { isFenced: false };
    const opened = await Session.begin({
      storage: mortal(this.#storage(life), life, () => this.#isFull),
      name: session,
      roles: rolesFor(this.settings, this.#surroundings(session, life)),
      takeOver: how.takeOver === true,
      now: this.#now,
      emit: (event) => {
        if (event.type === 'warning' && event.code === 'session-fenced') seen.isFenced = true;
      },
      askUser: async (question, signal) => (how.shows ? this.#ask(session, question, life, signal) : null),
    });
    return { client: clientOf(opened, seen), loss: 'unnoticed', kill: () => (life.isOver = true) };
  }

  get sessions(): World['sessions'] {
    const storage = this.#storage({ isOver: false });
    return {
      list: () => storage.list(),
      remove: (name) => storage.remove(name),
      removeShared: async (name) => storage.removeShared?.(name),
      export: (name) => storage.export(name),
      import: (document, name) => storage.import(document, name, checkSessionRecord),
    };
  }

  forget(name: string): void {
    this.effects = this.effects.filter(({ session }) => session !== name);
    this.answers = this.answers.filter(({ session }) => session !== name);
  }

  setGate(open: boolean): void {
    this.#isOpen = open;
    if (open) this.openGate();
  }

  openGate(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  setDiskFull(full: boolean): void {
    this.#isFull = full;
  }

  async clearData(): Promise<boolean> {
    if (this.settings.storage === 'memory') return false;
    this.#journals.folders.clear();
    const exists = (await indexedDB.databases()).some(({ name }) => name === this.#databaseName);
    if (!exists) return true;
    const database = await openDB(this.#databaseName);
    const stores = [...database.objectStoreNames];
    const transaction = database.transaction(stores, 'readwrite');
    await Promise.all(stores.map((store) => transaction.objectStore(store).clear()));
    await transaction.done;
    database.close();
    return true;
  }

  turnClock(milliseconds: number): void {
    this.#clock += milliseconds;
  }

  async turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  async remainsOf(session: string): Promise<string[]> {
    if (this.settings.storage === 'memory')
      return (await this.#memory.list()).some(({ name }) => name === session) ? [`row ${session}`] : [];
    const rows = await rowsOf(session, this.#databaseName);
    return this.#journals.folders.has(session) ? [...rows, `replica ${session}`] : rows;
  }

  async end(): Promise<void> {
    if (this.settings.storage === 'database') indexedDB.deleteDatabase(this.#databaseName);
  }

  #storage(life: Life): Storage {
    if (this.settings.storage === 'memory') return this.#memory;
    return storageWith({
      databaseName: this.#databaseName,
      waitMs: 0,
      openMs: 60_000,
      transactionMs: 60_000,
      now: this.#now,
      journals: new SimulatedJournals(this.#journals, () => !life.isOver),
    });
  }

  #surroundings(session: string, life: Life): Surroundings {
    const unlessDead = async (work: Promise<void>): Promise<void> => {
      await work;
      if (life.isOver) await never();
    };
    return {
      gate: () => unlessDead(this.#gate()),
      pause: () => unlessDead(this.turns(this.#dice.below(6))),
      mail: async (what) => {
        if (!life.isOver) this.effects.push({ session, what });
      },
    };
  }

  #gate(): Promise<void> {
    return this.#isOpen ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** A user who answers when the gate opens; sometimes not at all. */
  async #ask(session: string, question: Question, life: Life, signal: AbortSignal): Promise<string | null> {
    await this.#gate();
    if (life.isOver || signal.aborted) return null;
    if (this.#dice.once(4)) return null;
    const answer = this.#dice.once(4) ? 'no' : 'yes';
    this.answers.push({ session, question, answer });

    return answer;
  }
}

/** A store whose worker may die: its calls then never settle. Nothing but removals can be stored while the disk is full. */
function mortal(storage: Storage, life: Life, isFull: () => boolean): Storage {
  const unlessDead = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (life.isOver) return never();
    try {
      const value = await work();
      return life.isOver ? await never() : value;
    } catch (error) {
      if (life.isOver) return never();
      throw error;
    }
  };
  const needsRoom = (): void => {
    if (isFull()) throw new RoleZeroError('storage-full', 'The disk is full: simulated.', {});
  };
  return {
    ...storage,
    list: () => storage.list(),
    remove: (name) => storage.remove(name),
    import: (document, name, check) => storage.import(document, name, check),
    export: (name) => unlessDead(() => storage.export(name)),
    async open(name, options) {
      const store = await storage.open(name, options);
      const proxy: SessionStore = new Proxy(store, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key, target);
          if (typeof value !== 'function') return value;
          if (key === 'listen') return value.bind(target) as unknown;
          return (...args: unknown[]) =>
            unlessDead(async () => {
              const [writes, , how] = args as Parameters<SessionStore['commit']>;
              const frees = how?.purge === true && writes.every((write) => write.value === undefined);
              if ((key === 'commit' && !frees) || key === 'log') needsRoom();
              return (value as (...all: unknown[]) => Promise<unknown>).apply(target, args);
            });
        },
      });
      return proxy;
    },
  };
}

/** Returns the methods of a group, which wait until the session is read, as in a worker. */
function whenLoaded<Group extends object>(session: Session, group: Group): Group {
  const methods = Object.entries(group).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    name === 'watch' ? method : async (...args: unknown[]) => (await session.loaded(), method(...args)),
  ]);
  return Object.fromEntries(methods) as Group;
}

function clientOf(session: Session, seen: { isFenced: boolean }): MixedClient {
  const run = (starting: Promise<SessionRun>): MixedRun => {
    const result = starting.then(async (started) => started.result);
    result.catch(() => {});
    return {
      accepted: async () => (await starting, true),
      result: () => result,
      async *[Symbol.asyncIterator]() {
        const { id } = await starting;
        yield { type: 'run-start', runId: id, request: '', resumed: false };
        await result;
      },
    };
  };
  return {
    name: session.name,
    get waiting() {
      return session.waiting;
    },
    get resumable() {
      return session.resumable;
    },
    get viewing() {
      return session.isReadOnly;
    },
    get isFenced() {
      return seen.isFenced;
    },
    get isRunning() {
      return session.running !== null;
    },
    get lastRun() {
      return session.lastRun;
    },
    files: whenLoaded(session, session.files),
    memory: whenLoaded(session, session.memory),
    notes: whenLoaded(session, session.notes),
    send: (text, { to, attach }) =>
      run(
        session.send(text, {
          ...(to === undefined ? {} : { to }),
          ...(attach === undefined
            ? {}
            : { attached: { note: `See ${attach.path}.`, images: [], untrusted: [], files: [attach] } }),
        }),
      ),
    resume: () => run(session.resume()),
    stop: async () => session.stop(),
    answer: async (id, text) => {
      await session.loaded();
      await session.answer(id, text);
    },
    messages: (role) => session.newest(role),
    plan: async (role) => session.plan(role),
    steps: (role) => session.steps(role),
    inspect: async () => session.inspect(),
    usage: async () => session.usage(),
    export: () => session.export(),
    close: () => session.close(),
  };
}
