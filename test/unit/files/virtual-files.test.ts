import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { Files } from '../../../src/core/files.js';
import type { Write } from '../../../src/core/store.js';
import { Content } from '../../../src/files/content.js';
import { VirtualFiles } from '../../../src/files/virtual-files.js';
import type { FileLimits } from '../../../src/files/file-tree.js';
import { textsOf } from './texts-of.js';

const bytes = (...values: number[]) => new Uint8Array(values);
const file = (content: string | Uint8Array, modifiedAt = 5) => ({ type: 'file', content, modifiedAt });
const directory = (modifiedAt = 5) => ({ type: 'directory', content: '', modifiedAt });

function empty(limits: Partial<FileLimits> = {}): VirtualFiles {
  return new VirtualFiles({ now: () => 5, limits });
}

async function withFiles(files: Record<string, string | Uint8Array>): Promise<VirtualFiles> {
  const made = empty();
  for (const [path, content] of Object.entries(files)) await made.write(path, content);
  return made;
}

async function everything(files: Files): Promise<[string, string][]> {
  const infos = await files.list('/', { recursive: true });
  return Promise.all(
    infos.map(async ({ path, type }): Promise<[string, string]> => [
      path,
      type === 'file' ? await files.read(path) : '<directory>',
    ]),
  );
}

async function refusal(call: Promise<unknown>): Promise<RoleZeroError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof RoleZeroError) return outcome;
  throw new Error('was not rejected');
}

