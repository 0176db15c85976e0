import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Write } from '../../../src/core/store.js';
import { SessionJournal, type ReadWhole } from '../../../src/storage/journal.js';
import { readJournal, tailOf } from '../../../src/storage/journal-reading.js';
import { readStoredText, removeFiles, sealFile } from '../../../src/storage/sealed-file.js';
import { newRow, type SessionRow } from '../../../src/storage/session-row.js';
import { put } from '../../contracts/records.js';
import { DyingFolder, InterruptedFolder, MemoryFolder } from './memory-folder.js';

const ROW: SessionRow = { ...newRow('s', 0), epoch: 1 };
const NEVER = new AbortController().signal;
const isSealed = (name: string): boolean => name.endsWith('.deflate');

/** A session of records, of which each commit replaces or adds one, with its replica. */
class Session {
  readonly folder: MemoryFolder;
  readonly faults: unknown[] = [];
  /** Number of whole copies that were begun. */
  copies = 0;
  row = ROW;
  readonly #records = new Map<string, Write>();
  #journal: SessionJournal | undefined;

  constructor(folder = new MemoryFolder()) {
    this.folder = folder;
  }

  async open(): Promise<void> {
    this.row = { ...this.row, epoch: this.row.epoch + 1 };
    const names = await this.folder.names();
    const readWhole: ReadWhole = async (take) => {
      this.copies += 1;
      const row = this.row;
      const records = [...this.#records.values()];
      for (const [piece, write] of records.entries()) take([write], piece);
      return row;
    };
    this.#journal = await SessionJournal.open(
      this.folder,
      { names, tail: await tailOf(this.folder, names), recovered: null },
      this.row,
      readWhole,
      (error) => this.faults.push(error),
    );
  }

