import fc from 'fast-check';
import { zipSync, type Zippable } from 'fflate';
import { crc32 as crcOfNode } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exportZip, importZip, type Progress } from 'rolezero/files';
import { type ImportZipOptions, crc32 } from '../../../src/files/exchange/import-zip.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { scriptedModel } from '../../../src/testing/index.js';
import { counting, dyingAt } from '../session/storages.js';

const encode = (text: string) => new TextEncoder().encode(text);

async function open(storage = memoryStorage()): Promise<Session> {
  const roles = [new RoleZero({ model: scriptedModel([]) })];
  return Session.open({ storage, name: 's', takeOver: true, roles, askUser: null, emit: () => {} });
}

async function contents(session: Session, path = '/'): Promise<Record<string, Uint8Array | null>> {
  const all = await session.files.readAll(path);
  return Object.fromEntries(all.map((file) => [file.path, file.content ?? null]));
}

/** Offsets of the entries in an archive's directory. */
function directoryEntries(zip: Uint8Array): { at: number; view: DataView }[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const found = [];
  for (let at = 0; at + 4 <= zip.length; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) found.push({ at, view });
  return found;
}

/** An archive with changed bytes in the directory record of its first entry. */
function withEntry(
  files: Zippable,
  change: (view: DataView, at: number, zip: Uint8Array) => void,
): Uint8Array {
  const zip = zipSync(files);
  const [entry] = directoryEntries(zip);
  if (entry !== undefined) change(entry.view, entry.at, zip);
  return zip;
}

async function refusal(
  zip: Uint8Array,
  options: ImportZipOptions = {},
): Promise<{ code: string; message: string }> {
  const session = await open();
  const error: unknown = await importZip(session.files, zip, options).catch((reason: unknown) => reason);
  expect(await session.files.list()).toEqual([]);
  const { code, message } = error as { code: string; message: string };
  return { code, message };
}