describe.each([
  ['working copy', (files: VirtualFiles): Files => files],
  ['stage', (files: VirtualFiles): Files => files.stage()],
])('files contract: %s', (_, make) => {
  test('reads what was written, and creates missing directories', async () => {
    const files = make(empty());
    await files.write('src/deep/a.txt', 'hällo');
    expect(await files.read('/src/deep/a.txt')).toBe('hällo');
    expect(await files.stat('src/deep/a.txt')).toEqual({
      path: '/src/deep/a.txt',
      type: 'file',
      size: 6,
      modifiedAt: 5,
    });
    expect(await everything(files)).toEqual([
      ['/src', '<directory>'],
      ['/src/deep', '<directory>'],
      ['/src/deep/a.txt', 'hällo'],
    ]);
  });

  test('bytes and text are two views of one file', async () => {
    const files = make(empty());
    await files.write('a', bytes(0xef, 0xbb, 0xbf, 0x68, 0x69));
    await files.write('b', '€');
    expect(await files.read('a')).toBe('\ufeffhi');
    expect(await files.readBytes('b')).toEqual(bytes(0xe2, 0x82, 0xac));
  });

  test('input and output bytes are copies', async () => {
    const files = make(empty());
    const given = bytes(1, 2);
    await files.write('a', given);
    given[0] = 9;
    const taken = await files.readBytes('a');
    taken[1] = 9;
    expect(await files.readBytes('a')).toEqual(bytes(1, 2));
  });

  test('undecodable bytes are read with replacement characters', async () => {
    const files = make(empty());
    await files.write('a', bytes(0x68, 0xff, 0x69));
    expect(await files.read('a')).toBe('h\ufffdi');
  });

  test('lists one directory or everything, sorted by path', async () => {
    const files = make(await withFiles({ 'b/x': '', 'b.txt': '', 'a/y': '' }));
    const paths = async (...args: Parameters<Files['list']>) =>
      (await files.list(...args)).map(({ path }) => path);
    expect(await paths()).toEqual(['/a', '/b', '/b.txt']);
    expect(await paths('b')).toEqual(['/b/x']);
    expect(await paths('/', { recursive: true })).toEqual(['/a', '/a/y', '/b', '/b.txt', '/b/x']);
    expect((await refusal(files.list('nowhere'))).code).toBe('not-found');
    expect((await refusal(files.list('b.txt'))).message).toBe(
      '/b.txt is a file, not a directory. Read it instead.',
    );
  });

  test('missing paths are null, the root is a directory', async () => {
    const files = make(empty());
    expect(await files.stat('a')).toBeNull();
    expect(await files.stat('/')).toEqual({ path: '/', type: 'directory', size: 0, modifiedAt: 0 });
  });

  test('removes a file, or a directory with everything in it', async () => {
    const files = make(await withFiles({ 'd/e/x': '1', 'd/y': '2', z: '3' }));
    await files.remove('d');
    await files.remove('/z');
    expect(await everything(files)).toEqual([]);
    expect((await refusal(files.remove('d'))).code).toBe('not-found');
  });

  test('moves a file, or a directory with everything in it', async () => {
    const files = make(await withFiles({ 'd/e/x': '1', 'd/y': '2' }));
    await files.move('d', 'new/place');
    await files.move('new/place/y', 'y');
    expect(await everything(files)).toEqual([
      ['/new', '<directory>'],
      ['/new/place', '<directory>'],
      ['/new/place/e', '<directory>'],
      ['/new/place/e/x', '1'],
      ['/y', '2'],
    ]);
  });

  test('rejects impossible operations without a change', async () => {
    const files = make(await withFiles({ 'd/x': '1', f: '2' }));
    const before = await everything(files);
    const codes: Record<string, string> = {};
    const attempts: Record<string, () => Promise<unknown>> = {
      'read a missing file': () => files.read('nothing'),
      'read a directory': () => files.read('d'),
      'write a directory': () => files.write('d', 'x'),
      'write the root': () => files.write('/', 'x'),
      'write below a file': () => files.write('f/x/y', 'x'),
      'make a directory of a file': () => files.makeDirectory('f'),
      'remove the root': () => files.remove('/'),
      'move a missing file': () => files.move('nothing', 'x'),
      'move onto something': () => files.move('f', 'd/x'),
      'move onto itself': () => files.move('f', 'f'),
      'move into itself': () => files.move('d', 'd/e/f'),
      'move the root': () => files.move('/', '/x'),
      'move out': () => files.move('f', '../f'),
      'move too deep': () => files.move('d', `${'a/'.repeat(63)}d`),
    };
    for (const [name, attempt] of Object.entries(attempts)) codes[name] = (await refusal(attempt())).code;
    expect(codes).toEqual({
      'read a missing file': 'not-found',
      'read a directory': 'invalid',
      'write a directory': 'invalid',
      'write the root': 'invalid',
      'write below a file': 'invalid',
      'make a directory of a file': 'invalid',
      'remove the root': 'invalid',
      'move a missing file': 'not-found',
      'move onto something': 'invalid',
      'move onto itself': 'invalid',
      'move into itself': 'invalid',
      'move the root': 'invalid',
      'move out': 'permission',
      'move too deep': 'invalid',
    });
    expect(await everything(files)).toEqual(before);
  });

  test('A-194 rejects paths outside the workspace in every operation', async () => {
    const files = make(await withFiles({ a: '1' }));
    const attempts = [
      files.read('../x'),
      files.readBytes('../x'),
      files.write('/../etc/passwd', 'x'),
      files.stat('C:\\x'),
      files.list('..'),
      files.makeDirectory('../x'),
      files.remove('../x'),
      files.move('../x', 'y'),
      files.move('a', '..\uff0fx'),
    ];
    const errors = await Promise.all(attempts.map(refusal));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['permission']));
  });
});

describe('limits', () => {
  test('limit one file, all files, and their number; each error names the option', async () => {
    const files = empty({ fileBytes: 4, totalBytes: 6, files: 3 });
    await files.write('a', '1234');
    expect((await refusal(files.write('b', '€€'))).message).toBe(
      '/b was not written: it would have 6 bytes and a file may have 4. ' +
        'Remove what is not needed or write less; the application can raise limits.fileBytes.',
    );
    expect((await refusal(files.write('b', '123'))).message).toContain('7 bytes of 6');
    await files.write('a', '12');
    await files.write('d/b', '1234');
    const error = await refusal(files.stage().write('c', ''));
    expect([error.message, error.detail]).toEqual([
      expect.stringContaining('there would be 4 files and directories of at most 3'),
      { path: '/c', limit: 'files', allowed: 3 },
    ]);
    expect((await refusal(files.makeDirectory('e/f'))).message).toContain('limits.files');
    await files.remove('d');
    await files.write('c', '1234');
    expect(textsOf(files)).toEqual({ '/a': '12', '/c': '1234' });
  });

  test('counts the added and removed sizes of a stage', async () => {
    const stage = empty({ totalBytes: 4 }).stage();
    await stage.write('a', '1234');
    expect((await refusal(stage.write('b', '1'))).detail).toEqual({
      path: '/b',
      limit: 'totalBytes',
      allowed: 4,
    });
    await stage.remove('a');
    await stage.write('b', '1234');
    stage.apply();
    expect((await refusal(stage.write('c', '1'))).code).toBe('invalid');
  });

  test('allow eight megabytes and not a byte more by default', async () => {
    const files = empty();
    await files.write('a', new Uint8Array(8 * 1024 * 1024));
    expect((await refusal(files.write('b', 'a'.repeat(8 * 1024 * 1024 + 1)))).detail).toEqual({
      path: '/b',
      limit: 'fileBytes',
      allowed: 8 * 1024 * 1024,
    });
  });
});

