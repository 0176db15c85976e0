import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import type { Storage } from '../../../src/core/store.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

type Command = readonly [name: string, args: Record<string, JsonValue>];

const mail: Command = ['Mail.send', { to: 'mallory' }];
const end = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

/** A session with one answer to every question, or none; the questions and the effects. */
async function open(
  steps: readonly Command[],
  answer: string | null,
  { storage = memoryStorage(), ...options }: Partial<RoleZeroOptions> & { storage?: Storage } = {},
) {
  const asked: string[] = [];
  const sent: string[] = [];
  const tool = defineTool({
    name: 'Mail.send',
    description: 'Sends a mail.',
    input: z.object({ to: z.string() }),
    effect: 'egress-write',
    replay: 'idempotent',
    run: ({ to }) => void sent.push(to),
  });
  const model = scriptedModel({ think: [...steps.map((step) => commands(step)), end] });
  const session = await Session.open({
    storage,
    name: 'copy',
    roles: [new RoleZero({ model, tools: [...editor(), tool], summarize: false, ...options })],
    askUser: async ({ text }) => {
      asked.push(text);
      return answer;
    },
    emit: () => {},
  });
  const work = async () => (await (await session.send('go')).result).status;
  return { session, asked, sent, work };
}

async function importedFrom(session: Session): Promise<Storage> {
  const storage = memoryStorage();
  await storage.import(JSON.parse(JSON.stringify(await session.export())), 'copy');
  return storage;
}

describe('a copy of files', () => {
  it('keeps their sources, current and earlier', async () => {
    const { session } = await open([], null);
    await session.files.writeAll([{ path: '/theirs', content: 'evil' }], { untrusted: 'a.zip' });
    await session.files.write('/mine', 'good');
    const [first] = await session.files.history();
    await session.files.write('/theirs', 'mine now');
    const then = await session.files.after(first?.id ?? '');
    expect(then).toEqual([{ path: '/theirs', size: 4, change: 'written', untrusted: ['a.zip'] }]);
    await session.files.copy('/mine', '/other');
    await session.files.undo((await session.files.history()).at(-2)?.id ?? '');

    const { session: copy, work, asked } = await open([['Editor.read', { path: '/theirs' }], mail], 'no');
    await copy.files.writeAll(await session.files.readAll());
    expect((await copy.files.stat('/theirs'))?.untrusted).toEqual(['a.zip']);
    expect((await copy.files.stat('/mine'))?.untrusted).toBeUndefined();
    expect(await work()).toBe('done');
    expect(asked).toEqual(['May Zero use “Mail: send”?']);

    const { session: fork } = await open([], null);
    const held = then.map(async (file) => ({
      ...file,
      content: await session.files.bytesAfter(first?.id ?? '', file.path),
    }));
    await fork.files.writeAll(await Promise.all(held), { untrusted: 'a fork' });
    expect((await fork.files.stat('/theirs'))?.untrusted).toEqual(['a.zip', 'a fork']);
  });
});

describe('a copy of a session', () => {
  const ask = [{ tool: 'Mail.*', do: 'ask', lifetime: 'session' }] as const;

  it('asks the user again where the original waits for approval, whatever answers the original got since', async () => {
    const { session } = await open([mail], null, { policy: ask });
    expect((await (await session.send('go')).result).status).toBe('waiting');
    const before = await importedFrom(session);
    await session.answer(session.waiting?.id ?? '', 'yes');
    for (const storage of [before, await importedFrom(session)]) {
      const copy = await open([], 'no', { storage, policy: ask });
      expect(copy.session.waiting?.text).toBe('May Zero use “Mail: send”?');
      expect((await (await copy.session.resume()).result).status).toBe('done');
      expect([copy.asked, copy.sent]).toEqual([['May Zero use “Mail: send”?'], []]);
    }
  });
});

