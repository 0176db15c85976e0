import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { JsonValue } from '../../../src/core/json.js';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import type { SessionLimits } from '../../../src/session/team.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { counting, dyingAt } from './storages.js';

type Step = (readonly [name: string, args: Record<string, JsonValue>])[];

async function open(
  steps: readonly Step[],
  { storage = memoryStorage(), limits = {} }: { storage?: Storage; limits?: Partial<SessionLimits> } = {},
): Promise<{ session: Session; events: AgentEvent[]; storage: Storage }> {
  const events: AgentEvent[] = [];
  const model = scriptedModel({ think: [...steps.map((step) => commands(...step)), commands(['end', {}])] });
  const session = await Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: [new RoleZero({ model, tools: [...editor(), ...terminal()] })],
    limits,
    askUser: null,
    emit: (event) => events.push(event),
  });
  return { session, events, storage };
}

async function work(session: Session): Promise<void> {
  const { result } = await session.send('go');
  expect((await result).status).toBe('done');
}

async function texts(session: Session): Promise<Record<string, string>> {
  const all = await session.files.readAll();
  return Object.fromEntries(
    all.flatMap(({ path, content }) =>
      content === undefined ? [] : [[path, new TextDecoder().decode(content)]],
    ),
  );
}

const run = (cmd: string): Step[number] => ['Terminal.run_command', { cmd }];
const write = (path: string, content: string): Step[number] => ['Editor.write', { path, content }];
const append = (path: string, content: string): Step[number] => ['Editor.append_file', { path, content }];
const LINES = Array.from({ length: 20 }, (_, line) => `line ${line + 1}\n`).join('');

