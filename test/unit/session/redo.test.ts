import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/session/session.js';
import { open, send } from './obedient.js';

async function texts(session: Session): Promise<Record<string, string>> {
  const all = await session.files.readAll();
  return Object.fromEntries(
    all.flatMap(({ path, content }) => (content ? [[path, new TextDecoder().decode(content)]] : [])),
  );
}

/** Ids of the changes by the agent, oldest first. */
async function made(session: Session): Promise<string[]> {
  const entries = await session.files.history();
  return entries.filter(({ by }) => by === 'agent').map(({ id }) => id);
}

describe('redo', () => {
  it('repeats the last undo, then the one before it, then reports that none is left', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    await send(session, 'append /a two');
    const [first = '', second = ''] = await made(session);
    await session.files.undo(second);
    await session.files.undo(first);
    expect(await texts(session)).toEqual({});
    expect(await session.files.redo()).toMatchObject({ paths: ['/a'], conflicts: [] });
    expect(await texts(session)).toEqual({ '/a': 'one\n' });
    await session.files.redo();
    expect(await texts(session)).toEqual({ '/a': 'one\ntwo\n' });
    await expect(session.files.redo()).rejects.toMatchObject({ code: 'not-found' });
    await session.files.undo(second);
    expect(await texts(session)).toEqual({ '/a': 'one\n' });
  });

  it('repeats one change of an undo of several', async () => {
    const { session } = await open();
    const request = await send(session, 'write /a one');
    await send(session, 'write /b two');
    const [first = '', second = ''] = await made(session);
    await session.files.undo(first);
    await session.files.undo(second);
    await session.files.redo(first);
    expect(await texts(session)).toEqual({ '/a': 'one\n' });
    await expect(session.files.redo(first)).rejects.toMatchObject({ code: 'not-found' });
    await session.files.undo(request);
    await session.files.redo(request);
    expect(await texts(session)).toEqual({ '/a': 'one\n' });
  });

  it('restores what an undo has overwritten', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    const [id = ''] = await made(session);
    await session.files.write('/a', 'mine\n');
    expect(await session.files.undo(id)).toMatchObject({ id: '', paths: [] });
    await session.files.undo(id, { resolve: 'restored' });
    expect(await texts(session)).toEqual({});
    await session.files.redo(id);
    expect(await texts(session)).toEqual({ '/a': 'mine\n' });
  });

  it('repeats the undo of what the user had reverted by hand', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    const [id = ''] = await made(session);
    await session.files.remove('/a');
    await session.files.undo(id);
    await session.files.redo(id);
    const isUndone = (await session.files.history()).find((entry) => entry.id === id)?.undone;
    expect([await texts(session), isUndone]).toEqual([{}, false]);
  });

  it('keeps lines that the user has added since the undo', async () => {
    const { session } = await open();
    await session.files.write('/a', 'base\n');
    await send(session, 'append /a two');
    const [id = ''] = await made(session);
    await session.files.undo(id);
    await session.files.write('/a', 'mine\nbase\n');
    await session.files.redo(id);
    expect(await texts(session)).toEqual({ '/a': 'mine\nbase\ntwo\n' });
  });
});

