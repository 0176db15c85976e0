import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { FileChangeEvent } from '../../../src/core/files.js';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import type { SessionLimits } from '../../../src/session/team.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { counting, dyingAt } from './storages.js';

const EVERYTHING = commands(
  ['Editor.write', { path: '/src/a.ts', content: 'a' }],
  ['Terminal.run_command', { cmd: 'cp /src/a.ts /src/b.ts; rm /old; mkdir /empty' }],
);

async function open(
  storage: Storage = memoryStorage(),
  limits: Partial<SessionLimits> = {},
  emit: (event: AgentEvent) => void = () => {},
): Promise<Session> {
  const model = scriptedModel({ think: [EVERYTHING, commands(['end', {}])] });
  const roles = [new RoleZero({ model, tools: [...editor(), ...terminal()] })];
  return Session.open({ storage, name: 's', takeOver: true, roles, limits, askUser: null, emit });
}

async function paths(session: Session): Promise<string[]> {
  return (await session.files.list()).map(({ path }) => path);
}

describe('watching files', () => {
  test('reports changes by editor, shell and user, of one file, a directory or a pattern', async () => {
    const session = await open();
    await session.files.write('/old', 'x');
    const heard: Record<string, FileChangeEvent[]> = {};
    const offs = ['/', '/src', '/src/', '/src/b.ts', '*.ts', '/**/b.*', '/sr'].map((watched) =>
      session.files.watch(watched, (event) => (heard[watched] ??= []).push(event)),
    );
    await (
      await session.send('go')
    ).result;
    await session.files.write('/src/c.txt', 'c');
    for (const off of offs) off();
    await session.files.write('/src/a.ts', 'nobody listens');
    const a = { path: '/src/a.ts', change: 'written', by: 'agent' };
    const b = { path: '/src/b.ts', change: 'written', by: 'agent' };
    const c = { path: '/src/c.txt', change: 'written', by: 'user' };
    expect(heard).toEqual({
      '/': [a, { path: '/old', change: 'removed', by: 'agent' }, b, c],
      '/src': [a, b, c],
      '/src/': [a, b, c],
      '/src/b.ts': [b],
      '*.ts': [a, b],
      '/**/b.*': [b],
    });
  });
});

describe('many files at once', () => {
  test('are written in one transaction, with directories, without unchanged files', async () => {
    const counted = counting(memoryStorage());
    const events: AgentEvent[] = [];
    const session = await open(counted.storage, {}, (event) => events.push(event));
    const before = counted.count();
    const bytes = new Uint8Array([0, 255, 128]);
    const files = [{ path: '/a', content: 'text' }, { path: 'b/c', content: bytes }, { path: '/empty' }];
    expect(await session.files.writeAll(files)).toEqual(['/a', '/b/c']);
    expect(counted.count() - before).toBe(1);
    expect(await session.files.readAll()).toMatchObject([
      { path: '/a', content: new TextEncoder().encode('text') },
      { path: '/b', type: 'directory' },
      { path: '/b/c', content: bytes },
      { path: '/empty', type: 'directory' },
    ]);
    expect(await session.files.readAll('/b/c')).toHaveLength(1);
    expect(await session.files.writeAll(files)).toEqual([]);
    expect(events.filter(({ type }) => type === 'file-changed')).toHaveLength(2);
  });

  test('rejects existing files unless `existing` is set', async () => {
    const session = await open();
    await session.files.writeAll([
      { path: '/a', content: 'a' },
      { path: '/b', content: 'b' },
    ]);
    const files = [
      { path: '/a', content: 'new' },
      { path: '/c', content: 'c' },
    ];
    await expect(session.files.writeAll(files)).rejects.toMatchObject({
      code: 'conflict',
      detail: { paths: ['/a'] },
    });
    expect(await paths(session)).toEqual(['/a', '/b']);
    expect(await session.files.writeAll(files, { existing: 'keep' })).toEqual(['/c']);
    expect(await session.files.read('/a')).toBe('a');
    expect(await session.files.writeAll(files, { existing: 'replace' })).toEqual(['/a']);
    expect(await session.files.read('/a')).toBe('new');
  });

  test.each([
    [
      [
        { path: '/a', content: '1' },
        { path: 'a', content: '2' },
      ],
      'invalid',
      'given twice',
    ],
    [[{ path: '/a', content: '1' }, { path: '/a' }], 'invalid', 'given twice'],
    [
      [
        { path: '/ok', content: '1' },
        { path: '../a', content: '2' },
      ],
      'permission',
      'leads out',
    ],
    [
      [
        { path: '/a', content: '1' },
        { path: '/a/b', content: '2' },
      ],
      'invalid',
      'is a file',
    ],
    [
      [
        { path: '/ok', content: '1' },
        { path: '/b', content: 'x'.repeat(101) },
      ],
      'invalid',
      'limits.fileBytes',
    ],
    [Array.from({ length: 6 }, (_, i) => ({ path: `/${i}`, content: 'x' })), 'invalid', 'limits.files'],
    [[1, 2, 3].map((i) => ({ path: `/${i}`, content: 'x'.repeat(99) })), 'invalid', 'limits.totalBytes'],
  ])('%# are written completely or, with a named error, not at all', async (files, code, message) => {
    const session = await open(memoryStorage(), { fileBytes: 100, files: 5, totalBytes: 250 });
    await expect(session.files.writeAll(files)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
    expect(await paths(session)).toEqual([]);
  });

  test('killed at their commit, all or none exist', async () => {
    for (const moment of ['before', 'after'] as const) {
      const storage = memoryStorage();
      const dying = dyingAt(storage, 1, moment);
      const first = await open(dying.storage);
      void first.files.writeAll(Array.from({ length: 50 }, (_, i) => ({ path: `/d/${i}`, content: `${i}` })));
      await dying.died;
      expect(await paths(await open(storage))).toHaveLength(moment === 'before' ? 0 : 51);
    }
  });
});

test('files can be copied and found by pattern', async () => {
  const session = await open();
  await session.files.write('/src/a.ts', 'a');
  await session.files.write('/src/deep/b.ts', 'b');
  await session.files.copy('/src', '/lib/copy');
  expect((await session.files.glob('/lib/**/*.ts')).map(({ path }) => path)).toEqual([
    '/lib/copy/a.ts',
    '/lib/copy/deep/b.ts',
  ]);
  expect(await session.files.read('/lib/copy/deep/b.ts')).toBe('b');
  await expect(session.files.copy('/src', '/src/deep/again')).rejects.toMatchObject({ code: 'invalid' });
  await expect(session.files.copy('/src/a.ts', '/lib')).rejects.toMatchObject({ code: 'invalid' });
  await expect(session.files.copy('/none', '/x')).rejects.toMatchObject({ code: 'not-found' });
  await expect(session.files.glob('*'.repeat(2000))).rejects.toMatchObject({ code: 'invalid' });
});

test('the quota of the application limits the agent, too', async () => {
  const events: AgentEvent[] = [];
  const session = await open(memoryStorage(), { totalBytes: 3 }, (event) => events.push(event));
  await session.files.write('/old', 'xx');
  await expect(session.files.copy('/old', '/copy')).rejects.toMatchObject({
    code: 'invalid',
    detail: { limit: 'totalBytes', allowed: 3 },
  });
  await (
    await session.send('go')
  ).result;
  const outputs = events.flatMap((event) => (event.type === 'command-end' ? [event.output] : []));
  expect(outputs[1]).toContain('no space left on device');
  expect(outputs[1]).toContain('limits.totalBytes');
  expect(await paths(session)).toContain('/src/a.ts');
});
