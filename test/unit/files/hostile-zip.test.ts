import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { importZip } from 'rolezero/files';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { scriptedModel } from '../../../src/testing/index.js';
import { rawZip, type RawEnd, type RawEntry } from './raw-zip.js';

async function open(): Promise<Session> {
  const roles = [new RoleZero({ model: scriptedModel([]) })];
  return Session.open({ storage: memoryStorage(), name: 's', roles, askUser: null, emit: () => {} });
}

/** The files after an import, text by path; or the error. */
async function imported(zip: Uint8Array): Promise<Record<string, string | null> | string> {
  const session = await open();
  try {
    await importZip(session.files, zip, { path: '/in' });
  } catch (error) {
    expect(await session.files.list()).toEqual([]);
    expect(await session.files.history()).toEqual([]);
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
  const all = await session.files.readAll('/in');
  const text = (content: Uint8Array | undefined) =>
    content === undefined ? null : new TextDecoder().decode(content);
  return Object.fromEntries(all.map(({ path, content }) => [path, text(content)]));
}

const file = (
  name: string | Uint8Array,
  content: string | Uint8Array = 'x',
  more: Partial<RawEntry> = {},
): RawEntry => ({
  name,
  content,
  ...more,
});

it('other programs read the archives that are written here', () => {
  const zip = rawZip([file('a', 'stored'), file('d/b', 'deflated', { method: 8 })]);
  const text = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]);
  expect(text).toEqual([
    ['a', 'stored'],
    ['d/b', 'deflated'],
  ]);
});

describe('names', () => {
  it.each<[string | Uint8Array, string]>([
    ['..', 'permission'],
    ['a/..', 'permission'],
    ['./../x', 'permission'],
    ['a/b/../../../x', 'permission'],
    ['//x', 'permission'],
    ['C:\\x', 'permission'],
    ['c:x', 'taken'], // In a folder, it names no drive.
    ['a/C:/x', 'permission'],
    ['\\\\server\\share', 'permission'],
    ['..\\..\\x', 'permission'],
    ['\u2024\u2024/x', 'permission'],
    ['\u200b..\u200b/x', 'permission'],
    ['a/\u200b/x', 'permission'],
    ['..\u3000/x', 'taken'], // A separate name: spaces are not trimmed here.
    ['\uff0e./x', 'permission'],
    ['a\u0000.txt', 'invalid'],
    ['a\n/x', 'invalid'],
    ['\u001b[2J', 'invalid'],
    ['a\u2066b', 'invalid'],
    ['a\u2028b', 'invalid'],
    ['file:///etc/passwd', 'taken'],
    ['', 'invalid'],
    ['.', 'is a directory'],
    ['x'.repeat(60_000), 'invalid'],
    ['d/'.repeat(64) + 'x', 'invalid'],
    // Decoded with the code page of the format where it is not UTF-8, and rejected where the flag claims UTF-8.
    [Uint8Array.of(0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x78), 'invalid: a name in it is not UTF-8'],
    [Uint8Array.of(0xed, 0xa0, 0x80), 'invalid: a name in it is not UTF-8'],
    [Uint8Array.of(0xe0, 0x80, 0xaf), 'invalid: a name in it is not UTF-8'],
  ])('%j: %s', async (name, outcome) => {
    const got = await imported(rawZip([file('ok'), file(name)]));
    if (outcome === 'taken') expect(Object.keys(got)).toContain('/in/ok');
    else expect(got).toContain(outcome.replace(/^(\w+): (.*)/, '$2'));
    if (typeof got !== 'string') for (const path of Object.keys(got)) expect(path).toMatch(/^\/in(\/|$)/);
  });

  it('in overlong or broken UTF-8 without the UTF-8 flag are read in the old code page, and stay inside', async () => {
    const got = await imported(
      rawZip([file(Uint8Array.of(0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x78), 'x', { flags: 0 })]),
    );
    expect(got).toEqual({ '/in/└«└«': null, '/in/└«└«/x': 'x' });
  });

  it('that differ only in case are separate files', async () => {
    const names = ['readme', 'README'];
    const got = await imported(rawZip(names.map((name) => file(name, name))));
    expect(got).toEqual(Object.fromEntries(names.map((name) => [`/in/${name}`, name])));
  });

  it('are composed, and rejected when two then are the same', async () => {
    expect(await imported(rawZip([file('cafe\u0301/x', 'x')]))).toMatchObject({ '/in/caf\u00e9/x': 'x' });
    expect(await imported(rawZip([file('caf\u00e9'), file('cafe\u0301')]))).toContain('is in it twice');
  });

  it('are quoted in errors without invisible characters', async () => {
    expect(await imported(rawZip([file('a\u202egpj.exe')]))).toContain(String.raw`"a\u{202e}gpj.exe"`);
  });

  it.each([
    ['twice', ['a', 'a']],
    ['twice by a detour', ['d/a', 'd//./a']],
    ['a file, then a directory', ['a', 'a/']],
    ['a directory, then a file', ['a/', 'a']],
    ['a file, then something in it', ['a', 'a/b']],
    ['something in it, then a file', ['a/b', 'a']],
  ])('%s: rejected', async (_what, names) => {
    expect(await imported(rawZip(names.map((name) => file(name, name.endsWith('/') ? '' : 'x'))))).toMatch(
      /^invalid: .*("a"|"d\/\/\.\/a"|"a\/"|\/a\b)/,
    );
  });

  it('in the entry itself are the same as in the directory', async () => {
    const zip = rawZip([file('safe.txt', 'x', { localName: '../../evil.txt' })]);
    expect(await imported(zip)).toContain('invalid: ');
    expect(await imported(zip)).toContain('has another name in its own header');
    expect(await imported(rawZip([file('../../evil', 'x', { localName: 'safe' })]))).toContain(
      'another name',
    );
  });
});