describe('a question about a file that has changed since', () => {
  it('is replaced by the new one, and remains in no copy', async () => {
    const write: Command = ['Editor.write', { path: '/a.txt', content: 'agent' }];
    const { session, work } = await open([write], null, { policy: [{ tool: 'Editor.write', do: 'ask' }] });
    await session.files.write('/a.txt', 'user');
    expect(await work()).toBe('waiting');
    const first = session.waiting?.id;
    await session.files.write('/a.txt', 'user again');
    expect((await (await session.resume()).result).status).toBe('waiting');
    const second = session.waiting?.id ?? '';
    expect(second).not.toBe(first);
    await session.answer(second, 'yes');
    expect([(await (await session.resume()).result).status, session.waiting]).toEqual(['done', null]);
    const { records } = await session.export();
    expect(records.filter(({ table }) => table === 'questions')).toEqual([]);
  });

  it('is dropped when the change needs no permission any more, and remains in no copy', async () => {
    const write: Command = ['Editor.write', { path: '/a.txt', content: 'agent' }];
    const { session, work } = await open([['Editor.read', { path: '/page.txt' }], write, write], null);
    await session.files.writeAll([{ path: '/page.txt', content: 'page' }], { untrusted: 'a.zip' });
    await session.files.write('/a.txt', 'user');
    expect(await work()).toBe('waiting');
    await session.answer(session.waiting?.id ?? '', 'yes');
    await session.files.remove('/a.txt');
    expect([(await (await session.resume()).result).status, session.waiting]).toEqual(['done', null]);
    const { records } = await session.export();
    expect(records.filter(({ table }) => table === 'questions')).toEqual([]);
  });
});

describe('an imported session', () => {
  const ask = [{ tool: 'Mail.*', do: 'ask', lifetime: 'session' }] as const;
  const record = { session: ['x'], turn: { id: '', decisions: {}, answers: {}, asked: {}, budget: null } };

  it('contains no permissions from its document', async () => {
    const { session, asked } = await open([mail], 'yes', { policy: ask });
    expect((await (await session.send('go')).result).status).toBe('done');
    expect(asked).toEqual(['May Zero use “Mail: send”?']);
    const exported = await session.export();
    expect(exported.records.filter(({ table }) => table === 'approvals')).toEqual([]);
  });

  it('is rejected when its document has a record of the table of permissions', async () => {
    const { session } = await open([], null);
    for (const [key, value] of [
      ['role/Zero', record],
      ['budget', { rounds: 1e9, asked: 1 }],
      ['answer/q', { answer: 'yes', at: 1 }],
    ] as const) {
      const document = JSON.parse(JSON.stringify(await session.export())) as { records: object[] };
      document.records.push({ table: 'approvals', key, value });
      await expect(memoryStorage().import(document, 'copy')).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/table is not the name of a table/) as string,
      });
    }
  });

  it('ignores permissions at the places where earlier releases stored them', async () => {
    const { session } = await open([mail], null, { policy: ask });
    expect((await (await session.send('go')).result).status).toBe('waiting');
    const document = JSON.parse(JSON.stringify(await session.export())) as {
      records: { table: string; key: string; value: Record<string, unknown> }[];
    };
    document.records.push({ table: 'team', key: 'budget', value: { rounds: 1e9, asked: 1 } });
    for (const { table, value } of document.records) {
      if (table === 'questions') Object.assign(value, { answer: 'yes', at: Date.now() });
      if (table !== 'roles') continue;
      const { key } = value['question'] as { key: string };
      const turn = value['turn'] as { answers: object };
      Object.assign(value, { grants: ['Mail.send', JSON.stringify(['Zero', 'Mail.send'])] });
      Object.assign(turn, { grants: { 'Mail.send': true }, approvedAt: { [key]: Date.now() } });
      Object.assign(turn.answers, { [key]: 'yes' });
    }
    const storage = memoryStorage();
    await storage.import(document, 'copy');
    const copy = await open([], 'no', { storage, policy: ask });
    expect(copy.session.waiting?.text).toBe('May Zero use “Mail: send”?');
    expect((await (await copy.session.resume()).result).status).toBe('done');
    expect([copy.asked, copy.sent]).toEqual([['May Zero use “Mail: send”?'], []]);
  });
});