describe('stages', () => {
  test('keeps changes in the stage until they are applied', async () => {
    const files = await withFiles({ a: '1', b: '2' });
    const stage = files.stage();
    await stage.write('a', 'new');
    await stage.remove('b');
    await stage.write('d/c', bytes(0xff));
    expect(textsOf(files)).toEqual({ '/a': '1', '/b': '2' });
    expect(stage.changes()).toEqual([
      { table: 'files', key: '/a', value: file('new') },
      { table: 'files', key: '/b', value: undefined },
      { table: 'files', key: '/d', value: directory() },
      { table: 'files', key: '/d/c', value: file(bytes(0xff)) },
    ]);
    expect(stage.effects()).toEqual([
      { path: '/a', change: 'written' },
      { path: '/b', change: 'removed' },
      { path: '/d/c', change: 'written' },
    ]);
    stage.apply();
    expect(await everything(files)).toEqual([
      ['/a', 'new'],
      ['/d', '<directory>'],
      ['/d/c', '\ufffd'],
    ]);
    expect([stage.changes(), stage.effects()]).toEqual([[], []]);
  });

  test('reports no change for a file that was created and removed', async () => {
    const stage = (await withFiles({ a: '1' })).stage();
    await stage.write('d/x', '1');
    await stage.remove('d');
    expect([stage.changes(), stage.effects()]).toEqual([[], []]);
  });

  test('replaces a directory by a file and vice versa', async () => {
    const files = await withFiles({ 'd/x': '1', f: '2' });
    const stage = files.stage();
    await stage.remove('d');
    await stage.write('d', 'file');
    await stage.remove('f');
    await stage.write('f/y', 'below');
    expect(stage.effects()).toEqual([
      { path: '/d', change: 'written' },
      { path: '/d/x', change: 'removed' },
      { path: '/f', change: 'removed' },
      { path: '/f/y', change: 'written' },
    ]);
    stage.apply();
    expect(textsOf(files)).toEqual({ '/d': 'file', '/f/y': 'below' });
  });

  test('keeps a valid tree after concurrent writes of the user, in memory and in the store', async () => {
    const files = await withFiles({ 'gone/x': '1', 'mine/x': '2', 'f/x': '3' });
    const stage = files.stage();
    await stage.remove('gone');
    await stage.write('mine/y', 'stage');
    await stage.remove('f');
    await stage.write('f', 'a file now');
    await files.write('gone/deep/new', 'user');
    await files.remove('mine');
    await files.write('f/new', 'user');

    const records = new Map(recordsOf(files));
    write(records, stage.changes());
    stage.apply();
    expect(await everything(files)).toEqual([
      ['/f', 'a file now'],
      ['/mine', '<directory>'],
      ['/mine/y', 'stage'],
    ]);
    expect(await everything(restored(records))).toEqual(await everything(files));
  });

  test('ten thousand files do not slow down a stage or a listing of one directory', async () => {
    const files = empty();
    for (let i = 0; i < 9_000; i += 1) await files.write(`many/${i}`, '');
    await files.write('few/one', '');
    let asked = 0;
    const childrenOf = files.childrenOf.bind(files);
    files.childrenOf = (path) => {
      asked += [...childrenOf(path)].length;
      return childrenOf(path);
    };
    const stage = files.stage();
    await stage.write('few/two', '');
    expect((await stage.list('few')).map(({ path }) => path)).toEqual(['/few/one', '/few/two']);
    expect([stage.changes().length, stage.effects().length, asked]).toEqual([1, 1, 1]);
  });
});

