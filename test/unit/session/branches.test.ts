import { describe, expect, test } from 'vitest';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { checkSessionRecord } from '../../../src/core/session-record-check.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { ask, open, send, shown } from './obedient.js';

describe('going back in a conversation', () => {
  test('restores messages, plan, files and tools before a request, and returns', async () => {
    const { session, events, storage } = await open();
    await send(session, 'write /a one');
    const before = await shown(session);
    const second = await send(session, 'append /a two');
    await send(session, 'write /b new');
    await send(session, 'plan 1');
    const after = await shown(session);
    const { usage } = { usage: session.usage() };

    const result = await session.rewind(second);
    expect(result).toMatchObject({ files: ['/a', '/b'], conflicts: [], effects: [] });
    expect(await shown(session)).toEqual(before);
    expect(session.usage()).toEqual(usage);
    expect(events.filter(({ type }) => type === 'conversation-changed')).toEqual([
      { type: 'conversation-changed', branch: result.branch, effects: [] },
    ]);
    expect(await session.branches.list()).toMatchObject([
      { id: result.branch, messageId: second, instead: null },
    ]);

    await session.close();
    const again = (await open(storage)).session;
    expect(await shown(again)).toEqual(before);
    await again.branches.open(result.branch ?? '');
    expect(await shown(again)).toEqual(after);
    expect(await again.branches.list()).toEqual([]);
  });

  test('changes a request: both versions stay, and each can be returned to', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    const old = await send(session, 'append /a two');
    const oldState = await shown(session);
    const { branch } = await session.rewind(old);
    const edited = await send(session, 'append /a TWO');
    const newState = await shown(session);
    expect(await session.branches.list()).toMatchObject([{ id: branch, messageId: old, instead: edited }]);
    const back = await session.branches.open(branch ?? '');
    expect(await shown(session)).toEqual(oldState);
    expect(await session.branches.list()).toMatchObject([
      { id: back.branch, messageId: edited, instead: old },
    ]);
    await session.branches.open(back.branch ?? '');
    expect(await shown(session)).toEqual(newState);
  });

  test('keeps what the user changes in files between going back and opening a branch', async () => {
    const { session, storage } = await open();
    await send(session, 'write /a one');
    const second = await send(session, 'append /a two');
    const { branch } = await session.rewind(second);
    await session.files.write('/a', 'mine\none\n');
    await session.files.write('/new', 'also mine');
    await session.branches.open(branch ?? '');
    const read = async (of: typeof session) => [await of.files.read('/a'), await of.files.read('/new')];
    expect(await read(session)).toEqual(['mine\none\ntwo\n', 'also mine']);
    await session.close();
    const again = (await open(storage)).session;
    expect(await read(again)).toEqual(['mine\none\ntwo\n', 'also mine']);
    const { changes } = again.environment.roles[0]?.agent.context.workspace.changedByUser(0) ?? {
      changes: [],
    };
    expect(changes).toEqual([
      { path: '/a', change: 'written' },
      { path: '/new', change: 'written' },
    ]);
  });

  test('asks before it opens a branch that changes the same lines as the user', async () => {
    const { session } = await open();
    const first = await send(session, 'write /a one');
    const { branch } = await session.rewind(first);
    await session.files.write('/a', 'mine');
    await expect(session.branches.open(branch ?? '')).rejects.toMatchObject({
      code: 'conflict',
      detail: { conflicts: [{ path: '/a' }] },
    });
    expect([session.messages(), await session.files.read('/a')]).toEqual([[], 'mine']);
    const { conflicts } = await session.branches.open(branch ?? '', { partly: true });
    expect(conflicts.map(({ path }) => path)).toEqual(['/a']);
    expect([session.messages().length > 0, await session.files.read('/a')]).toEqual([true, 'mine']);
  });

  test('opens a branch that is part of another one', async () => {
    const { session } = await open();
    const first = await send(session, 'write /a one');
    const second = await send(session, 'append /a two');
    const deep = await shown(session);
    const inner = await session.rewind(second);
    await send(session, 'append /a three');
    const outer = await session.rewind(first);
    await send(session, 'write /z other');
    const other = await shown(session);
    expect(await session.branches.list()).toMatchObject([
      { id: outer.branch, messageId: first, parent: null },
      { id: inner.branch, messageId: second, instead: null, parent: outer.branch },
    ]);
    await session.branches.open(inner.branch ?? '');
    expect(await shown(session)).toEqual(deep);
    const left = (await session.branches.list()).find(({ text }) => text.includes('/z'));
    await session.branches.open(left?.id ?? '');
    expect(await shown(session)).toEqual(other);
  });

  test('sends a request again with its files', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    const file = { path: '/uploads/note.txt', content: new TextEncoder().encode('hello') };
    const attached = { note: 'Attached: /uploads/note.txt', images: [], untrusted: [], files: [file] };
    await (
      await session.send(ask('append /a two'), { attached })
    ).result;
    const sent = session.messages().findLast(({ content }) => content.startsWith('do: '));
    const run = await session.regenerate(sent?.id ?? '');
    expect((await run.result).status).toBe('done');
    const requests = session.messages().filter(({ content }) => content.startsWith('do: '));
    expect(requests.map(({ content }) => content)).toEqual([requests[0]?.content, sent?.content]);
    expect(requests[1]?.id).toBe(sent?.id);
    expect(requests[1]?.metadata).toEqual(sent?.metadata);
    expect(await session.files.read('/uploads/note.txt')).toBe('hello');
    expect(await session.files.read('/a')).toBe('one\ntwo\n');
  });

  test('names the effects outside that remain', async () => {
    const { session } = await open();
    const id = await send(session, 'call');
    expect(await session.rewind(id)).toMatchObject({ effects: ['Outside.call'] });
  });

  test('leaves what the user changed before a request, and tells the model about it', async () => {
    const { session } = await open();
    await send(session, 'write /a one');
    await session.files.write('/mine.txt', 'by hand');
    const id = await send(session, 'append /a two');
    await session.files.write('/later.txt', 'later');
    await session.rewind(id);
    expect(await session.files.list()).toMatchObject([{ path: '/a' }, { path: '/mine.txt' }]);
    expect(session.environment.roles[0]?.agent.context.workspace.changedByUser(1)).toMatchObject({
      changes: [{ path: '/mine.txt', change: 'written' }],
    });
  });

  test('restores what a compaction has removed from the conversation with the model', async () => {
    const { session } = await open(memoryStorage(), { maxMessages: 8 });
    await send(session, 'write /a one');
    const second = await send(session, 'append /a two');
    const turns = () => session.environment.roles[0]?.agent.conversation.start({ system: '' });
    await session.rewind(second);
    const before = turns();
    const again = await send(session, 'append /a two');
    for (const word of ['b', 'c', 'd', 'e']) await send(session, `append /a ${word}`);
    expect(turns()?.[1]).not.toEqual(before?.[1]); // it was compacted
    await session.rewind(again);
    expect(turns()).toEqual(before);
  });

  test('restores memories that have left the window since', async () => {
    const { session } = await open(memoryStorage(), { longTermMemory: longTermMemory({ maxMessages: 3 }) });
    await send(session, 'write /a one');
    const before = await shown(session);
    const second = await send(session, 'append /a two');
    await send(session, 'append /a three');
    const after = await shown(session);
    expect(after).not.toEqual(before);
    const { branch } = await session.rewind(second);
    expect(await shown(session)).toEqual(before);
    await session.branches.open(branch ?? '');
    expect(await shown(session)).toEqual(after);
    expect(await session.memory.search('append')).not.toEqual([]);
  });

  test('is refused during a run, for other messages, and after the files are forgotten', async () => {
    const { session } = await open();
    const id = await send(session, 'write /a one');
    const run = await session.send(ask('append /a two'));
    await expect(session.rewind(id)).rejects.toMatchObject({ code: 'invalid' });
    await run.result;
    const reply = session.messages().find(({ content }) => content.startsWith('['));
    await expect(session.rewind(reply?.id ?? 'unknown')).rejects.toMatchObject({ code: 'not-found' });
    await expect(session.branches.open('unknown')).rejects.toMatchObject({ code: 'not-found' });
    for (let count = 0; count < 25; count++) await session.files.write('/a', `version ${count}`);
    await session.files.forgetHistory(1);
    await expect(session.rewind(id)).rejects.toMatchObject({ code: 'not-found' }); // what was removed for good is nowhere
  });

  test('forgets branches with what is removed for good', async () => {
    const { session, storage } = await open();
    const id = await send(session, 'write /secret.txt password123');
    await send(session, 'write /b other');
    await session.rewind(id);
    await session.files.write('/x', '1');
    await session.files.write('/x', '2');
    await session.files.forgetHistory(0);
    expect(await session.branches.list()).toEqual([]);
    const { records } = await storage.export('s');
    expect(records.filter(({ table }) => table === 'branches' || table === 'checkpoints')).toEqual([]);
  });

  test('exports and imports branches, and refuses forged ones', async () => {
    const { session } = await open();
    const id = await send(session, 'write /a one');
    const state = await shown(session);
    const { branch } = await session.rewind(id);
    const document = structuredClone(await session.export());
    await session.close();
    const other = memoryStorage();
    await other.import(document, 's', checkSessionRecord);
    const copy = (await open(other)).session;
    await copy.branches.open(branch ?? '');
    expect(await shown(copy)).toEqual(state);
    for (const value of [
      { table: 'approvals', key: 'role/Zero', value: {} },
      { table: 'messages', key: 'Zero/0000000000', value: { content: 1 } },
      { table: 'roles', key: 'Zero', value: { version: 2, plan: 'none' } },
      'nonsense',
    ]) {
      const forged = structuredClone(document);
      forged.records.push({ table: 'branches', key: `rows/${branch}/0000009999`, value });
      await expect(memoryStorage().import(forged, 's', checkSessionRecord)).rejects.toMatchObject({
        code: 'invalid',
      });
    }
  });

  test('counts the costs of what is left, also before the first request', async () => {
    const { session, storage } = await open();
    const id = await send(session, 'write /a one');
    const usage = session.usage();
    expect(usage.calls).toBeGreaterThan(0);
    await session.rewind(id);
    expect(session.usage()).toEqual(usage);
    await send(session, 'write /a one');
    expect(session.usage().calls).toBe(2 * usage.calls);
    await session.close();
    expect((await open(storage)).session.usage().calls).toBe(2 * usage.calls);
  });

  test('removes a branch', async () => {
    const { session, storage } = await open();
    const id = await send(session, 'write /a one');
    const { branch } = await session.rewind(id);
    await session.branches.remove(branch ?? '');
    expect(await session.branches.list()).toEqual([]);
    const { records } = await storage.export('s');
    expect(records.filter(({ table }) => table === 'branches')).toEqual([]);
  });
});
