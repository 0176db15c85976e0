import 'fake-indexeddb/auto';
import type { RandomState } from '../../../src/core/runtime.js';
import type {
  SessionPosition,
  SessionStore,
  Storage,
  StorageWarning,
  Write,
} from '../../../src/core/store.js';
import { RoleZeroError } from '../../../src/core/error.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import { Dice } from '../simulation/dice.js';
import type { Platform } from '../simulation/platform.js';
import { JournalDisk, SimulatedJournals } from './simulated-journals.js';

/** What happens to the disk while no worker runs. */
const LOSSES = ['nothing', 'wipe', 'roll-back', 'power', 'power and wipe', 'power and roll-back'] as const;
type Loss = (typeof LOSSES)[number];

// Older versions of Node have none: then there are no locks and no files, and only the epoch check protects.
if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

const NAME = 's';
const RANDOM: RandomState = [1, 2, 3, 4];
const VISITS = 5;
/** Tables of the records. Those of the last two quote texts; in the replica, those of the first two quote texts and files. */
const WRITTEN = ['files', 'contents', 'messages', 'roles'] as const;
/** Long enough to be quoted. */
const TEXTS = Array.from({ length: 6 }, (_, number) => `text "${number}"\n`.repeat(600));
/** Milliseconds after which appended data is flushed. Transactions in progress take less than their time limit. */
const FLUSHED = 1_000;
/** Large enough that the replica is rewritten occasionally. */
const LARGE = 'x'.repeat(300_000);

export interface StorageHistory {
  seed: number;
  /** Events between the visits. */
  losses: Loss[];
  restored: number;
  /** Compressed files of the replica. */
  sealed: number;
  violations: string[];
}

/** Values by table and key. */
type Content = ReadonlyMap<string, unknown>;

/** One session on a disk that loses data in every possible way, with the expected state after each. */
export async function simulateStorage(seed: number, platform: Platform): Promise<StorageHistory> {
  platform.reset(seed);
  const history = new History(seed, platform);
  await history.run();
  const { losses, restored, sealed, violations } = history;
  return { seed, losses, restored, sealed, violations };
}

class History {
  readonly losses: Loss[] = [];
  readonly violations: string[] = [];
  restored = 0;
  private readonly dice: Dice;
  private readonly journals = new JournalDisk();
  private readonly databaseName: string;
  /** The content after each commit ever written, by number. */
  private contents: Content[] = [new Map()];
  /** The newest commit that was acknowledged. */
  private acknowledged = 0;
  /** The content after each part of the next commit that was logged. */
  private parts: Content[] = [];
  /** The same of earlier commits, by number. */
  private earlierParts = new Map<number, Content[]>();
  /** The database after the commits, by number. */
  private readonly snapshots = new Map<number, { row: unknown; records: unknown[] }>();
  /** Number of parts whose logging was acknowledged. */
  private logged = 0;
  /** Events since the session was last opened; a power cut counts until the replica is certainly complete again. */
  private since: Loss[] = [];
  /** Data that the page remembers. */
  private position: SessionPosition | null = null;

  constructor(
    seed: number,
    private readonly platform: Platform,
  ) {
    this.dice = new Dice(seed);
    this.databaseName = `storage-${seed}`;
  }

  get sealed(): number {
    return this.journals.sealed;
  }

  async run(): Promise<void> {
    for (let visit = 0; visit < VISITS && this.violations.length === 0; visit++) {
      await this.visit();
      if (this.dice.once(2)) this.journals.settle();
      const loss = this.dice.pick(LOSSES);
      this.losses.push(loss);
      this.since.push(loss);
      if (loss.startsWith('power')) this.journals.losePower(this.dice);
      if (loss.endsWith('wipe')) await this.eraseDatabase();
      if (loss.endsWith('roll-back')) await this.rollBack(this.dice.below(this.contents.length));
    }
    await this.eraseDatabase();
  }