describe('restoring', () => {
  test('loads records in any order, with implied directories', async () => {
    const files = new VirtualFiles({ now: () => 9 }).restore([
      { key: '/d/e/x', value: file('text', 1) },
      { key: '/b', value: file(bytes(1, 0), 2) },
      { key: '/empty', value: directory(3) },
    ]);
    expect(await files.list('/', { recursive: true })).toEqual([
      { path: '/b', type: 'file', size: 2, modifiedAt: 2 },
      { path: '/d', type: 'directory', size: 0, modifiedAt: 9 },
      { path: '/d/e', type: 'directory', size: 0, modifiedAt: 9 },
      { path: '/d/e/x', type: 'file', size: 4, modifiedAt: 1 },
      { path: '/empty', type: 'directory', size: 0, modifiedAt: 3 },
    ]);
    expect(textsOf(files)).toEqual({ '/d/e/x': 'text' });
  });

  test.each([
    ['not an object', '/a', null],
    ['no type', '/a', { content: '', modifiedAt: 1 }],
    ['another type', '/a', { type: 'link', content: '', modifiedAt: 1 }],
    ['no content', '/a', { type: 'file', modifiedAt: 1 }],
    ['a number as content', '/a', { type: 'file', content: 1, modifiedAt: 1 }],
    ['no date', '/a', { type: 'file', content: '' }],
    ['an impossible date', '/a', file('', Number.NaN)],
    ['a directory with content', '/a', { ...directory(), content: 'x' }],
    ['a relative key', 'a', file('')],
    ['a key that leads out', '/../a', file('')],
    ['the root', '/', directory()],
  ])('names a damaged record: %s', (_, key, value) => {
    const restore = () => new VirtualFiles({ now: () => 0 }).restore([{ key, value }]);
    expect(restore).toThrow(expect.objectContaining({ code: 'storage-corrupt', detail: { key } }));
  });

  test('rejects a file inside a file as damage', () => {
    const records = [
      { key: '/a/b', value: file('') },
      { key: '/a', value: file('') },
    ];
    expect(() => new VirtualFiles({ now: () => 0 }).restore(records)).toThrow(
      expect.objectContaining({ code: 'storage-corrupt', detail: { key: '/a/b' } }),
    );
  });

  test('omits binary files from texts', async () => {
    const files = await withFiles({
      text: bytes(0xc3, 0xa4),
      latin: bytes(0xe4),
      nul: bytes(0x61, 0),
      string: 'x',
    });
    expect(textsOf(files)).toEqual({ '/string': 'x', '/text': 'ä' });
  });
});

test('gives UTF-8 sizes for every text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: 0, max: 0xffff })),
      async (a, b) => {
        for (const text of [a, String.fromCharCode(...b)]) {
          const files = await withFiles({ x: text });
          expect((await files.stat('x'))?.size).toBe(new TextEncoder().encode(text).length);
        }
      },
    ),
  );
});

test('stages, applied or dropped, match a list of paths, and the store can always restore it', async () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .map((names) => `/${names.join('/')}`);
  const operation = fc.oneof(
    fc.record({ op: fc.constant('write' as const), path, text: fc.string({ maxLength: 3 }) }),
    fc.record({ op: fc.constant('remove' as const), path }),
    fc.record({ op: fc.constant('make' as const), path }),
    fc.record({ op: fc.constant('move' as const), path, to: path }),
  );
  const batch = fc.record({ operations: fc.array(operation, { maxLength: 8 }), apply: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 5 }), async (batches) => {
      const files = empty();
      const records = new Map<string, unknown>();
      let model = new Map<string, string>();
      for (const { operations, apply } of batches) {
        const stage = files.stage();
        const next = new Map(model);
        for (const step of operations) {
          const call =
            step.op === 'write'
              ? stage.write(step.path, step.text)
              : step.op === 'remove'
                ? stage.remove(step.path)
                : step.op === 'make'
                  ? stage.makeDirectory(step.path)
                  : stage.move(step.path, step.to);
          const done = await call.then(
            () => true,
            () => false,
          );
          expect(done).toBe(modelStep(next, step));
          expect(await everything(stage)).toEqual(sorted(next));
        }
        expect(await everything(files)).toEqual(sorted(model));
        if (!apply) continue;
        write(records, stage.changes());
        stage.apply();
        model = next;
        expect(await everything(files)).toEqual(sorted(model));
        expect(await everything(restored(records))).toEqual(sorted(model));
        expect([...records.keys()].sort()).toEqual([...model.keys()].sort());
      }
    }),
    { numRuns: 200 },
  );
});

