import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { RunFacts } from '../core/events.js';
import type { ChangeOrigin, FileHistoryEntry, UserChanges } from '../core/files.js';
import { isRecord } from '../core/json.js';
import type { Freeable } from '../core/space.js';
import { numberKey } from '../core/number-key.js';
import type { Write } from '../core/store.js';
import { Content, type ContentRows, type FileContent, type Slice } from './content.js';
import type { Entry } from './file-tree.js';
import { joined, keysOf } from './slices.js';
import type { ReadContents } from './stored-content.js';
import { UndoneChanges } from './undone.js';

/** Limits of the history of a session's files; the oldest changes are removed first. */
export interface HistoryLimits {
  /** Bytes of earlier contents. A single change that needs more is recorded, but cannot be undone. */
  historyBytes: number;
}

export const DEFAULT_HISTORY_LIMITS: HistoryLimits = { historyBytes: 64 * 1024 * 1024 };

/** Maximum number of changes, and of changed paths in all of them. */
const MAX_HISTORY_ENTRIES = 1_000;
const MAX_CHANGES = 30_000;

/** The state of a path, with its content identified by hash. */
export interface Version {
  type: 'file' | 'directory';
  hash: string;
  /** Key of the stored content; absent when it is the hash, or has several rows. */
  key?: string;
  /** The parts of rows that make up the content. */
  slices?: readonly Slice[];
  /** Bytes. */
  size: number;
  /** See `Entry`. */
  untrusted?: readonly string[];
}

/** The change of one path; null where nothing existed before or after. */
export interface PathChange {
  path: string;
  before: Version | null;
  after: Version | null;
}

/** One change of the files as it is stored. */
export interface HistoryRecord extends Omit<FileHistoryEntry, 'step' | 'paths' | 'undone' | 'undonePaths'> {
  number: number;
  changes: PathChange[];
  /** True when its earlier contents exceeded the limit and were not stored. */
  lost: boolean;
  /** Numbers of the changes that it undid, and of those that it did again. */
  undoes: number[];
  redoes?: number[];
  /** Where it did that only for a part: these paths. */
  only?: string[];
  /** It restored all files as they were after the change with this number: those between the two belong to another branch. */
  restores?: number;
  /** What the user had changed before that, and what therefore differs from that state. */
  carries?: PathChange[];
}

/** The changes that a change undoes or restores. */
export type ChangeRelation = Partial<
  Pick<HistoryRecord, 'undoes' | 'redoes' | 'only' | 'restores' | 'carries'>
>;

/** A path whose entry is replaced. */
export interface Difference {
  path: string;
  before: Entry | undefined;
  after: Entry | undefined;
}

/**
 * The changes of the files, and their earlier contents. Each content is stored once, as long as a change or a file needs it, and is not held
 * in memory. The content that an entry produced is also available: it is either current, or stored by the next entry.
 */
export class FileHistory {
  readonly #limits: HistoryLimits;
  readonly #read: ReadContents;
  readonly #records: HistoryRecord[] = [];
  /** Stored contents by their keys, with the number of changes that need each. */
  readonly #contents = new Map<string, { size: number; uses: number }>();
  #bytes = 0;
  #changes = 0;
  #next = 1;

  constructor(limits: HistoryLimits, read: ReadContents) {
    this.#limits = limits;
    this.#read = read;
  }

  /** Sets the number of the last stored change, before its rows are restored. */
  continueAt(last: number): void {
    this.#next = last + 1;
  }

  /** Restores the stored rows. @throws RoleZeroError `storage-corrupt` naming the row that cannot be read. */
  restore(rows: readonly { key: string; value: unknown }[]): void {
    for (const { key, value } of rows) {
      const record = readHistoryRecord(key, value);
      this.#records.push(record);
      this.#next = Math.max(this.#next, record.number + 1);
      this.#count(record);
    }
    this.#records.sort((one, other) => one.number - other.number);
  }

  /** Number of the last change; 0 before the first one. */
  get last(): number {
    return this.#next - 1;
  }

  /** Number of the last change that restored a state; 0 when none did. */
  get lastRestored(): number {
    return this.#records.findLast(({ restores }) => restores !== undefined)?.number ?? 0;
  }

