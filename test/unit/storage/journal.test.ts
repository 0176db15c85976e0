import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Write } from '../../../src/core/store.js';
import { SessionJournal, type ReadWhole } from '../../../src/storage/journal.js';
import { readJournal, tailOf } from '../../../src/storage/journal-reading.js';
import { newRow, type SessionRow } from '../../../src/storage/session-row.js';
import { put } from '../../contracts/records.js';
import { MemoryFolder } from './memory-folder.js';

const row: SessionRow = { ...newRow('s', 0), head: 7, epoch: 1 };
const files: Write[] = Array.from({ length: 50 }, (_, number) =>
  put('files', `/${number}`, 'x'.repeat(1_000)),
);

// Files are text, as in browsers that cannot compress and in earlier releases.
beforeEach(() => vi.stubGlobal('CompressionStream', undefined));
afterEach(() => vi.unstubAllGlobals());

/** Yields ten files at a time; fails after `broken` chunks and restarts, once. */
const inTens =
  (broken = 0): ReadWhole =>
  async (take) => {
    for (let piece = 0; piece < broken; piece++) take(files.slice(0, 10), piece);
    for (let piece = 0; piece < 5; piece++) take(files.slice(10 * piece, 10 * piece + 10), piece);
    return row;
  };

async function open(folder: MemoryFolder, readWhole = inTens(), now = row) {
  const faults: unknown[] = [];
  const names = await folder.names();
  const tail = await tailOf(folder, names);
  const journal = await SessionJournal.open(
    folder,
    { names, tail, recovered: null },
    now,
    readWhole,
    (error) => faults.push(error),
  );
  return { journal, faults };
}

describe('a complete copy', () => {
  it('is written and read in chunks: never a whole session in one text', async () => {
    const folder = new MemoryFolder();
    const { journal } = await open(folder);
    await journal.close();
    expect(await readJournal(folder)).toEqual({ row, writes: files });
    expect((await tailOf(folder, await folder.names()))?.row).toEqual(row);
    expect(folder.longest).toBeLessThan(12_000);
  });

  it('is the latest snapshot when reading restarts', async () => {
    const folder = new MemoryFolder();
    await (await open(folder, inTens(3))).journal.close();
    expect(await readJournal(folder)).toEqual({ row, writes: files });
  });

  it('is ignored while a chunk is missing', async () => {
    const folder = new MemoryFolder();
    await (await open(folder)).journal.close();
    // As after a crash in the middle: the completion marker is written last, into a separate file.
    for (const log of (await folder.names()).filter((each) => each.endsWith('.log')))
      folder.files.set(log, '');
    const name = (await folder.names()).find((each) => each.endsWith('.whole')) ?? '';
    const text = folder.files.get(name) ?? '';
    const lines = text.split('\n');
    expect(lines).toHaveLength(7); // Five chunks, the completion marker, and nothing after it.
    for (let cut = 0; cut < 6; cut++) {
      folder.files.set(name, lines.filter((_, line) => line !== cut).join('\n'));
      expect(
        [await readJournal(folder), await tailOf(folder, await folder.names())],
        `without line ${cut}`,
      ).toEqual([null, null]);
    }
  });
});

describe('the end of a long file', () => {
  afterEach(() => void vi.useRealTimers());

  /** Logs parts and commits after the whole copy. Returns the last row. */
  async function written(folder: MemoryFolder, commits: number): Promise<SessionRow> {
    const { journal } = await open(folder);
    let last = row;
    for (let commit = 0; commit < commits; commit++) {
      last = { ...last, head: last.head + 1 };
      journal.log(last, [put('messages', `m${commit}`, 'ü'.repeat(2_000))]);
      journal.append(last, [put('files', `/${commit}`, 'y'.repeat(3_000))]);
    }
    await journal.close();
    return last;
  }

  it('is enough to find the last commit with its parts', async () => {
    const folder = new MemoryFolder();
    const last = await written(folder, 100);
    folder.bytesRead = 0;
    const tail = await tailOf(folder, await folder.names());
    expect(folder.bytesRead).toBe(10_000);
    expect(tail).toEqual({ row: last, whole: false, purge: false, writes: tail?.writes });
    expect(tail?.writes.map(({ key }) => key)).toEqual(['m99', '/99']);
  });

  it('does not hide that a line before it is damaged: the replica is rewritten soon after the opening', async () => {
    const folder = new MemoryFolder();
    const last = await written(folder, 20);
    const [log = ''] = (await folder.names()).filter(
      (name) => name.endsWith('.log') && folder.files.get(name),
    );
    folder.files.set(log, (folder.files.get(log) ?? '').replace('yyy', 'yzy'));
    expect((await readJournal(folder))?.row.head).toBeLessThan(last.head);
    vi.useFakeTimers();
    const whole: ReadWhole = async (take) => {
      take(files, 0);
      return last;
    };
    const { journal, faults } = await open(folder, whole, last);
    expect((await readJournal(folder))?.row.head).toBeLessThan(last.head);
    await vi.advanceTimersByTimeAsync(10_000);
    await journal.close();
    expect(await readJournal(folder)).toEqual({ row: last, writes: files });
    expect(faults).toEqual([]);
  });
});

describe('a complete copy whose worker died before it removed what the copy replaces', () => {
  it('comes after the older files: a part logged there belongs to a commit that the copy contains', async () => {
    const folder = new MemoryFolder();
    const { journal } = await open(folder);
    journal.log({ ...row, head: 8 }, [put('files', '/part', '')]);
    await journal.close();
    const next = { ...row, head: 8, epoch: 2 };
    const later = new MemoryFolder();
    await (await open(later, async (take) => (take(files, 0), next), next)).journal.close();
    for (const [name, text] of later.files) folder.files.set(name, name.endsWith('.whole') ? text : '');
    const tail = await tailOf(folder, await folder.names());
    expect([tail?.isPending, tail?.row]).toEqual([undefined, next]);
  });
});