describe('malformed archives', () => {
  const link = 0xa1ff0000;
  it.each<[string, RawEntry[], RawEnd, string]>([
    ['a link out of the folder', [file('l', '../../etc', { attributes: link })], {}, 'symbolic link'],
    ['a link that is named as a directory', [file('l/', '/etc', { attributes: link })], {}, 'symbolic link'],
    [
      'a link and a file through it',
      [file('l', '/', { attributes: link }), file('l/x')],
      {},
      'symbolic link',
    ],
    ['a pipe', [file('p', '', { attributes: 0x11ff0000 })], {}, 'neither a file nor'],
    ['a password', [file('a', 'x', { flags: 0x801 })], {}, 'encrypted'],
    ['a strong password', [file('a', 'x', { flags: 0x841 })], {}, 'encrypted'],
    ['a hidden directory', [file('a', 'x', { flags: 0x2800 })], {}, 'encrypted'],
    ['a wrong checksum', [file('a', 'x', { crc: 1 })], {}, 'checksum'],
    [
      'a wrong checksum after the data',
      [file('a', 'x', { crc: 1, method: 8, descriptor: true })],
      {},
      'checksum',
    ],
    ['a smaller size', [file('a', 'x'.repeat(99), { method: 8, size: 98 })], {}, 'more than the 98 bytes'],
    ['a larger size', [file('a', 'x'.repeat(99), { method: 8, size: 100 })], {}, 'damaged'],
    ['a size of 4 GB', [file('a', 'x', { method: 8, size: 0xfffffffe })], {}, 'made to fill the memory'],
    ['a size of 4 GB, stored', [file('a', 'x', { size: 0xfffffffe, packed: 0xfffffffe })], {}, 'overlaps'],
    ['a missing 64-bit size', [file('a', 'x', { size: 0xffffffff })], {}, 'size of an entry is missing'],
    [
      'data to the end of the archive',
      [file('a', 'x', { packed: 5000, size: 5000 })],
      {},
      'overlaps another part',
    ],
    [
      'data in the directory',
      [file('a', 'x'), file('b', 'x', { packed: 40, size: 40 })],
      {},
      'overlaps another part',
    ],
    ['one entry for two', [file('a', 'xyz'), file('b', 'xyz', { at: 0 })], {}, 'overlaps another part'],
    ['an entry beyond the end', [file('a', 'x', { at: 0x7fffffff })], {}, 'ends too early'],
    [
      'an entry inside another',
      [file('a', rawZip([file('b', 'x')])), file('c', 'x', { at: 31 })],
      {},
      'overlaps',
    ],
    ['more entries than it contains', [file('a')], { count: 2 }, 'directory cannot be read'],
    ['more entries than allowed', [file('a')], { count: 0xfffe }, 'has 65534 entries'],
    ['a part of a multi-part archive', [file('a')], { disk: 1 }, 'in several parts'],
    ['an entry on another disk', [file('a', 'x', { disk: 1 })], {}, 'in several parts'],
  ])('%s: rejected', async (_what, entries, end, says) => {
    expect(await imported(rawZip(entries, end))).toMatch(new RegExp(`^invalid: .*${says}`));
  });

  it('a truncated archive is rejected, wherever it was cut', async () => {
    const zip = rawZip([file('a', 'x'.repeat(30), { method: 8, descriptor: true }), file('b/c', 'y')]);
    expect(await imported(zip)).toEqual({ '/in/a': 'x'.repeat(30), '/in/b': null, '/in/b/c': 'y' });
    for (let length = 0; length < zip.length; length++)
      expect(await imported(zip.slice(0, length))).toMatch(/^invalid: The archive was not imported/);
  });

  it('files that share their data thousands of times are rejected before anything is unpacked', async () => {
    const kernel = 'x'.repeat(1_000_000);
    const entries = Array.from({ length: 2_000 }, (_, number) =>
      file(`${number}`, number === 0 ? kernel : '', { method: 8 }),
    );
    const [first] = entries;
    if (first === undefined) throw new Error('There is no entry.');
    const { length: packed } = rawZip([first]);
    const zip = rawZip([
      first,
      ...entries.slice(1).map((entry) => ({ ...entry, at: 0, packed: packed - 100, size: 1_000_000 })),
    ]);
    expect(await imported(zip)).toMatch(/^invalid: .*overlaps another part/);
  });

  it('keeps nested archives as files', async () => {
    let zip = rawZip([file('zeros', new Uint8Array(1_000_000), { method: 8 })]);
    for (let level = 0; level < 6; level++)
      zip = rawZip(Array.from({ length: 4 }, (_, number) => file(`${number}.zip`, zip, { method: 8 })));
    const got = await imported(zip);
    expect(Object.keys(got)).toEqual(['/in/0.zip', '/in/1.zip', '/in/2.zip', '/in/3.zip']);
  });

  it('accepts an end record in the comment when it is valid', async () => {
    const inner = rawZip([file('inner')]);
    const outer = rawZip([file('outer')], { comment: inner });
    expect(await imported(outer)).toEqual({ '/in/inner': 'x' });
    expect(await imported(rawZip([file('outer')], { comment: rawZip([file('../inner')]) }))).toContain(
      'permission',
    );
    expect(await imported(rawZip([file('outer')], { comment: inner.slice(0, -1) }))).toEqual({
      '/in/outer': 'x',
    });
  });

  it('ignores entries that the end record does not count', async () => {
    expect(await imported(rawZip([file('a'), file('../hidden')], { count: 1 }))).toEqual({ '/in/a': 'x' });
  });

  it('uses the sizes of the directory where those of the data are unknown in advance', async () => {
    const zip = rawZip([
      file('a', 'hello', { method: 8, descriptor: true }),
      file('b', 'stored', { descriptor: true }),
    ]);
    expect(await imported(zip)).toEqual({ '/in/a': 'hello', '/in/b': 'stored' });
  });
});