  /** Writes records of 10,000 characters each. */
  async commit(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.row = { ...this.row, head: this.row.head + 1 };
      const lines = Array.from(
        { length: 400 },
        (_, line) => `${this.row.head} line ${line} of the text of ${key}`,
      );
      const write = put('files', key, lines.join('\n').slice(0, 10_000));
      this.#records.set(key, write);
      this.#journal?.append(this.row, [write]);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Removes all records for good. */
  async forget(): Promise<void> {
    this.row = { ...this.row, head: this.row.head + 1 };
    const removed = [...this.#records.values()].map(({ table, key }) => ({ table, key, value: undefined }));
    this.#records.clear();
    this.#journal?.append(this.row, removed, true);
    await this.#journal?.purge();
  }

  /** Waits until no file is replaced any more. */
  async settled(): Promise<void> {
    await this.#journal?.settled();
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  /** Opens the session, stores records, and closes it. `settles`: waits before that until the files do not change any more. */
  async visit(keys: readonly string[], { settles = false } = {}): Promise<void> {
    await this.open();
    await this.commit(keys);
    if (settles) await this.settled();
    await this.close();
  }

  get bytes(): number {
    return [...this.folder.files.values()].reduce((sum, { length }) => sum + length, 0);
  }

  get content(): unknown {
    return {
      row: { ...this.row, epoch: expect.any(Number) as number },
      writes: sorted([...this.#records.values()]),
    };
  }
}

const sorted = (writes: readonly Write[]): Write[] =>
  [...writes].sort((one, other) => (one.key < other.key ? -1 : 1));

async function restored(folder: MemoryFolder): Promise<unknown> {
  const content = await readJournal(folder);
  return content && { row: content.row, writes: sorted(content.writes) };
}

const keys = (count: number, part = ''): string[] =>
  Array.from({ length: count }, (_, key) => `/${part}${key}`);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the files of a replica', () => {
  it('are compressed when they are complete, and restored as they were', async () => {
    const session = new Session();
    await session.open();
    for (let part = 0; part < 5; part++) {
      await session.commit(keys(52, `${part}/`));
      await session.settled(); // else a busy machine fills longer files while it compresses one
    }
    const names = await session.folder.names();
    expect(names.filter(isSealed).length).toBeGreaterThanOrEqual(4);
    expect(session.bytes).toBeLessThan(1_000_000); // of 2,600,000
    expect(await restored(session.folder)).toEqual(session.content);
    await session.close();
    await session.open();
    expect(session.copies).toBe(0); // the tail is in files that it can read
    await session.close();
    expect(session.faults).toEqual([]);
  });

  it('take a small multiple of the current data, with work that is linear in all', async () => {
    const session = new Session();
    await session.open();
    for (let round = 0; round < 150; round++) await session.commit(keys(20));
    await session.settled();
    expect(session.bytes).toBeLessThan(4_000_000); // 30 MB were written, of which 200 kB are current
    expect(session.copies).toBeLessThanOrEqual(2);
    const texts = (await session.folder.names()).filter((name) => !isSealed(name));
    expect(texts, 'the one that is appended to').toHaveLength(1);
    expect(await restored(session.folder)).toEqual(session.content);
    await session.close();
  });

  it('are bounded by whole copies where the browser cannot compress', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    const session = new Session();
    await session.open();
    for (let round = 0; round < 50; round++) await session.commit(keys(20));
    await session.settled();
    expect((await session.folder.names()).filter(isSealed)).toEqual([]);
    expect(session.bytes).toBeLessThan(4_000_000); // 10 MB were written
    expect(session.copies).toBeGreaterThan(1);
    expect(session.copies).toBeLessThan(5);
    expect(await restored(session.folder)).toEqual(session.content);
    await session.close();
  });

  it('of earlier releases and of crashed writers are compressed soon after the opening', async () => {
    const session = new Session();
    vi.stubGlobal('CompressionStream', undefined);
    for (let visit = 0; visit < 4; visit++) await session.visit(keys(10, `${visit}-`));
    vi.unstubAllGlobals();
    const before = session.bytes;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await session.open();
    vi.advanceTimersByTime(6_000);
    vi.useRealTimers();
    await session.settled();
    expect((await session.folder.names()).filter(isSealed)).toHaveLength(4);
    expect(session.bytes).toBeLessThan(before / 2);
    expect(session.copies).toBe(0);
    expect(await restored(session.folder)).toEqual(session.content);
    await session.close();
  });

  it('stay few and small, however short the visits', async () => {
    const session = new Session();
    for (let visit = 0; visit < 60; visit++) {
      await session.visit(keys(5));
      expect((await session.folder.names()).length).toBeLessThan(80);
      expect(session.bytes).toBeLessThan(1_200_000);
    }
    await session.open();
    expect(await restored(session.folder)).toEqual(session.content);
    await session.close();
    expect(session.copies).toBeLessThan(6);
    expect(session.faults).toEqual([]);
  });

  it('stay few and small when each visit fills more than one', async () => {
    const session = new Session();
    for (let visit = 0; visit < 40; visit++) await session.visit(keys(60), { settles: true });
    expect((await session.folder.names()).length).toBeLessThan(70);
    expect(session.bytes).toBeLessThan(4_500_000); // 24 MB were written, of which 600 kB are current
    expect(session.copies).toBeLessThan(5);
    expect(await restored(session.folder)).toEqual(session.content);
  });

  it('remain as they are while the disk is full, and the replica continues', async () => {
    const session = new Session();
    await session.open();
    await session.commit(keys(40));
    await session.settled();
    const { folder } = session;
    const create = folder.create.bind(folder);
    folder.create = async (name) => {
      const file = await create(name);
      const append = (): void => {
        throw new DOMException('Full.', 'QuotaExceededError');
      };
      return isSealed(name) ? { ...file, append } : file;
    };
    await session.commit(keys(12, 'x'));
    await session.settled();
    expect((await session.folder.names()).filter(isSealed)).toEqual([]);
    expect(await restored(session.folder)).toEqual(session.content);
    folder.create = create;
    await session.commit(keys(60, 'y'));
    await vi.waitFor(async () => expect((await session.folder.names()).filter(isSealed)).toHaveLength(2));
    expect(await restored(session.folder)).toEqual(session.content);
    expect(session.faults).toEqual([]);
    await session.close();
  });
});

describe('a worker that dies while it seals a file', () => {
  it('loses nothing, at whichever operation it dies', async () => {
    for (let lived = 0; ; lived++) {
      const session = new Session();
      await session.open();
      await session.commit(keys(30));
      await session.close();
      const [name = ''] = await session.folder.names();
      const dying = new DyingFolder(session.folder.files, lived);
      await Promise.race([sealFile(dying, name, NEVER), dying.death]);
      expect(await restored(session.folder), `after ${lived} operations`).toEqual(session.content);
      const names = await session.folder.names();
      expect((await tailOf(session.folder, names))?.row).toEqual(session.row);
      const wasDone = !dying.isDead;
      // The next writer ends what was begun.
      const [left = ''] = names.filter((found) => !isSealed(found));
      if (!wasDone && left !== '') await sealFile(session.folder, left, NEVER);
      expect(await restored(session.folder), `after ${lived} operations, again`).toEqual(session.content);
      if (wasDone) {
        expect(lived).toBeGreaterThan(5);
        break;
      }
    }
  });

  it('does not bring back what the next writer has removed', async () => {
    const session = new Session();
    await session.open();
    await session.commit(keys(30));
    await session.close();
    const [name = ''] = await session.folder.names();
    const sealing = sealFile(session.folder, name, NEVER);
    session.folder.files.delete(name);
    await expect(sealing).rejects.toThrow();
    expect(await session.folder.names()).toEqual([]);
  });

  it('leaves nothing when the next writer removes the files at any moment', async () => {
    for (let before = 0; ; before++) {
      const session = new Session();
      await session.open();
      await session.commit(keys(30));
      await session.close();
      const { folder } = session;
      const [name = ''] = await folder.names();
      let isDone = false;
      const interrupted = new InterruptedFolder(folder.files, before, () => removeFiles(folder, [name]));
      await sealFile(interrupted, name, NEVER).then(
        () => (isDone = true),
        () => {}, // the file is missing
      );
      if (!interrupted.wasInterrupted) {
        expect(before).toBeGreaterThan(4);
        break;
      }
      expect([...folder.files.keys()], `before operation ${before}, ${isDone}`).toEqual([]);
    }
  });

  it('does not hide the files from a writer that lists them at that moment', async () => {
    const session = new Session();
    await session.open();
    await session.commit(keys(30));
    await session.close();
    const { folder } = session;
    const [name = ''] = await folder.names();
    const read = folder.read.bind(folder);
    let isFirst = true;
    folder.read = async (file) => {
      if (isFirst) {
        isFirst = false;
        await sealFile(folder, name, NEVER);
      }
      return read(file);
    };
    expect(await restored(folder)).toEqual(session.content);
  });
});

it('a purge leaves nothing of what was forgotten while files are checked and sealed', async () => {
  for (let turns = 0; turns < 12; turns++) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const session = new Session();
    vi.stubGlobal('CompressionStream', undefined);
    for (let visit = 0; visit < 2; visit++) await session.visit(keys(5, `secret-${visit}-`));
    vi.unstubAllGlobals();
    await session.open();
    vi.advanceTimersByTime(6_000); // checks the files
    vi.useRealTimers();
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await session.forget();
    const names = await session.folder.names();
    const texts = await Promise.all(names.map((name) => readStoredText(session.folder, name)));
    expect(texts.join(''), names.join()).not.toContain('secret');
    await session.settled();
    const later = await session.folder.names();
    const laterTexts = await Promise.all(later.map((name) => readStoredText(session.folder, name)));
    expect(laterTexts.join(''), later.join()).not.toContain('secret');
    expect(await restored(session.folder)).toEqual(session.content);
    await session.close();
    expect(session.faults).toEqual([]);
  }
});

describe('a sealed file', () => {
  async function sealedFile(): Promise<{ folder: MemoryFolder; name: string; text: string }> {
    const folder = new MemoryFolder();
    const text = Array.from({ length: 4_000 }, (_, line) => `line ${line} ${Math.sin(line)} ü\n`).join('');
    (await folder.create('a.log')).append(text);
    const sealed = await sealFile(folder, 'a.log', NEVER);
    expect([...folder.files.keys()]).toEqual(['a.log.deflate']);
    expect(sealed?.size).toBe(folder.files.get('a.log.deflate')?.length);
    return { folder, name: 'a.log.deflate', text };
  }

  it('has the text that was there', async () => {
    const { folder, name, text } = await sealedFile();
    expect(await readStoredText(folder, name)).toBe(text);
  });

  it('is read up to a truncation, and not without end when it is damaged', async () => {
    const { folder, name, text } = await sealedFile();
    const whole = folder.files.get(name) ?? '';
    for (const part of [0, 0.01, 0.1, 0.5, 0.9]) {
      const at = Math.floor(whole.length * part);
      folder.files.set(name, whole.slice(0, at));
      const read = await readStoredText(folder, name);
      expect(text.startsWith(read.slice(0, -1)), `truncated at ${at}`).toBe(true);
      folder.files.set(name, `${whole.slice(0, at)}\u00ff\u00ff\u00ff\u00ff${whole.slice(at + 4)}`);
      const damaged = await readStoredText(folder, name);
      expect(Buffer.byteLength(damaged), `damaged at ${at}`).toBeLessThan(3 * Buffer.byteLength(text)); // with replaced characters
    }
  });

  it('has blocks, between which a character may be divided', async () => {
    const folder = new MemoryFolder();
    const text =
      'a' +
      Array.from({ length: 700_000 }, (_, at) => String.fromCharCode(0xc0 + ((at * at) % 200))).join('');
    (await folder.create('a.log')).append(text);
    await sealFile(folder, 'a.log', NEVER);
    const bytes = folder.files.get('a.log.deflate') ?? '';
    expect(bytes.split('deflate-raw ')).toHaveLength(3);
    expect(await readStoredText(folder, 'a.log.deflate')).toBe(text);
    const second = bytes.indexOf('deflate-raw ', 1);
    folder.files.set('a.log.deflate', bytes.slice(0, second + 20));
    const first = await readStoredText(folder, 'a.log.deflate');
    expect(first.length).toBeGreaterThan(400_000);
    expect(text.startsWith(first.slice(0, -1))).toBe(true);
  });

  it.each([
    ['with a size that nothing has', (bytes: string) => bytes.replace(/[0-9]{10}/, '9999999999')],
    ['without a size', (bytes: string) => bytes.replace('deflate-raw', 'raw-deflate')],
    ['that is empty', () => ''],
  ])('%s has no text', async (_what, change) => {
    const { folder, name } = await sealedFile();
    folder.files.set(name, change(folder.files.get(name) ?? ''));
    expect(await readStoredText(folder, name)).toBe('');
  });

  it('is read up to its size, whatever it contains', async () => {
    const { folder, name, text } = await sealedFile();
    folder.files.set(name, (folder.files.get(name) ?? '').replace(/[0-9]{10}/, '0000001000'));
    expect(await readStoredText(folder, name)).toBe(Buffer.from(text).subarray(0, 1_000).toString());
  });
});