describe('a user can undo file changes of an agent', () => {
  test('undoes one command, then the whole step, then the whole run', async () => {
    const { session } = await open([
      [write('/a', 'one\n'), run('mkdir -p /d; for i in 1 2 3; do echo $i > /d/$i; done')],
      [run('sed -i s/one/two/ /a; rm /d/1; mv /d/2 /d/e'), write('/b', 'b\n')],
    ]);
    await work(session);
    const history = await session.files.history();
    expect(history.map(({ name, paths, by, undone }) => ({ name, paths, by, undone }))).toEqual([
      { name: 'Editor.write', paths: ['/a'], by: 'agent', undone: false },
      { name: 'Terminal.run_command', paths: ['/d/1', '/d/2', '/d/3'], by: 'agent', undone: false },
      { name: 'Terminal.run_command', paths: ['/a', '/d/1', '/d/2', '/d/e'], by: 'agent', undone: false },
      { name: 'Editor.write', paths: ['/b'], by: 'agent', undone: false },
    ]);
    expect(new Set(history.map(({ step }) => step)).size).toBe(2);
    const last = history[3];
    expect(await session.files.undo(last?.id ?? '')).toMatchObject({ paths: ['/b'], conflicts: [] });
    expect(await texts(session)).toEqual({ '/a': 'two\n', '/d/3': '3\n', '/d/e': '2\n' });
    const { paths } = await session.files.undo(last?.step ?? '');
    expect(paths).toEqual(['/a', '/d/1', '/d/2', '/d/e']);
    expect(await texts(session)).toEqual({ '/a': 'one\n', '/d/1': '1\n', '/d/2': '2\n', '/d/3': '3\n' });
    await session.files.undo((history[0]?.id ?? '').split('.')[0] ?? '');
    expect(await session.files.list()).toEqual([]);
  });

  test('shows the files after each step, and the changes of each, before an undo', async () => {
    const { session } = await open([
      [write('/a', 'one\n'), run('mkdir -p /d; echo 1 > /d/1')],
      [run('sed -i s/one/two/ /a; rm /d/1; mkdir /e'), write('/b', 'b\n')],
    ]);
    await session.files.write('/bytes', new Uint8Array([0]));
    await session.files.write('/mine', 'm');
    await work(session);
    const { files } = session;
    await files.write('/a', 'three\n');
    await files.remove('/b');
    const [, mine, first, , second] = await files.history();
    const seen = async (id = '') =>
      (await files.after(id)).map(({ path, change, size }) => `${path} ${change} ${size}`);
    expect(await seen(mine?.id)).toEqual(['/bytes null 1', '/mine written 1']);
    const one = ['/a written 4', '/bytes null 1', '/d/1 written 2', '/mine null 1'];
    expect(await seen(first?.step)).toEqual(one);
    const two = ['/a written 4', '/b written 2', '/bytes null 1', '/d/1 removed 0', '/mine null 1'];
    expect(await seen(second?.step)).toEqual(two);
    expect(await seen(first?.id)).toEqual(['/a written 4', '/bytes null 1', '/mine null 1']); // Only the first command.

    const between = (id: string | undefined, path: string) => files.difference(id ?? '', path);
    expect(await between(first?.step, '/a')).toEqual({ path: '/a', before: null, after: 'one\n' });
    expect(await between(second?.step, 'a')).toEqual({ path: '/a', before: 'one\n', after: 'two\n' });
    expect(await between(second?.step, '/d/1')).toEqual({ path: '/d/1', before: '1\n', after: null });
    expect(await between(second?.step, '/mine')).toEqual({ path: '/mine', before: 'm', after: 'm' });
    expect(await between(first?.step, '/bytes')).toEqual({ path: '/bytes', before: null, after: null });
    const held = async (id: string | undefined, path: string) => [
      ...(await files.bytesAfter(id ?? '', path)),
    ];
    expect(await held(first?.step, '/bytes')).toEqual([0]);
    await files.write('/bytes', new Uint8Array([1, 2]));
    expect(await held(second?.step, '/bytes')).toEqual([0]);
    expect(await held(first?.step, '/a')).toEqual([...new TextEncoder().encode('one\n')]);
    await expect(held(second?.step, '/d/1')).rejects.toMatchObject({ code: 'not-found' }); // Removed by then.
    await files.undo(first?.step ?? '', { resolve: 'now' });
    expect([await seen(first?.step), await seen(second?.step)]).toEqual([one, two]); // An undo does not change the past either.

    await expect(between(first?.step, '/b')).rejects.toMatchObject({ code: 'not-found' });
    await expect(files.after('nothing')).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('"nothing"') as string,
    });
  });

  test('undoing the undo restores the change, which can then be undone again', async () => {
    const { session, events } = await open([[write('/a', 'one'), append('/a', 'two')]]);
    await work(session);
    const [first] = await session.files.history();
    const step = first?.step ?? '';
    const undone = await session.files.undo(step);
    expect(await session.files.list()).toEqual([]);
    await expect(session.files.undo(step)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('was already undone') as string,
    });
    await session.files.undo(undone.id);
    expect(await texts(session)).toEqual({ '/a': 'one\ntwo\n' });
    await session.files.undo(step);
    expect(await session.files.list()).toEqual([]);
    const reported = events.filter((event) => event.type === 'file-changed').slice(-3);
    expect(reported).toEqual([
      { type: 'file-changed', path: '/a', change: 'removed', by: 'user' },
      { type: 'file-changed', path: '/a', change: 'written', by: 'user' },
      { type: 'file-changed', path: '/a', change: 'removed', by: 'user' },
    ]);
  });

  test('keeps what a user changed in other lines, before and after the change', async () => {
    const { session } = await open([[run('sed -i "s/line 10/LINE/" /a')]]);
    await session.files.write('/a', LINES);
    await work(session);
    const text = (await session.files.read('/a'))
      .replace('line 1\n', 'mine\n')
      .replace('line 20', 'also mine');
    await session.files.write('/a', text);
    const id = (await session.files.history()).find(({ by }) => by === 'agent')?.id ?? '';
    await session.files.undo(id);
    expect(await session.files.read('/a')).toBe(text.replace('LINE', 'line 10'));
  });

  test.each<[string, string, (session: Session) => Promise<unknown>, string]>([
    [
      'the same lines',
      'sed -i "s/line 10/LINE/" /a',
      (s) => s.files.write('/a', 'mine'),
      'the same lines were changed',
    ],
    ['what undo would remove', 'echo new > /n', (s) => s.files.write('/n', 'mine'), 'would be removed'],
    ['what was removed', 'echo x >> /a', (s) => s.files.remove('/a'), 'it was removed since then'],
    ['its replacement', 'rm /a', (s) => s.files.write('/a', 'mine'), 'something else was put there'],
    [
      'its directory',
      'rm -r /d',
      (s) => s.files.write('/d', 'mine'),
      'was replaced|something else was put|is a file',
    ],
    ['bytes', 'printf "\\0b" > /bin', (s) => s.files.write('/bin', new Uint8Array([0, 9])), 'is not text'],
  ])(
    'reports a conflict when a user changed %s: nothing is undone, or only the rest',
    async (_, cmd, meddle, why) => {
      const { session } = await open([[write('/other', 'x'), run(cmd)]]);
      await session.files.write('/a', LINES);
      await session.files.write('/d/f', 'in a directory');
      await session.files.write('/bin', new Uint8Array([0, 1]));
      await work(session);
      await meddle(session);
      const before = await texts(session);
      const step = (await session.files.history()).find(({ by }) => by === 'agent')?.step ?? '';
      const refused = await session.files.undo(step);
      expect(refused).toMatchObject({ id: '', paths: [] });
      expect(refused.conflicts.map((conflict) => conflict.why).join()).toMatch(new RegExp(why));
      expect(await texts(session)).toEqual(before);
      const { paths, conflicts } = await session.files.undo(step, { resolve: 'now' });
      expect(paths).toEqual(['/other']);
      expect(conflicts.map(({ choice }) => choice)).toEqual(conflicts.map(() => 'now'));
      expect(conflicts.length).toBeGreaterThan(0);
      const { '/other': _gone, ...rest } = before;
      expect(await texts(session)).toEqual(rest);
    },
  );

  test('gives the same result after a reload, and through an export', async () => {
    const { session, storage } = await open([[write('/a', 'one\n')], [run('echo two > /a; echo b > /b')]]);
    await work(session);
    const document = JSON.parse(JSON.stringify(await session.export())) as unknown;
    await session.close();
    await storage.import(document, 'copy');
    for (const name of ['s', 'copy']) {
      const again = await Session.open({
        storage,
        name,
        roles: [new RoleZero({ model: scriptedModel([]), tools: editor() })],
        askUser: null,
        emit: () => {},
      });
      await again.files.undo((await again.files.history())[1]?.id ?? '');
      expect(await texts(again)).toEqual({ '/a': 'one\n' });
      await again.close();
    }
  });

  test('undoes completely or not at all when it is killed before or after its commit', async () => {
    const steps: Step[] = [[write('/a', 'one\n'), run('echo two > /a; mkdir /d; echo d > /d/d')]];
    const plain = memoryStorage();
    const counted = counting(plain);
    const { session } = await open(steps, { storage: counted.storage });
    await work(session);
    const commits = counted.count();
    const done = await texts(session);
    for (const moment of ['before', 'after'] as const) {
      const storage = memoryStorage();
      const dying = dyingAt(storage, commits + 1, moment);
      const first = await open(steps, { storage: dying.storage });
      await work(first.session);
      const id = (await first.session.files.history())[1]?.id ?? '';
      void first.session.files.undo(id);
      await dying.died;
      const { session: again } = await open([], { storage });
      expect(await texts(again)).toEqual(moment === 'before' ? done : { '/a': 'one\n' });
      if (moment === 'before') await again.files.undo(id);
      else await expect(again.files.undo(id)).rejects.toMatchObject({ code: 'not-found' });
      expect(await texts(again)).toEqual({ '/a': 'one\n' });
    }
  });

  test('does not restore a file over a concurrent write that it has not seen', async () => {
    const { session } = await open([[run('printf agent > /a')]]);
    await session.files.write('/a', 'first');
    // The user's write is being stored while the agent's command reads and writes.
    const running = await session.send('go');
    const together = Array.from({ length: 30 }, (_, index) => session.files.write('/a', `person ${index}`));
    await Promise.all([...together, running.result]);
    const entries = await session.files.history();
    const agent = entries.find(({ by }) => by === 'agent');
    const before = await session.files.read('/a');
    const { conflicts } = await session.files.undo(agent?.id ?? '');
    const after = await session.files.read('/a');
    if (conflicts.length > 0) expect(after).toBe(before);
    else expect([before, /^person \d+$|^first$/.test(after)]).toEqual(['agent', true]);
  });

  test('names a change that cannot be stored, and the limit can be raised', async () => {
    const small = { limits: { historyBytes: 10 } };
    const { session } = await open([[run('echo changed > /a')], [run('echo more > /b')]], small);
    await session.files.write('/a', 'more than ten bytes');
    await work(session);
    const agent = (await session.files.history()).find(({ by }) => by === 'agent');
    expect(await session.files.undo(agent?.id ?? '')).toMatchObject({
      conflicts: [
        { why: 'too much was changed at once to be stored (limits.historyBytes)', choices: ['now'] },
      ],
    });
    await expect(session.files.difference(agent?.id ?? '', '/a')).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('is no longer stored') as string,
    });
    const [given] = await session.files.history();
    await expect(session.files.bytesAfter(given?.id ?? '', '/a')).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('is no longer stored') as string,
    });
    for (let i = 0; i < 5; i++) await session.files.write('/c', `${i}`.repeat(4));
    const stored = await session.files.history();
    expect(stored.length).toBeLessThan(5);
    await expect(session.files.undo(agent?.id ?? '')).rejects.toMatchObject({ code: 'not-found' });
    const last = stored.at(-1)?.id ?? '';
    await session.files.undo(last);
    expect(await session.files.read('/c')).toBe('3333');
  });

  test('stores each needed content once, and no others', async () => {
    const storage = memoryStorage();
    const { session } = await open([], { storage, limits: { historyBytes: 100 } });
    for (let i = 0; i < 40; i++) await session.files.write('/a', `${i % 4}`.repeat(20));
    await session.close();
    const store = await storage.open('s');
    const contents = await store.load('contents');
    expect(contents.map(({ value }) => value).sort()).toEqual(
      [0, 1, 2, 3].map((digit) => `${digit}`.repeat(20)),
    );
  });
});
