import { wrap, type Remote } from 'comlink';
import { afterEach, expect, test } from 'vitest';
import type { MemoryItem } from '../../../src/core/long-term.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { freshName } from '../storage/fresh-name.js';
import type { Remembering } from './remembering.worker.js';

const workers: Worker[] = [];
afterEach(() => {
  for (const worker of workers.splice(0)) worker.terminate();
});

async function opened(databaseName: string): Promise<Remote<Remembering>> {
  for (const worker of workers.splice(0)) worker.terminate();
  const worker = new Worker(new URL('./remembering.worker.ts', import.meta.url), { type: 'module' });
  workers.push(worker);
  const memory = wrap<Remembering>(worker);
  await memory.open(databaseName, 'words');
  return memory;
}

function items(from: number, before: number): MemoryItem[] {
  return Array.from({ length: before - from }, (_, at): MemoryItem => {
    const id = `m${from + at}`;
    const content = `amber note ${from + at}${at === 5 ? ' quartz' : ''}`;
    const message = {
      id,
      content,
      role: 'user',
      causeBy: '',
      sentFrom: 'Ann',
      sendTo: ['<all>'],
      metadata: {},
    };
    return { id, role: 'Zero', project: '', createdAt: from + at, message };
  });
}

/** The files in folders named `derived`. */
async function derivedFiles(
  folder?: FileSystemDirectoryHandle,
  isDerived = false,
): Promise<FileSystemFileHandle[]> {
  const found: FileSystemFileHandle[] = [];
  for await (const handle of (folder ?? (await navigator.storage.getDirectory())).values())
    if (handle.kind === 'directory') found.push(...(await derivedFiles(handle, handle.name === 'derived')));
    else if (isDerived) found.push(handle);
  return found;
}

/** The only file that was not there before. */
async function newFile(before: readonly FileSystemFileHandle[]): Promise<FileSystemFileHandle> {
  const fresh: FileSystemFileHandle[] = [];
  for (const file of await derivedFiles()) {
    const same = await Promise.all(before.map((other) => other.isSameEntry(file)));
    if (!same.includes(true)) fresh.push(file);
  }
  const [file, ...others] = fresh;
  if (file === undefined || others.length > 0) throw new Error(`${fresh.length} files`);
  return file;
}

/** Enough that a chunk is stored. */
const COUNT = 320;

/** The memories with words that no other memory has. */
const found = async (memory: Remote<Remembering>) => [
  await memory.search('quartz', 3),
  await memory.search('250', 3),
  await memory.search('319', 3),
];
const WANTED = [['m5'], ['m250'], ['m319']];

/** Runs a turn, after which memories are copied into the file. Waits for that, and returns its content. */
async function copied(file: FileSystemFileHandle, memory: Remote<Remembering>): Promise<string> {
  expect(await memory.send('amber')).toBe('done');
  const content = async () => (await file.getFile()).text();
  await expect.poll(async () => (await content()).includes('amber note 7"')).toBe(true);
  return content();
}

test('finds everything again after a reload, and after its index file was damaged or lost', async () => {
  const before = await derivedFiles();
  const databaseName = freshName();
  let memory = await opened(databaseName);
  expect(await memory.import(items(0, COUNT))).toBe(COUNT);
  expect(await found(memory)).toEqual(WANTED);
  const file = await newFile(before);
  expect(await (await file.getFile()).text()).toContain('quartz'); // a term
  expect(await copied(file, memory)).toContain('amber note 250'); // a memory
  expect(await memory.send('amber')).toBe('done'); // stores the place of the copies
  memory = await opened(databaseName);
  expect(await (await file.getFile()).text()).toContain('amber note 250');
  expect(await found(memory)).toEqual(WANTED);
  for (const damage of ['lost end', 'zeros', 'lost']) {
    for (const worker of workers.splice(0)) worker.terminate();
    const { size } = await file.getFile();
    expect(size).toBeGreaterThan(10_000);
    if (damage === 'lost') await writable(file, (stream) => stream.truncate(0));
    if (damage === 'lost end') await writable(file, (stream) => stream.truncate(size - 512));
    if (damage === 'zeros')
      await writable(file, (stream) =>
        stream.write({ type: 'write', position: 512, data: new Uint8Array(512) }),
      );
    memory = await opened(databaseName);
    await memory.whole();
    expect([damage, await found(memory)]).toEqual([damage, WANTED]);
    expect(await memory.send('amber')).toBe('done'); // stores the index again
    expect(await memory.reported()).toEqual([]);
  }
}, 60_000);

test('leaves nothing of a forgotten memory in the index file, and no file of a removed session', async () => {
  const before = await derivedFiles();
  const databaseName = freshName();
  const memory = await opened(databaseName);
  await memory.import(items(0, COUNT));
  const file = await newFile(before);
  expect(await copied(file, memory)).toContain('amber note 5 quartz');
  expect(await memory.forget(['m5'])).toBe(true);
  expect(await (await file.getFile()).text()).not.toContain('quartz');
  expect(await memory.send('amber')).toBe('done'); // copies the others again
  expect(await found(memory)).toEqual([[], ...WANTED.slice(1)]);
  expect(await (await file.getFile()).text()).not.toContain('quartz');
  for (const worker of workers.splice(0)) worker.terminate();
  await indexedDbStorage({ databaseName }).remove('s');
  await expect(file.getFile()).rejects.toThrow();
});

test('leaves nothing of a memory that is forgotten before anything is recalled', async () => {
  const before = await derivedFiles();
  const databaseName = freshName();
  await (await opened(databaseName)).import(items(0, COUNT));
  const file = await newFile(before);
  const memory = await opened(databaseName);
  expect(await memory.forget(['m5'])).toBe(true);
  await expect.poll(async () => (await file.getFile()).text()).not.toContain('quartz');
  expect(await memory.search('quartz', 3)).toEqual([]);
});

/** Changes a file that a terminated worker may still have open for a moment. */
async function writable(
  file: FileSystemFileHandle,
  change: (stream: FileSystemWritableFileStream) => Promise<void>,
): Promise<void> {
  const stream = await expect
    .poll(() => file.createWritable({ keepExistingData: true }).catch(() => null))
    .not.toBeNull()
    .then(() => file.createWritable({ keepExistingData: true }));
  await change(stream);
  await stream.close();
}