describe('undo of a part', () => {
  it('undoes a run by the id of its request, without changes of the user', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    const second = await send(session, 'write /a two');
    await session.files.write('/mine', 'm');
    await send(session, 'write /c three');
    expect(await session.files.undo(second)).toMatchObject({ paths: ['/a'] });
    expect(await texts(session)).toEqual({ '/a': 'one\n', '/mine': 'm', '/c': 'three\n' });
    await expect(session.files.undo(second)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('undoes and repeats one file of a step, and marks only that', async () => {
    const { session } = await open();
    await session.files.writeAll([
      { path: '/d/one', content: '1' },
      { path: '/d/two', content: '2' },
    ]);
    const [id = ''] = (await session.files.history()).map((entry) => entry.id);
    await session.files.undo(id, { path: '/d/one' });
    expect(await texts(session)).toEqual({ '/d/two': '2' });
    const state = async () => (await session.files.history()).find((entry) => entry.id === id);
    expect(await state()).toMatchObject({ undone: false, undonePaths: ['/d/one'] });
    await session.files.redo(id);
    expect(await texts(session)).toEqual({ '/d/one': '1', '/d/two': '2' });
    expect(await state()).toMatchObject({ undone: false, undonePaths: [] });
    await session.files.undo(id, { path: '/d/one' });
    await session.files.undo(id);
    expect(await texts(session)).toEqual({});
    expect(await state()).toMatchObject({ undone: true, undonePaths: ['/d/one', '/d/two'] });
  });

  it('says what is undone in the branch that is open', async () => {
    const { session, storage } = await open();
    await send(session, 'write /a one');
    const second = await send(session, 'write /b two');
    const [first = ''] = await made(session);
    await session.files.undo(first);
    const { branch } = await session.rewind(second); // as it was before the undo
    const isUndone = async (of: Session) => (await of.files.history()).find(({ id }) => id === first)?.undone;
    expect([await texts(session), await isUndone(session)]).toEqual([{ '/a': 'one\n' }, false]);
    await session.branches.open(branch ?? '');
    expect([await texts(session), await isUndone(session)]).toEqual([{ '/b': 'two\n' }, true]);
    await session.close();
    const again = (await open(storage)).session;
    expect(await isUndone(again)).toBe(true);
    await again.files.redo(first);
    expect(await texts(again)).toEqual({ '/a': 'one\n', '/b': 'two\n' });
  });
});

describe('a conflict of an undo', () => {
  async function inConflict() {
    const { session } = await open();
    await send(session, 'write /a old');
    await send(session, 'write /a new');
    await session.files.write('/a', 'mine\n');
    const [, id = ''] = await made(session);
    return { session, id };
  }

  it('has the place, the three versions, and what can be done', async () => {
    const { session, id } = await inConflict();
    expect(await session.files.undo(id)).toEqual({
      id: '',
      paths: [],
      conflicts: [
        {
          path: '/a',
          why: 'the same lines were changed since then',
          places: [{ line: 1, now: ['mine'], base: ['new'], restored: ['old'] }],
          now: 'mine\n',
          base: 'new\n',
          restored: 'old\n',
          choices: ['now', 'restored', 'both'],
          choice: null,
        },
      ],
    });
    expect(await session.files.read('/a')).toBe('mine\n');
  });

  it.each([
    ['now', 'mine\n'],
    ['restored', 'old\n'],
    ['both', '<<<<<<< now\nmine\n=======\nold\n>>>>>>> restored\n'],
  ] as const)('is solved with %s, and that can be undone', async (resolve, expected) => {
    const { session, id } = await inConflict();
    const result = await session.files.undo(id, { resolve: { '/a': resolve } });
    expect(result.conflicts).toMatchObject([{ path: '/a', choice: resolve }]);
    expect(await session.files.read('/a')).toBe(expected);
    if (resolve === 'now') return;
    await session.files.redo();
    expect(await session.files.read('/a')).toBe('mine\n');
  });

  it('remains when the choice is not possible, and changes nothing', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    await session.files.write('/a', 'mine\n');
    const [id = ''] = await made(session);
    const { conflicts } = await session.files.undo(id, { resolve: 'both' });
    expect(conflicts).toMatchObject([{ choices: ['now', 'restored'], choice: null }]);
    expect(await texts(session)).toEqual({ '/a': 'mine\n' });
  });
});

describe('the comparison of files', () => {
  it('shows the changed lines of a run, and between a branch and now', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    const second = await send(session, 'append /a two');
    await send(session, 'write /b new');
    const run = await session.files.diff({ before: second }, { after: second });
    const added = { before: 1, after: 1, lines: [' one', '+two'] };
    expect(run).toEqual([{ path: '/a', change: 'changed', added: 1, removed: 0, parts: [added] }]);
    const { branch } = await session.rewind(second);
    await session.files.write('/bytes', new Uint8Array([0, 255]));
    const all = await session.files.diff({ branch: branch ?? '' });
    expect(all.map(({ path, change, added: more, removed }) => [path, change, more, removed])).toEqual([
      ['/a', 'changed', 0, 1],
      ['/b', 'removed', 0, 1],
      ['/bytes', 'created', 0, 0],
    ]);
    expect(all[2]?.parts).toBeNull();
    expect(await session.files.diff('now')).toEqual([]);
    await expect(session.files.diff({ before: 'nothing' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(session.files.diff({ branch: 'nothing' })).rejects.toMatchObject({ code: 'not-found' });
  });
});