type Step =
  | { op: 'write'; path: string; text: string }
  | { op: 'remove' | 'make'; path: string }
  | { op: 'move'; path: string; to: string };

const DIRECTORY = '<directory>';

/** The same by brute force; false when it is rejected. */
function modelStep(model: Map<string, string>, step: Step): boolean {
  const below = (path: string) =>
    [...model.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
  const parents = (path: string) => {
    const names = path.split('/').slice(1, -1);
    return names.map((_, i) => `/${names.slice(0, i + 1).join('/')}`);
  };
  const isFile = (path: string) => model.has(path) && model.get(path) !== DIRECTORY;
  if (step.op === 'remove') {
    if (!model.has(step.path)) return false;
    for (const each of below(step.path)) model.delete(each);
    return true;
  }
  const target = step.op === 'move' ? step.to : step.path;
  if (parents(target).some(isFile)) return false;
  if (step.op === 'write') {
    if (model.get(target) === DIRECTORY) return false;
    for (const parent of parents(target)) model.set(parent, DIRECTORY);
    model.set(target, step.text);
    return true;
  }
  if (step.op === 'make') {
    if (isFile(target)) return false;
    for (const parent of [...parents(target), target]) model.set(parent, DIRECTORY);
    return true;
  }
  if (!model.has(step.path) || model.has(target) || target.startsWith(`${step.path}/`)) return false;
  const moved = below(step.path).map(
    (each) => [target + each.slice(step.path.length), model.get(each) ?? ''] as const,
  );
  for (const each of below(step.path)) model.delete(each);
  for (const parent of parents(target)) model.set(parent, DIRECTORY);
  for (const [path, content] of moved) model.set(path, content);
  return true;
}

function sorted(model: Map<string, string>): [string, string][] {
  return [...model].sort(([a], [b]) => (a < b ? -1 : 1));
}

function recordsOf(files: VirtualFiles): [string, unknown][] {
  return Object.entries(textsOf(files)).map(([key, content]) => [key, file(content)]);
}

function write(records: Map<string, unknown>, writes: Write[]): void {
  for (const { key, value } of writes) {
    if (value === undefined) records.delete(key);
    else records.set(key, structuredClone(value));
  }
}

function restored(records: Map<string, unknown>): VirtualFiles {
  return new VirtualFiles({ now: () => 5 }).restore([...records].map(([key, value]) => ({ key, value })));
}

test('a snapshot reads the contents of wanted files only', async () => {
  const read: string[][] = [];
  const text = 'x'.repeat(2_000);
  const stored = (key: string) => ({ key, size: text.length, hash: new Content(text).hash() });
  const files = new VirtualFiles({
    now: () => 0,
    contents: async (keys) => {
      read.push([...keys]);
      return keys.map((key) => ({ key, value: text }));
    },
  }).restore([
    { key: '/a', value: { type: 'file', stored: stored('1'), modifiedAt: 0 } },
    { key: '/b', value: { type: 'file', stored: stored('2'), modifiedAt: 0 } },
  ]);
  const stage = files.stage();
  const all = await stage.snapshot((infos) => {
    expect(infos.map(({ path, size }) => [path, size])).toEqual([
      ['/a', text.length],
      ['/b', text.length],
    ]);
    return (path) => path === '/b';
  });
  expect(all.map(({ path, content }) => [path, content?.length])).toEqual([
    ['/a', undefined],
    ['/b', text.length],
  ]);
  expect(read).toEqual([['2']]);
  expect(stage.touched().read).toEqual([]);
});