describe('a copy whose beginning is lost', () => {
  it('is rewritten even with a recent end: a power cut can lose the copy and keep later entries', async () => {
    const folder = new MemoryFolder();
    const { journal } = await open(folder);
    await journal.close();
    for (const name of await folder.names()) if (name.endsWith('.whole')) folder.files.delete(name);
    expect((await tailOf(folder, await folder.names()))?.row).toEqual(row);
    expect(await readJournal(folder)).toBeNull();
    await (await open(folder)).journal.close();
    expect(await readJournal(folder)).toEqual({ row, writes: files });
  });
});

describe('a replica without space', () => {
  it('is removed rather than stale, and is rewritten once there is space', async () => {
    const folder = new MemoryFolder();
    let now = row;
    const readWhole: ReadWhole = async (take) => {
      take(files, 0);
      return now;
    };
    const { journal, faults } = await open(folder, readWhole);
    folder.room = 60_000;
    now = { ...row, head: 8 };
    journal.append(now, [put('files', '/secret', 'the secret')], false);
    await journal.purge(); // No space for a second copy next to the first.
    expect([...folder.files.values()].join('')).not.toContain('secret');
    expect(await readJournal(folder)).toEqual({ row: now, writes: files });
    expect(faults).toHaveLength(1);

    folder.room = 20_000;
    await journal.purge();
    expect(await readJournal(folder)).toBeNull();
    now = { ...row, head: 9 };
    journal.append(now, []);
    expect(await readJournal(folder)).toBeNull();

    folder.room = Infinity;
    await journal.purge();
    await journal.close();
    expect(await readJournal(folder)).toEqual({ row: now, writes: files });
  });

  it('does not take over what the browser has lost', async () => {
    const folder = new MemoryFolder();
    const { journal } = await open(folder);
    const last = { ...row, head: 8 };
    journal.append(last, [put('files', '/new', 'text')]);
    await journal.purge(); // reads a database that was rolled back to the commit before
    await journal.close();
    expect((await readJournal(folder))?.row).toEqual(last);
  });
});

describe('a complete copy that is written while commits are stored', () => {
  const at = (head: number): SessionRow => ({ ...row, head });
  const record = (key: string, text: string): Write => put('files', key, text);

  /** Copies records of which a commit changes those before and behind the piece that is read. `between` runs then. */
  async function copied(folder: MemoryFolder, between: (journal: SessionJournal) => void | Promise<void>) {
    let begin = (): void => {};
    const first = new Promise<void>((resolve) => (begin = resolve));
    const opened: { journal?: SessionJournal } = {};
    let copies = 0;
    const readWhole: ReadWhole = async (take) => {
      if (copies++ === 0) {
        take([record('/a', 'one'), record('/b', 'one'), record('/c', 'one')], 0);
        return row;
      }
      take([record('/a', 'one')], 0);
      await first;
      // The commit is stored here, and appended later.
      take([record('/b', 'two'), record('/d', 'new')], 1);
      return at(8);
    };
    opened.journal = (await open(folder, readWhole)).journal;
    const copying = opened.journal.purge();
    await new Promise((resolve) => setTimeout(resolve, 5));
    begin();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await between(opened.journal);
    return { journal: opened.journal, copying };
  }

  const commit = [
    record('/a', 'two'),
    record('/b', 'two'),
    { table: 'files', key: '/c', value: undefined } as const,
    record('/d', 'new'),
  ];
  const after = [record('/a', 'two'), record('/b', 'two'), record('/d', 'new')];

  it('counts from the last of them on', async () => {
    const folder = new MemoryFolder();
    const { journal, copying } = await copied(folder, (journal) => journal.append(at(8), commit));
    await copying;
    await journal.close();
    expect((await folder.names()).filter((name) => name.endsWith('.whole'))).toHaveLength(1);
    const content = await readJournal(folder);
    expect(content?.row).toEqual(at(8));
    expect([...(content?.writes ?? [])].sort((one, other) => (one.key < other.key ? -1 : 1))).toEqual(after);
    expect((await tailOf(folder, await folder.names()))?.row).toEqual(at(8));
  });

  it('does not count before these are appended: until then, the replica is what it was', async () => {
    const folder = new MemoryFolder();
    const { journal, copying } = await copied(folder, async () => {
      const content = await readJournal(folder);
      expect(content?.row).toEqual(row);
      expect(content?.writes.map(({ key }) => key)).toEqual(['/a', '/b', '/c']);
    });
    await journal.close(); // ends the wait
    await copying;
    expect((await readJournal(folder))?.row).toEqual(row);
  });

  it('is nothing without them', async () => {
    const folder = new MemoryFolder();
    const { journal, copying } = await copied(folder, (journal) => journal.append(at(8), commit));
    await copying;
    await journal.close();
    for (const name of await folder.names()) if (name.endsWith('.log')) folder.files.set(name, '');
    expect(await readJournal(folder)).toBeNull();
  });

  it('comes with entries that quote no text, as one may have been removed meanwhile', async () => {
    const folder = new MemoryFolder();
    const content = 'x'.repeat(2_000);
    const find = (): { text: string } => ({ text: '1.0' });
    const writes = [put('contents', '1', content)];
    const { journal, copying } = await copied(folder, (journal) =>
      journal.append(at(8), writes, false, find),
    );
    await copying;
    expect([...folder.files.values()].join('')).toContain(content);
    const before = [...folder.files.values()].join('').split(content).length;
    journal.append(at(9), writes, false, find);
    expect([...folder.files.values()].join('').split(content)).toHaveLength(before);
    await journal.close();
  });
});
