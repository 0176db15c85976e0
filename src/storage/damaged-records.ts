import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { RecordPlace, StorageWarning, Write } from '../core/store.js';
import type { Database } from './database.js';
import type { SessionContent } from './journal-reading.js';
import { storedRow } from './records.js';
import { checkFence, type SessionRow } from './session-row.js';
import { quotedIn, restoreQuotes, type StoredWrite } from './texts.js';
import type { Warnings } from './warnings.js';

/** Checks a record as opening a session requires it. @throws RoleZeroError `invalid` when it is damaged. */
export type CheckRecord = (record: Write) => void;

/** Maximum number of records that a warning lists. */
const MAX_LISTED = 10;

/** Where records are restored. */
interface Restoring {
  readonly database: Database;
  readonly warnings: Warnings;
  readonly check: CheckRecord;
}

/** Restores damaged records of a session from its replica, and reports them. */
export class DamagedRecords {
  readonly #session: string;
  readonly #at: Restoring;
  readonly #row: () => SessionRow;
  readonly #readReplica: () => Promise<SessionContent | null>;
  /** Records that cannot be restored. They are reported once. */
  readonly #lost = new Set<string>();

  /** @param row Returns the row of the last commit. @param readReplica Reads the replica up to that commit; null when it lacks it. */
  constructor(
    session: string,
    at: Restoring,
    row: () => SessionRow,
    readReplica: () => Promise<SessionContent | null>,
  ) {
    this.#session = session;
    this.#at = at;
    this.#row = row;
    this.#readReplica = readReplica;
  }

  isDamaged(record: Write): boolean {
    try {
      this.#at.check(record);
      return false;
    } catch (error) {
      if (error instanceof RoleZeroError && error.code === 'invalid') return true;
      throw error;
    }
  }

  /** Restores damaged records. Returns whether one was restored. Nothing else may be written meanwhile. */
  async restore(damaged: readonly RecordPlace[]): Promise<boolean> {
    const wanted = damaged.filter((place) => !this.#lost.has(recordName(place)));
    if (wanted.length === 0) return false;
    const content = await this.#readReplica().catch(() => null);
    const replica = new Map(content?.writes.map((write) => [recordName(write), write]));
    const found = wanted.map((place) => ({ place, writes: this.#intactWrites(place, replica) }));
    const restored = found.filter(({ writes }) => writes.length > 0);
    const lost = found.filter(({ writes }) => writes.length === 0).map(({ place }) => place);
    if (restored.length > 0) {
      await this.#store(restored.flatMap(({ writes }) => writes));
      this.#warn(
        'storage-restored',
        restored.map(({ place }) => place),
        'were damaged in the database. They were restored from its replica.',
      );
    }
    this.reportLost(lost);
    return restored.length > 0;
  }

  /** Reports damaged records of which there is no replica, each once. */
  reportLost(damaged: readonly RecordPlace[]): void {
    const lost = damaged.filter((place) => !this.#lost.has(recordName(place)));
    if (lost.length === 0) return;
    for (const place of lost) this.#lost.add(recordName(place));
    this.#warn(
      'storage-corrupt',
      lost,
      'are damaged, and there is no intact replica of them. They are left out, or calls that need them fail. Write them again, or restore an export with sessions.import().',
    );
  }

  /** Returns a record of the replica after the texts that it quotes; empty when it is missing or damaged there. */
  #intactWrites(place: RecordPlace, replica: ReadonlyMap<string, StoredWrite>): StoredWrite[] {
    const write = replica.get(recordName(place));
    if (write === undefined) return [];
    const textOf = (key: string) => replica.get(recordName({ table: 'texts', key }));
    try {
      const value = restoreQuotes(structuredClone(write), { get: (key) => textOf(key)?.value });
      if (this.isDamaged({ ...place, value })) return [];
    } catch {
      return [];
    }
    return [...[...quotedIn([write])].flatMap((key) => textOf(key) ?? []), write];
  }

  /** Stores records without a commit. */
  #store(writes: readonly StoredWrite[]): Promise<void> {
    const session = this.#session;
    return this.#at.database.write(async (transaction) => {
      checkFence(await storedRow(transaction, session), this.#row());
      const records = transaction.objectStore('records');
      for (const { table, key, value, quotes } of writes)
        await records.put({ session, table, key, value, ...defined({ quotes }) });
    });
  }

  #warn(code: StorageWarning['code'], places: readonly RecordPlace[], what: string): void {
    const session = this.#session;
    const listed = places.slice(0, MAX_LISTED).map(recordName);
    const more = places.length > MAX_LISTED ? ` and ${places.length - MAX_LISTED} more` : '';
    this.#at.warnings.tell(session, {
      code,
      message: `Records of session '${session}' ${what} The records: ${listed.join(', ')}${more}.`,
      detail: { session, records: places.length, listed },
    });
  }
}

/** Names a record in messages, and in maps. */
function recordName({ table, key }: RecordPlace): string {
  return `${table}/${key}`;
}
