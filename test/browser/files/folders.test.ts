/** @module-tag storage-api */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect, sessions, type Session } from 'rolezero';
import { exportFolder, importDropped, importFolder } from 'rolezero/files';

let session: Session;
/**
 * A folder in the origin's private file system. Its handle is of the same kind as that of a folder picked by the
 * user.
 */
let folder: FileSystemDirectoryHandle;
const name = crypto.randomUUID();

beforeEach(async () => {
  const root = await navigator.storage.getDirectory();
  folder = await root.getDirectoryHandle(name, { create: true });
  const worker = new Worker(new URL('../client/scripted.worker.ts', import.meta.url), { type: 'module' });
  session = await connect(worker, { session: name, config: { script: [] } });
});

afterEach(async () => {
  await session.close();
  await sessions.remove(name);
  await (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true });
});

async function put(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const names = path.split('/');
  const last = names.pop() ?? '';
  let place = folder;
  for (const each of names) place = await place.getDirectoryHandle(each, { create: true });
  const stream = await (await place.getFileHandle(last, { create: true })).createWritable();
  await stream.write(content);
  await stream.close();
}

async function onDisk(place = folder, prefix = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const [each, handle] of place.entries()) {
    if (handle.kind === 'directory') {
      found[`${prefix}${each}/`] = '<folder>';
      Object.assign(found, await onDisk(handle, `${prefix}${each}/`));
    } else found[`${prefix}${each}`] = await (await handle.getFile()).text();
  }
  return found;
}

async function inSession(): Promise<Record<string, string>> {
  const all = await session.files.readAll();
  return Object.fromEntries(
    all.map(({ path, content }) => [
      path,
      content === undefined ? '<directory>' : new TextDecoder().decode(content),
    ]),
  );
}

describe('a folder of the user', () => {
  test('imports it, and exports only the changed files', async () => {
    await put('a.txt', 'one');
    await put('deep/er/b.txt', 'two');
    await put('deep/bytes', new Uint8Array([0, 255, 1]));
    await folder.getDirectoryHandle('empty', { create: true });
    const { written } = await importFolder(session.files, folder, { path: '/work' });
    expect(written).toEqual(['/work/a.txt', '/work/deep/bytes', '/work/deep/er/b.txt']);
    expect(await session.files.readBytes('/work/deep/bytes')).toEqual(new Uint8Array([0, 255, 1]));
    expect(await session.files.stat('/work/empty')).toMatchObject({ type: 'directory' });
    await session.files.write('/work/a.txt', 'changed');
    await session.files.write('/work/new/c.txt', 'three');
    await put('mine.txt', 'stays');
    expect(await exportFolder(session.files, folder, { path: '/work' })).toEqual({
      written: ['a.txt', 'new/c.txt'],
      same: ['deep/bytes', 'deep/er/b.txt'],
    });
    expect(await onDisk()).toMatchObject({
      'a.txt': 'changed',
      'deep/er/b.txt': 'two',
      'empty/': '<folder>',
      'mine.txt': 'stays',
      'new/c.txt': 'three',
    });
    expect(
      (await importFolder(session.files, folder, { path: '/work', existing: 'replace' })).written,
    ).toEqual(['/work/mine.txt']);
  });

  test('imports what the filter accepts, within the limits, all or nothing', async () => {
    await put('src/a.ts', 'a');
    await put('node_modules/x/y.js', 'too much of this');
    const filter = (path: string) => !path.startsWith('node_modules/');
    await importFolder(session.files, folder, { filter });
    expect(await inSession()).toEqual({ '/src': '<directory>', '/src/a.ts': 'a' });
    await expect(
      importFolder(session.files, folder, { path: '/b', limits: { totalBytes: 5 } }),
    ).rejects.toMatchObject({
      code: 'invalid',
      detail: { limit: 'totalBytes' },
    });
    await session.files.write('/c/src/a.ts', 'mine');
    await expect(importFolder(session.files, folder, { path: '/c' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(Object.keys(await inSession())).toEqual(['/c', '/c/src', '/c/src/a.ts', '/src', '/src/a.ts']);
  });

  test('rejects a file name that is a folder there, and lists the files already written', async () => {
    await put('b/inner', 'x');
    await session.files.write('/a', '1');
    await session.files.write('/b', '2');
    await expect(exportFolder(session.files, folder)).rejects.toMatchObject({
      code: 'invalid',
      detail: { name: 'b', written: ['a'] },
    });
    expect(await exportFolder(session.files, folder, { filter: (path) => path !== 'b' })).toEqual({
      written: [],
      same: ['a'],
    });
  });
});

describe('a drop on the page', () => {
  /** Dispatches a drop of these files and imports it as an application would. */
  function drop(transfer: DataTransfer, options = {}): Promise<unknown> {
    const zone = document.createElement('div');
    document.body.append(zone);
    return new Promise((resolve, reject) => {
      zone.addEventListener('drop', (event) => {
        event.preventDefault();
        zone.remove();
        importDropped(session.files, event.dataTransfer, options).then(resolve, reject);
      });
      zone.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
  }

  test('imports dropped files together', async () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['one'], 'a.txt'));
    transfer.items.add(new File([new Uint8Array([0, 1])], 'b.bin'));
    transfer.items.add('just text', 'text/plain');
    expect(await drop(transfer, { path: '/in' })).toEqual({ written: ['/in/a.txt', '/in/b.bin'] });
    expect(await session.files.readBytes('/in/b.bin')).toEqual(new Uint8Array([0, 1]));
  });

  test('rejects two files with one name, and a drop without files', async () => {
    const twice = new DataTransfer();
    twice.items.add(new File(['one'], 'a.txt'));
    twice.items.add(new File(['two'], 'a.txt'));
    await expect(drop(twice)).rejects.toMatchObject({ code: 'invalid', detail: { entry: 'a.txt' } });
    const text = new DataTransfer();
    text.items.add('just text', 'text/plain');
    await expect(drop(text)).rejects.toMatchObject({ code: 'invalid' });
    await expect(importDropped(session.files, null)).rejects.toMatchObject({ code: 'invalid' });
    expect(await inSession()).toEqual({});
  });
});

test('notifies a page of changes only while it is subscribed', async () => {
  const heard: string[] = [];
  const off = session.files.watch('/in/**/*.txt', ({ path, change, by }) =>
    heard.push(`${by} ${change} ${path}`),
  );
  await session.files.writeAll([
    { path: '/in/deep/a.txt', content: 'a' },
    { path: '/in/b.md', content: 'b' },
  ]);
  await session.files.move('/in/deep', '/in/d');
  const all = ['user written /in/deep/a.txt', 'user written /in/d/a.txt', 'user removed /in/deep/a.txt'];
  await expect.poll(() => heard).toEqual(all); // Events have their own port.
  off();
  await session.files.remove('/in');
  const last = new Promise((resolve) => session.files.watch('/last', resolve));
  await session.files.write('/last', '');
  await last;
  expect(heard).toEqual(all);
});