  /** A worker opens the session, verifies its content, writes, and dies. */
  private async visit(): Promise<void> {
    let dies = this.dice.once(3) ? Infinity : this.dice.below(60);
    const isDead = (): boolean => dies < 0;
    const warnings: StorageWarning[] = [];
    const storage = this.storage(() => (dies -= 1) >= 0);
    const store = await this.opened(storage);
    if (store === null) {
      dies = -1;
      return;
    }
    store.listen?.((warning) => void warnings.push(warning));
    await this.compare(store, warnings).catch((error: unknown) => {
      this.violations.push(`after ${this.since.join(', ')} it cannot be read: ${String(error)}`);
    });
    if (this.violations.length > 0) return;
    for (let commits = this.dice.below(12); commits > 0 && !isDead(); commits--) {
      if (this.dice.once(2) && !(await this.log(store, isDead))) break;
      const settles = this.parts.length > 0 && this.dice.once(4);
      const writes = settles ? [] : this.someWrites();
      this.contents[this.acknowledged + 1] = applied(this.newest, writes);
      const purge = this.dice.once(12);
      const stored = settles ? store.settle?.() : store.commit(writes, RANDOM, { purge });
      if ((await unlessDead(stored ?? Promise.resolve(), isDead)) === 'dead') break;
      if (isDead()) break; // Stored, but the worker died before it was acknowledged.
      this.acknowledge();
      await this.remember(this.acknowledged);
      this.since = []; // A commit waits for the replica.
      while (this.dice.once(2) && this.platform.time.goOn(FLUSHED)); // Appended data is flushed.
      if (this.dice.once(3)) this.position = store.position ?? null;
    }
    if (isDead()) return;
    // So does the end of a visit, during which the worker may die as well.
    if (this.dice.once(2)) await this.log(store, isDead);
    if (this.dice.once(2)) {
      if (this.logged > 0) this.contents[this.acknowledged + 1] = this.newest;
      if ((await unlessDead(store.close(), isDead)) !== 'dead' && !isDead()) {
        this.since = [];
        if (this.logged > 0) this.acknowledge();
      }
    }
    dies = -1;
  }

  /** Logs a part of the next commit; returns false when the worker died. */
  private async log(store: SessionStore, isDead: () => boolean): Promise<boolean> {
    const writes = this.someWrites();
    this.parts.push(applied(this.newest, writes));
    const logged = await unlessDead(store.log?.(writes, RANDOM) ?? Promise.resolve(false), isDead);
    if (logged === 'dead' || isDead()) return false;
    if (logged) this.logged = this.parts.length;
    else this.parts.pop();
    return true;
  }

  /** The content that the next write builds on. */
  private get newest(): Content {
    return this.parts.at(-1) ?? this.contents[this.acknowledged] ?? new Map();
  }

  private acknowledge(): void {
    this.acknowledged += 1;
    this.earlierParts.set(this.acknowledged, this.parts);
    this.parts = [];
    this.logged = 0;
  }

  private async opened(storage: Storage): Promise<SessionStore | null> {
    const known = this.position === null ? [] : [this.position];
    try {
      const store = await unlessDead(storage.open(NAME, { takeOver: true, known }), () => false, 400);
      return store === 'dead' ? null : store; // The worker died while it was opening.
    } catch (error) {
      const { code } = error as RoleZeroError;
      if (code !== 'storage-lost' || !this.bothCopiesHit) {
        this.violations.push(`opening after ${this.since.join(', ')} failed: ${String(error)}`);
        return null;
      }
      this.since = [];
      this.position = null; // The user was notified and starts again.
      this.contents = [new Map()];
      this.acknowledged = 0;
      this.parts = [];
      this.logged = 0;
      return null;
    }
  }

  private async compare(store: SessionStore, warnings: StorageWarning[]): Promise<void> {
    const found = new Map<string, unknown>();
    for (const table of WRITTEN)
      for (const { key, value } of await store.load(table)) found.set(`${table} ${key}`, value);
    const head = store.position?.head ?? 0;
    const isNext = head === this.acknowledged + 1;
    const expected = this.contents[head];
    const isWhole = expected !== undefined && same(expected, found);
    // Where the replica has parts of a commit that both copies lost.
    const known = isNext ? this.parts : this.bothCopiesHit ? (this.earlierParts.get(head) ?? []) : [];
    const parts = isWhole ? 0 : 1 + known.findIndex((content) => same(content, found));
    const since = this.since.join(', ');
    const lostPower = this.since.some((loss) => loss.startsWith('power'));
    if (this.logged > 0 && !lostPower && !(isNext && (isWhole || parts >= this.logged)))
      this.violations.push(`after ${since} ${this.logged} logged parts are missing`);
    if (parts > 0) this.contents[head] = found;
    else if (!isWhole) this.violations.push(`after ${since} commit ${head} differs from what was written`);
    if (head < this.acknowledged && !this.bothCopiesHit)
      this.violations.push(`after ${since} ${this.acknowledged - head} acknowledged commits are missing`);
    const seen = this.position?.head ?? 0;
    const reported = warnings.some(({ code }) => code === 'storage-rolled-back');
    const isLess = head < seen || (head === seen && !isNext && parts > 0);
    if (isLess && !reported)
      this.violations.push(`changes up to ${seen - head} commits are missing without a report`);
    if (warnings.some(({ code }) => code === 'storage-restored')) this.restored += 1;
    // Opening does not wait for a replica that must be recreated: a worker that dies before has no replica.
    this.since = this.since.some((loss) => loss.startsWith('power')) ? ['power'] : [];
    this.contents.length = head + 1;
    if (isNext) this.earlierParts.set(head, this.parts);
    this.parts = [];
    this.logged = 0;
    this.acknowledged = head;
    this.position = store.position ?? null;
    for (const number of this.snapshots.keys()) if (number > head) this.snapshots.delete(number);
    await this.remember(head);
  }