  /** Returns whether the state of the files after the change with this number is known. */
  reaches(number: number): boolean {
    return number >= (this.#records[0]?.number ?? this.#next) - 1;
  }

  /** The changes after a number that led to the present state, newest first: without those of other branches. */
  *#line(after: number): Generator<HistoryRecord> {
    let at = this.#records.length - 1;
    for (let record = this.#records[at]; record !== undefined && record.number > after;) {
      const { restores, carries } = record;
      if (restores === undefined) yield record;
      else if (carries !== undefined) yield { ...record, changes: carries };
      at = restores === undefined ? at - 1 : this.#records.findLastIndex(({ number }) => number <= restores);
      record = this.#records[at];
    }
  }

  /** Returns the entries, oldest first. Those of other branches count as undone. */
  entries(): FileHistoryEntry[] {
    const isHere = new Set(this.#line(0));
    const undone = this.undone();
    return this.#records.map((record) => {
      const { id, by, name, role, at, changes } = record;
      const paths = changes.flatMap(({ path, before, after }) =>
        before?.type === 'file' || after?.type === 'file' ? [path] : [],
      );
      const isUndone = (path: string): boolean => !isHere.has(record) || undone.has(record, path);
      const states = {
        undone: !isHere.has(record) || undone.hasAll(record),
        undonePaths: paths.filter(isUndone),
      };
      return { id, step: stepOf(id, by), by, name, role, at, paths, ...states };
    });
  }

  /** See `Workspace`. Takes time linear in the number of newer changes. */
  changedByUser(after: number): UserChanges {
    const left = new Map<string, PathChange>();
    for (const { by, changes } of [...this.#line(after)].reverse()) {
      for (const change of by === 'user' ? changes : []) left.set(change.path, change);
    }
    const files = [...left.values()].filter(({ before, after: now }) => (now ?? before)?.type === 'file');
    const isStrange = ({ before, after: now }: PathChange): boolean =>
      [before, now].some((version) => version?.untrusted !== undefined && version.untrusted.length > 0);
    const own = files.filter((change) => !isStrange(change));
    return {
      upTo: this.#next - 1,
      changes: own
        .map(({ path, after: now }) => ({
          path,
          change: now === null ? ('removed' as const) : ('written' as const),
        }))
        .sort((one, other) => (one.path < other.path ? -1 : 1)),
      strange: files.length - own.length,
    };
  }

  /** See `Workspace`. */
  changedByRoles(after: number): RunFacts['files'] {
    const files = new Map<string, PathChange>();
    const undone = this.undone();
    for (const record of [...this.#line(after)].reverse()) {
      for (const change of record.by === 'agent' ? record.changes : [])
        if (!undone.has(record, change.path))
          files.set(change.path, { ...change, before: files.get(change.path)?.before ?? change.before });
    }
    return [...files.values()]
      .filter(({ before, after: now }) => (now ?? before)?.type === 'file')
      .map(({ path, before, after: now }) => ({
        path,
        change:
          now === null ? ('removed' as const) : before === null ? ('created' as const) : ('changed' as const),
      }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** See `Workspace`. */
  pathsChangedBy(role: string): ReadonlySet<string> {
    const own = [...this.#line(0)].filter((record) => record.role === role);
    return new Set(own.flatMap(({ changes }) => changes.map(({ path }) => path)));
  }

  /** See `Workspace`. */
  lastOriginOf(path: string): Pick<FileHistoryEntry, 'id' | 'name' | 'role'> | null {
    for (const record of this.#line(0))
      for (const change of record.changes) if (change.path === path) return record;
    return null;
  }

  /** Returns the changes that led to the present state, newest first: without those of other branches. */
  line(): HistoryRecord[] {
    return [...this.#line(0)];
  }

  /** Returns which of these are undone. */
  undone(): UndoneChanges {
    return new UndoneChanges(this.line().reverse());
  }

  /** Returns the entry with this id, and all whose ids start with it and a dot, oldest first, including undone ones. */
  named(id: string): HistoryRecord[] {
    return this.#records.filter((record) => record.id === id || record.id.startsWith(`${id}.`));
  }

  /** Returns the first change of each path after an entry: its `before` is the state that the entry left. */
  since(number: number): Map<string, PathChange> {
    const first = this.#records.findLastIndex((record) => record.number <= number) + 1;
    const changes = this.#records.slice(first).flatMap((record) => record.changes);
    return new Map(changes.reverse().map((change) => [change.path, change]));
  }

  /** Returns the last change of a path before an entry; undefined when it is not known. */
  previous(path: string, number: number): PathChange | undefined {
    const earlier = this.#records.findLast(
      (record) => record.number < number && record.changes.some((change) => change.path === path),
    );
    return earlier?.changes.find((change) => change.path === path);
  }

  /** Returns the content of a version; null when it is not stored. */
  async content(version: Version): Promise<Content | null> {
    const { hash, size } = version;
    if (size === 0) return new Content('');
    const rows = this.#storedRows(version);
    if (rows === null) return null;
    const values = new Map((await this.#read(keysOf(rows))).map(({ key, value }) => [key, value]));
    const stored = joined(rows, (key) => values.get(key));
    if (stored === null) return null;
    const content = new Content(stored);
    return content.hash() === hash ? content : null;
  }

  /** Returns the rows of a stored content that equals a version: a file may have been written again with the same content. */
  #storedRows(version: Version): ContentRows | null {
    const own = this.#neededRows(version);
    if (own !== null) return own;
    for (const { changes } of this.#records)
      for (const { before } of changes) {
        const rows = before !== null && sameVersion(before, version) ? this.#neededRows(before) : null;
        if (rows !== null) return rows;
      }
    return null;
  }

  #neededRows(version: Version): ContentRows | null {
    const rows = contentRows(version);
    return keysOf(rows).every((key) => this.needs(key)) ? rows : null;
  }

  /** Returns whether a change needs the content with this key. */
  needs(key: string): boolean {
    return this.#contents.has(key);
  }

  /** Returns the keys of the contents that changes mention. */
  contentKeys(): string[] {
    const versions = this.#records.flatMap(({ changes }) =>
      changes.flatMap(({ before, after }) => [before, after]),
    );
    return versions.flatMap((version) => (version === null ? [] : keysOf(contentRows(version))));
  }

  /**
   * Records a change that is about to be stored. `isUsed` returns whether a file has the content with a key after the change.
   * @returns the writes to store with it; empty when nothing changed.
   */
  record(
    differences: readonly Difference[],
    origin: ChangeOrigin,
    at: number,
    { undoes = [], redoes, only, restores, carries }: ChangeRelation,
    isUsed: (key: string) => boolean,
  ): Write[] {
    const changes: PathChange[] = [];
    const contents = new Map<string, FileContent>();
    for (const { path, before, after } of differences) {
      const change = { path, before: versionOf(before), after: versionOf(after) };
      if (sameVersion(change.before, change.after)) continue;
      changes.push(change);
      if (before !== undefined && before.content.size > 0)
        contents.set(identityOf(before.content), before.content);
    }
    const isNoted = restores !== undefined || undoes.length > 0 || redoes !== undefined;
    if (changes.length === 0 && !isNoted) return [];
    const number = this.#next++;
    const { by, name, role = '', id = `${by}-${number}` } = origin;
    const bytes = [...contents.values()].reduce((sum, { size }) => sum + size, 0);
    const lost = bytes > this.#limits.historyBytes;
    const record: HistoryRecord = {
      ...{ number, id, by, name, role, at, changes, lost, undoes },
      ...defined({ redoes, only, restores, carries }),
    };
    const writes: Write[] = [{ table: 'history', key: numberKey(number), value: record }];
    if (!lost) {
      // Also those that other changes need: the commit that was to store them may have been rejected.
      for (const [key, content] of contents)
        if (content instanceof Content) writes.push({ table: 'contents', key, value: content.stored });
    }
    this.#records.push(record);
    this.#count(record);
    return [...writes, ...this.#forget(isUsed)];
  }

  /** Returns what could be removed to free space. `isUsed` returns whether a file has the content with a key. */
  freeable(isUsed: (key: string) => boolean): Freeable['history'] {
    const bytes = [...this.#contents].reduce((sum, [key, { size }]) => sum + (isUsed(key) ? 0 : size), 0);
    return { entries: this.#records.length, bytes };
  }

  /** Removes all but the newest entries, at least one of which remains. Returns the writes to store. */
  forget(keep: number, isUsed: (key: string) => boolean): Write[] {
    return this.#forget(isUsed, (left) => left > Math.max(1, keep));
  }

  /** Removes the oldest entries until the rest is within the limits or no longer too many, with contents that are no longer needed. */
  #forget(
    isUsed: (key: string) => boolean,
    isTooMuch = (entries: number): boolean =>
      entries > MAX_HISTORY_ENTRIES || this.#changes > MAX_CHANGES || this.#bytes > this.#limits.historyBytes,
  ): Write[] {
    const writes: Write[] = [];
    while (this.#records.length > 1 && isTooMuch(this.#records.length)) {
      const oldest = this.#records.shift();
      if (oldest === undefined) break;
      writes.push({ table: 'history', key: numberKey(oldest.number), value: undefined });
      this.#changes -= oldest.changes.length;
      for (const key of neededBy(oldest).keys()) {
        const content = this.#contents.get(key);
        if (content === undefined || --content.uses > 0) continue;
        this.#contents.delete(key);
        this.#bytes -= content.size;
        if (!isUsed(key)) writes.push({ table: 'contents', key, value: undefined });
      }
    }
    return writes;
  }

  #count(record: HistoryRecord): void {
    this.#changes += record.changes.length;
    for (const [key, size] of neededBy(record)) {
      const content = this.#contents.get(key);
      if (content !== undefined) content.uses += 1;
      else {
        this.#contents.set(key, { size, uses: 1 });
        this.#bytes += size;
      }
    }
  }
}

/** Returns an entry of the files in the form that the history stores. */
export function versionOf(
  entry: Pick<Entry, 'type' | 'content' | 'untrusted'> | null | undefined,
): Version | null {
  if (entry === undefined || entry === null) return null;
  const { type, content, untrusted } = entry;
  const { rows, size } = content;
  const stored = rows === undefined ? {} : 'key' in rows ? { key: rows.key } : { slices: rows.slices };
  return { type, hash: type === 'file' ? content.hash() : '', size, ...stored, ...defined({ untrusted }) };
}

export function sameVersion(one: Version | null, other: Version | null): boolean {
  if (one === null || other === null) return one === other;
  return one.type === other.type && one.hash === other.hash && one.size === other.size;
}

/** Returns the key under which a short content is stored, or names the rows of a long one. */
function identityOf(content: FileContent): string {
  const { rows } = content;
  return rows === undefined ? content.hash() : keysOf(rows).join();
}

function contentRows({ key, slices, hash }: Version): ContentRows {
  return slices === undefined ? { key: key ?? hash } : { slices, weight: Infinity };
}

/** Returns the keys and sizes of the contents that undoing an entry needs. */
function neededBy({ changes, lost }: HistoryRecord): Map<string, number> {
  const needed = new Map<string, number>();
  for (const { before } of lost ? [] : changes)
    if (before !== null && before.size > 0)
      for (const [key, size] of sizesOf(before)) needed.set(key, Math.max(size, needed.get(key) ?? 0));
  return needed;
}

/** Returns the sizes of the rows of a version, as far as it uses them. */
function sizesOf(version: Version): Map<string, number> {
  const { slices, size } = version;
  const sizes = new Map<string, number>();
  for (const [key, , length] of slices ?? [[keysOf(contentRows(version))[0] ?? '', 0, size] as const])
    sizes.set(key, (sizes.get(key) ?? 0) + length);
  return sizes;
}

/** The id of a command ends with its position in the step. */
function stepOf(id: string, by: HistoryRecord['by']): string {
  return by === 'user' ? id : id.slice(0, Math.max(0, id.lastIndexOf('.'))) || id;
}

function readHistoryRecord(key: string, value: unknown): HistoryRecord {
  if (isRecord(value) && numberKey(Number(value['number'])) === key && Array.isArray(value['changes']))
    return structuredClone(value) as unknown as HistoryRecord;
  throw new RoleZeroError(
    'storage-corrupt',
    `The stored change of files ${JSON.stringify(key)} cannot be read.`,
    {
      key,
    },
  );
}