describe('a zip archive', () => {
  test('imports text, bytes, empty files and directories, and names of all kinds unchanged', async () => {
    const session = await open();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * i) % 256);
    const zip = zipSync({
      'a.txt': encode('text\r\nof lines'),
      'deep/er/b.bin': [bytes, { level: 0 }],
      'deep/c.bin': [bytes, { level: 9 }],
      'empty/': new Uint8Array(),
      nothing: new Uint8Array(),
      'naïve 日本 😀.md': encode('x'),
      '%2e%2e/x': encode('just a name'),
    });
    const { written } = await importZip(session.files, new Blob([zip]), { path: '/p' });
    expect(written).toHaveLength(6);
    expect(await contents(session, '/p')).toEqual({
      '/p/a.txt': encode('text\r\nof lines'),
      '/p/deep': null,
      '/p/deep/er': null,
      '/p/deep/er/b.bin': bytes,
      '/p/deep/c.bin': bytes,
      '/p/empty': null,
      '/p/nothing': new Uint8Array(),
      '/p/naïve 日本 😀.md': encode('x'),
      '/p/%2e%2e': null,
      '/p/%2e%2e/x': encode('just a name'),
    });
  });

  test('imports its export byte for byte, also repeatedly', async () => {
    const name = fc.stringMatching(/^[a-zA-Zé日_-]{1,8}$/u);
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)),
      fc.string().map(encode),
      fc.constant(encode('again and again\n'.repeat(500))),
    );
    const tree = fc.dictionary(
      fc.tuple(fc.constantFrom('', 'd/', 'd/e/', 'f/'), name).map((parts) => parts.join('')),
      content,
      { maxKeys: 12 },
    );
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        const names = Object.keys(files).filter((path) => !['d', 'f', 'd/e'].includes(path));
        const first = await open();
        await first.files.writeAll([
          ...names.map((path) => ({ path: `/x/${path}`, content: files[path] ?? '' })),
          { path: '/x/none' },
        ]);
        const zip = await exportZip(first.files, { path: '/x' });
        const second = await open();
        await importZip(second.files, zip, { path: '/x' });
        expect(await contents(second)).toEqual(await contents(first));
      }),
      { numRuns: 15 },
    );
  });

  test('exports a part of a workspace, and what a filter accepts', async () => {
    const session = await open();
    for (const path of ['/a/b.txt', '/a/node_modules/x', '/c']) await session.files.write(path, path);
    const one = await open();
    await importZip(one.files, await exportZip(session.files, { path: '/c' }));
    expect((await one.files.list()).map(({ path }) => path)).toEqual(['/c']);
    const some = await open();
    const filter = (path: string) => !path.includes('node_modules/');
    await importZip(some.files, await exportZip(session.files, { filter }), {
      filter: (path) => path !== 'c',
    });
    expect((await some.files.list()).filter(({ type }) => type === 'file').map(({ path }) => path)).toEqual([
      '/a/b.txt',
    ]);
    await expect(exportZip(session.files, { path: '/none' })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('rejects existing files, unless they are equal or `existing` is set', async () => {
    const session = await open();
    await session.files.write('/a', 'mine');
    await session.files.write('/same', 'same');
    const zip = zipSync({ a: encode('theirs'), same: encode('same'), b: encode('b') });
    await expect(importZip(session.files, zip)).rejects.toMatchObject({
      code: 'conflict',
      detail: { paths: ['/a'] },
    });
    expect(await session.files.stat('/b')).toBeNull();
    expect(await importZip(session.files, zip, { existing: 'keep' })).toEqual({ written: ['/b'] });
    expect(await importZip(session.files, zip, { existing: 'replace' })).toEqual({ written: ['/a'] });
    const [last] = (await session.files.history()).slice(-1);
    expect(last).toMatchObject({ name: 'import', by: 'user', paths: ['/a'] });
    await session.files.undo(last?.id ?? '');
    expect(await session.files.read('/a')).toBe('mine');
  });

  test('reads leading bytes, a trailing comment, names in an old code page, and 64-bit numbers', async () => {
    const plain = zipSync({ 'abc.txt': encode('hello') });
    const [entry] = directoryEntries(plain);
    const at = entry?.at ?? 0;
    const old = plain.slice();
    old[at + 46] = 0x81; // ü, not in UTF-8
    old[30] = 0x81; // and in the header of the entry
    const commented = new Uint8Array([...plain, ...encode('a comment')]);
    new DataView(commented.buffer).setUint16(plain.length - 2, 9, true);
    const before = new Uint8Array([...encode('#!/bin/sh\nexit\n'), ...plain]);
    for (const [zip, path] of [
      [old, '/übc.txt'],
      [commented, '/abc.txt'],
      [before, '/abc.txt'],
      [zip64(plain), '/abc.txt'],
    ] as const) {
      const session = await open();
      await importZip(session.files, zip);
      expect(await contents(session)).toEqual({ [path]: encode('hello') });
    }
  });
});

/** The same archive with the end of its directory, and the sizes of its only entry, in 64 bits. */
function zip64(zip: Uint8Array): Uint8Array {
  const at = directoryEntries(zip)[0]?.at ?? 0;
  const end = zip.length - 22;
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const entry = new Uint8Array(end - at + 20);
  entry.set(zip.subarray(at, end));
  const fields = new DataView(entry.buffer);
  const [packed, size] = [fields.getUint32(20, true), fields.getUint32(24, true)];
  fields.setUint32(20, 0xffffffff, true);
  fields.setUint32(24, 0xffffffff, true);
  fields.setUint16(30, 20, true);
  fields.setUint16(end - at, 1, true);
  fields.setUint16(end - at + 2, 16, true);
  fields.setBigUint64(end - at + 4, BigInt(size), true);
  fields.setBigUint64(end - at + 12, BigInt(packed), true);
  const tail = new Uint8Array(56 + 20 + 22);
  const last = new DataView(tail.buffer);
  last.setUint32(0, 0x06064b50, true);
  last.setBigUint64(4, 44n, true);
  last.setBigUint64(24, 1n, true);
  last.setBigUint64(32, 1n, true);
  last.setBigUint64(40, BigInt(entry.length), true);
  last.setBigUint64(48, BigInt(at), true);
  last.setUint32(56, 0x07064b50, true);
  last.setBigUint64(64, BigInt(at + entry.length), true);
  last.setUint32(72, 1, true);
  last.setUint32(76, 0x06054b50, true);
  last.setUint16(84, 0xffff, true);
  last.setUint16(86, 0xffff, true);
  last.setUint32(88, 0xffffffff, true);
  last.setUint32(92, 0xffffffff, true);
  expect(view.getUint16(end + 10, true)).toBe(1);
  return new Uint8Array([...zip.subarray(0, at), ...entry, ...tail]);
}

describe('harmful archives are rejected completely, with the reason', () => {
  test.each([
    ['../up', 'permission', 'leads out of the folder'],
    ['a/../../up', 'permission', 'leads out of the folder'],
    ['a/../b', 'permission', 'leads out of the folder'],
    ['/etc/passwd', 'permission', 'has an absolute path'],
    ['a\\..\\b', 'permission', 'contains a backslash'],
    ['C:/x', 'permission', 'drive letter'],
    ['a\0b', 'invalid', 'control character'],
    ['a\u202egnp.exe', 'invalid', 'control character'],
    ['a\u2215b', 'permission', 'looks like a slash'],
    ['a\u29f8b', 'permission', 'looks like a slash'],
    ['a\uff0fb', 'permission', 'looks like a slash'],
    ['a\u2044b', 'permission', 'looks like a slash'],
    ['\uff0e\uff0e/x', 'permission', 'looks like'],
    ['x'.repeat(256), 'invalid', 'at most 255'],
    ['d/'.repeat(65) + 'x', 'invalid', 'at most 64'],
  ])('%j', async (name, code, why) => {
    const { code: found, message } = await refusal(zipSync({ ok: encode('fine'), [name]: encode('x') }), {
      path: '/deep/in',
    });
    expect([found, message]).toEqual([code, expect.stringContaining(why)]);
  });

  test.each<[string, Uint8Array, ImportZipOptions, string]>([
    [
      'a link',
      withEntry({ l: encode('/etc') }, (v, at) => v.setUint32(at + 38, 0xa1ff0000, true)),
      {},
      'symbolic link',
    ],
    [
      'a device',
      withEntry({ l: encode('x') }, (v, at) => v.setUint32(at + 38, 0x21ff0000, true)),
      {},
      'neither a file nor',
    ],
    ['a password', withEntry({ l: encode('x') }, (v, at) => v.setUint16(at + 8, 1, true)), {}, 'encrypted'],
    [
      'another method',
      withEntry({ l: encode('x') }, (v, at) => v.setUint16(at + 10, 14, true)),
      {},
      'method (14)',
    ],
    [
      'a wrong checksum',
      withEntry({ l: encode('x') }, (v, at) => v.setUint32(at + 16, 7, true)),
      {},
      'checksum',
    ],
    ['a bomb', zipSync({ l: new Uint8Array(3_000_000) }), {}, 'maxRatio'],
    [
      'many bytes',
      zipSync({ a: new Uint8Array(90), b: new Uint8Array(20) }),
      { limits: { totalBytes: 100 } },
      'limits.totalBytes',
    ],
    ['a large file', zipSync({ a: new Uint8Array(90) }), { limits: { fileBytes: 80 } }, 'limits.fileBytes'],
    [
      'many files',
      zipSync(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}`, new Uint8Array()]))),
      { limits: { files: 8 } },
      'limits.files',
    ],
    [
      'a large archive',
      zipSync({ a: [new Uint8Array(90), { level: 0 }] }),
      { limits: { totalBytes: 80 } },
      'limits.totalBytes',
    ],
    [
      'a false size',
      withEntry({ l: encode('x'.repeat(5000)) }, (v, at) => v.setUint32(at + 24, 10, true)),
      {},
      'more than the 10 bytes',
    ],
    [
      'a false size the other way',
      withEntry({ l: encode('x'.repeat(50)) }, (v, at) => v.setUint32(at + 24, 99, true)),
      {},
      'damaged',
    ],
    ['no archive', encode('hello'), {}, 'no directory at its end'],
    ['half of one', zipSync({ a: encode('x') }).slice(0, -30), {}, 'no directory at its end'],
    [
      'no directory',
      withEntry({ a: encode('x') }, (v, at) => v.setUint32(at, 0, true)),
      {},
      'directory cannot be read',
    ],
    [
      'a wrong place',
      withEntry({ a: encode('x') }, (v, at) => v.setUint32(at + 42, 9, true)),
      {},
      'not where it should be',
    ],
    [
      'broken data',
      withEntry({ a: encode('abcabcabcabcabc'.repeat(9)) }, (_, __, zip) => zip.fill(0xff, 31, 35)),
      {},
      'damaged',
    ],
  ])('%s', async (_, zip, options, why) => {
    const { code, message } = await refusal(zip, options);
    expect([code, message]).toEqual(['invalid', expect.stringContaining(why)]);
  });

  test('rejects entries that share their bytes, and duplicate names', async () => {
    const zip = zipSync({ a: encode('12345'), b: encode('12345') });
    const [first, second] = directoryEntries(zip);
    second?.view.setUint32(second.at + 42, first?.view.getUint32(first.at + 42, true) ?? 0, true);
    expect((await refusal(zip)).message).toContain('overlaps another part');
    expect((await refusal(zipSync({ a: encode('1'), './a': encode('2') }))).message).toContain(
      'is in it twice',
    );
    expect((await refusal(zipSync({ a: encode('1'), 'a/b': encode('2') }))).message).toContain(
      '/a is a file',
    );
  });

  test('never misbehaves on archives with changed bytes', async () => {
    const files = { 'a.txt': encode('some text, '.repeat(20)), 'd/b': encode('b'), 'e/': new Uint8Array() };
    const zip = zipSync(files);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { maxLength: 6 }),
        fc.nat(zip.length),
        async (changes, cut) => {
          const bad = zip.slice(0, cut % 5 === 0 ? cut : zip.length);
          for (const [at, value] of changes) if (at < bad.length) bad[at] = value;
          const session = await open();
          const outcome = await importZip(session.files, bad, { path: '/in' }).then(
            () => 'imported',
            (error: unknown) => (error as { code: string }).code,
          );
          const names = (await session.files.list()).map(({ path }) => path);
          if (outcome === 'imported')
            expect(names.filter((name) => name !== '/in' && !name.startsWith('/in/'))).toEqual([]);
          else expect([['invalid', 'permission'].includes(outcome), names]).toEqual([true, []]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('an import', () => {
  test('reports progress, can be stopped, and then changes nothing', async () => {
    const session = await open();
    const big = Uint8Array.from({ length: 1_000_000 }, (_, i) => Math.imul(i, 2654435761) >>> 13);
    const zip = zipSync(Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`${i}`, big])), {
      level: 1,
    });
    const progress: Progress[] = [];
    const stop = new AbortController();
    const stopped = importZip(session.files, zip, {
      signal: stop.signal,
      onProgress: (now) => {
        progress.push(now);
        if (progress.length === 2) stop.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(progress[0]).toMatchObject({ phase: 'reading', totalFiles: 6, totalBytes: 6_000_000 });
    expect(progress[1]?.bytes ?? 0).toBeGreaterThanOrEqual(progress[0]?.bytes ?? 0);
    expect(await session.files.list()).toEqual([]);
    const phases = new Set<string>();
    await importZip(session.files, zip, { onProgress: ({ phase }) => phases.add(phase) });
    expect([...phases]).toEqual(['reading', 'saving']);
    expect(Buffer.from(await session.files.readBytes('/5')).equals(big)).toBe(true);
  });

  test('is one commit: all or nothing after a kill', async () => {
    const zip = zipSync(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`d${i % 7}/${i}`, encode(`${i}`)])),
    );
    const counted = counting(memoryStorage());
    await importZip((await open(counted.storage)).files, zip);
    expect(counted.count()).toBe(1);
    for (const moment of ['before', 'after'] as const) {
      const storage = memoryStorage();
      const dying = dyingAt(storage, 1, moment);
      void importZip((await open(dying.storage)).files, zip);
      await dying.died;
      const again = await open(storage);
      expect(await again.files.list()).toHaveLength(moment === 'before' ? 0 : 307);
      if (moment === 'before') await importZip(again.files, zip);
      expect((await importZip(again.files, zip)).written).toEqual([]);
    }
  });
});

test('checksums match those of other programs, also in parts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (one, other) => {
      const whole = new Uint8Array([...one, ...other]);
      expect(crc32(whole)).toBe(crcOfNode(whole));
      expect(crc32(other, crc32(one))).toBe(crcOfNode(whole));
    }),
  );
});