  /** The replica lost its newest commits in a power cut, and the database lost something, too. */
  private get bothCopiesHit(): boolean {
    return (
      this.since.some((loss) => loss.startsWith('power')) && this.since.some((loss) => /wipe|roll/.test(loss))
    );
  }

  private storage(instant: () => boolean): Storage {
    return storageWith({
      databaseName: this.databaseName,
      waitMs: 0,
      openMs: 5000,
      transactionMs: 30_000,
      now: () => 0,
      journals: new SimulatedJournals(this.journals, instant),
    });
  }

  private someWrites(): Write[] {
    const some = {
      files: () => this.someFile(),
      contents: () => this.dice.pick(TEXTS),
      messages: () => this.someTexts(),
      roles: () => this.someTexts(),
    };
    return Array.from({ length: 1 + this.dice.below(3) }, (): Write => {
      const table = this.dice.pick(WRITTEN);
      return {
        table,
        key: `/f${this.dice.below(5)}`,
        value: this.dice.once(5) ? undefined : some[table](),
      };
    });
  }

  private someFile(): unknown {
    return { number: this.dice.word(), content: this.dice.once(6) ? LARGE : this.dice.pick(TEXTS) };
  }

  /** Some texts as they are, or as a part of another one. */
  private someTexts(): unknown {
    const text = this.dice.pick(TEXTS);
    const whole = `${this.dice.below(4)} ${JSON.stringify(text)}`;
    return { number: this.dice.word(), text, list: [{ whole }, this.dice.pick([text, whole, ''])] };
  }

  private eraseDatabase(): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(this.databaseName);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error ?? new Error('not deleted'));
    });
  }

  /** Remembers the database as it is after this commit. */
  private async remember(head: number): Promise<void> {
    const database = await openRaw(this.databaseName);
    const records = database.transaction('records').objectStore('records');
    const rows = await resultOf(records.getAll());
    const row: unknown = await resultOf(database.transaction('sessions').objectStore('sessions').get(NAME));
    database.close();
    this.snapshots.set(head, { row, records: rows });
  }

  /** The database as it was after an earlier commit, as a truncated log leaves it. */
  private async rollBack(head: number): Promise<void> {
    const snapshot = this.snapshots.get(head);
    if (snapshot === undefined) return;
    const database = await openRaw(this.databaseName);
    if (!database.objectStoreNames.contains('sessions')) {
      database.close();
      await this.eraseDatabase();
      return;
    }
    const transaction = database.transaction(['sessions', 'records'], 'readwrite');
    const rows = transaction.objectStore('sessions');
    const row = (await resultOf(rows.get(NAME))) as { head: number } | undefined;
    if (row !== undefined && row.head > head) {
      rows.put(snapshot.row);
      const records = transaction.objectStore('records');
      records.clear();
      for (const record of snapshot.records) records.put(record);
    }
    await new Promise<void>((resolve) => (transaction.oncomplete = () => resolve()));
    database.close();
  }
}

function openRaw(name: string): Promise<IDBDatabase> {
  return resultOf(indexedDB.open(name));
}

function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request failed.'));
  });
}

function applied(content: Content, writes: readonly Write[]): Content {
  const next = new Map(content);
  for (const { table, key, value } of writes) {
    if (value === undefined) next.delete(`${table} ${key}`);
    else next.set(`${table} ${key}`, value);
  }
  return next;
}

function same(one: Content, other: Content): boolean {
  const listed = (content: Content): string =>
    JSON.stringify([...content].sort(([a], [b]) => (a < b ? -1 : 1)));
  return listed(one) === listed(other);
}

/**
 * The result of a promise, or the death of its worker once all pending operations had time to settle; at most this
 * many turns of the event loop.
 */
async function unlessDead<Value>(
  work: Promise<Value>,
  isDead: () => boolean,
  turns = Infinity,
): Promise<Value | 'dead'> {
  let left = turns;
  let grace = 20;
  let isOver = false;
  const dead = new Promise<'dead'>((resolve) => {
    const look = (): void => {
      if (isOver) return;
      left -= 1;
      if (isDead()) grace -= 1;
      if (grace <= 0 || left <= 0) resolve('dead');
      else setImmediate(look);
    };
    setImmediate(look);
  });
  try {
    return await Promise.race([work, dead]);
  } finally {
    isOver = true;
  }
}
