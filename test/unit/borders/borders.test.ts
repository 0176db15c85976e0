import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../../../src/client/session.js';
import { RoleZeroError } from '../../../src/core/error.js';
import type { JsonValue } from '../../../src/core/json.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { VirtualFiles } from '../../../src/files/virtual-files.js';
import { parseCommands } from '../../../src/agent/parse/commands.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';

/** Returns the error code that a call throws. */
async function refusal(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return 'accepted';
  } catch (error) {
    return error instanceof RoleZeroError ? error.code : `unnamed: ${String(error)}`;
  }
}

const error = (reply: string): string => {
  const parsed = parseCommands(reply);
  return parsed.ok ? 'accepted' : parsed.error;
};

describe('replies of a model', () => {
  it('are rejected when nested too deeply', () => {
    const deep = (open: string, close: string): string => open.repeat(100_000) + close.repeat(100_000);
    expect(error(`[{"command_name":"a","args":{"b":${deep('[', ']')}}}]`)).toContain('nested');
    expect(error(deep('{"a":', '}'))).toContain('nested');
    expect(error('['.repeat(100_000))).toContain('nested');
  });

  it('give at most 64 commands', () => {
    const many = JSON.stringify(Array.from({ length: 65 }, () => ({ command_name: 'end', args: {} })));
    expect(parseCommands(many)).toMatchObject({ commands: { length: 64 }, excess: { length: 1 } });
  });

  it('lose keys that would pollute prototypes, at any depth and in any spelling', () => {
    const reply =
      '[{"command_name":"a","args":{"__proto__":{"x":1},"\\u005f_proto__":{"x":1},"b":[{"constructor":{"prototype":{"x":1}}}],"prototype":1}}]';
    const parsed = parseCommands(reply);
    expect(parsed.ok && parsed.commands).toEqual([{ name: 'a', args: { b: [{}] } }]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('do not treat a property of every object as a command', async () => {
    const think = [
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => commands([name, {}])),
      commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
    ];
    const session = await open(new RoleZero({ model: scriptedModel({ think }) }));
    expect((await (await session.send('go')).result).status).toBe('done');
    const outputs = auditOf(await session.steps())
      .slice(0, 4)
      .map(({ ok }) => ok);
    expect(outputs).toEqual([false, false, false, false]);
  });
});

describe('paths and files', () => {
  const files = () =>
    new VirtualFiles({ now: () => 0, limits: { fileBytes: 100, totalBytes: 150, files: 5 } });

  it.each([
    ['../x', 'permission'],
    ['/a/../../x', 'permission'],
    ['..\\x', 'permission'],
    ['C:/x', 'permission'],
    ['/a/\u2215etc', 'permission'],
    ['/a\u0000b', 'invalid'],
    ['/a\u202eb', 'invalid'],
    ['/a\ud800', 'invalid'],
    ['file:///etc/passwd', 'invalid'],
    [`/${'a'.repeat(300)}`, 'invalid'],
    ['/a'.repeat(100), 'invalid'],
    ['', 'invalid'],
  ])('reject %j', async (path, code) => {
    for (const attempt of [
      () => files().write(path, 'x'),
      () => files().read(path),
      () => files().stat(path),
      () => files().remove(path),
      () => files().copy('/', path),
    ])
      expect([code, 'not-found', 'invalid']).toContain(await refusal(attempt));
    expect(await refusal(() => files().write(path, 'x'))).toBe(code);
  });

  it('accept %2e%2e as a name like any other', async () => {
    const some = files();
    await some.write('/%2e%2e/x', 'x');
    expect((await some.list('/', { recursive: true })).map(({ path }) => path)).toEqual([
      '/%2e%2e',
      '/%2e%2e/x',
    ]);
  });

  it('are rejected before any change when too large, too many, or too much together', async () => {
    const some = files();
    expect(await refusal(() => some.write('/a', 'x'.repeat(101)))).toBe('invalid');
    await some.write('/a', 'x'.repeat(100));
    expect(await refusal(() => some.write('/b', 'x'.repeat(51)))).toBe('invalid');
    expect(await refusal(() => some.copy('/a', '/c'))).toBe('invalid');
    expect(await refusal(() => some.makeDirectory('/1/2/3/4/5'))).toBe('invalid');
    expect((await some.list('/', { recursive: true })).map(({ path }) => path)).toEqual(['/a']);
  });

  it('are matched in linear time', async () => {
    const some = new VirtualFiles({ now: () => 0 });
    await some.write(`/${'a'.repeat(200)}`, '');
    expect(await some.glob(`${'*a'.repeat(100)}b`)).toEqual([]);
    expect(await refusal(() => some.glob('*'.repeat(2_000)))).toBe('invalid');
  });
});

describe('untrusted documents', () => {
  const valid = async () => {
    const session = await open(new RoleZero({ model: scriptedModel([]) }));
    await session.files.write('/a', 'x');
    return JSON.parse(JSON.stringify(await session.export())) as Record<string, JsonValue>;
  };

  it('rejects an invalid session with the place of the error', async () => {
    const document = await valid();
    const records = document['records'] as JsonValue[];
    const bad: unknown[] = [
      null,
      'x',
      [],
      {},
      { ...document, version: 2 },
      { ...document, name: '' },
      { ...document, name: 'x'.repeat(10_000) },
      { ...document, more: 1 },
      JSON.parse(JSON.stringify(document).replace('"version"', '"__proto__":{"x":1},"version"')),
      { ...document, random: [1] },
      { ...document, createdAt: -1 },
      { ...document, records: {} },
      { ...document, records: [{ table: '__proto__', key: 'a', value: 1 }] },
      { ...document, records: [{ table: 'files', key: '', value: 1 }] },
      { ...document, records: [...records, ...records] },
      {
        ...document,
        records: [{ table: 'files', key: 'a', value: JSON.parse('{"__proto__":{"x":1}}') as unknown }],
      },
      { ...document, records: [{ table: 'files', key: 'a', value: nested(1_000) }] },
    ];
    for (const each of bad)
      expect(await refusal(() => memoryStorage().import(each, 'other'))).toBe('invalid');
    expect(await refusal(() => memoryStorage().import(document, 'other'))).toBe('accepted');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('rejects a session with inconsistent records when it is opened', async () => {
    const document = await valid();
    const value = { type: 'file', content: 'x', modifiedAt: 0 };
    for (const key of ['/../x', 'x', '/a/../b', '/']) {
      const storage = memoryStorage();
      await storage.import({ ...document, records: [{ table: 'files', key, value }] }, 'test');
      expect(await refusal(() => open(new RoleZero({ model: scriptedModel([]) }), storage))).toBe(
        'storage-corrupt',
      );
    }
  });

  it('does not trust imported approvals', async () => {
    const sent: string[] = [];
    const mail = defineTool({
      name: 'Mail.send',
      description: 'Sends.',
      input: z.object({ to: z.string(), text: z.string() }),
      address: 'to',
      effect: 'egress-write',
      replay: 'idempotent',
      run: ({ text }) => void sent.push(text),
    });
    const asked: string[] = [];
    const start = (storage: ReturnType<typeof memoryStorage>, answer: string) =>
      Session.open({
        storage,
        name: 'test',
        roles: [
          new RoleZero({
            model: scriptedModel({
              think: [
                commands(['Mail.send', { to: 'https://mail.example/', text: answer }]),
                commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
              ],
            }),
            tools: [mail],
            policy: [{ tool: 'Mail.*', do: 'ask', lifetime: 'session' }],
          }),
        ],
        askUser: async ({ text }) => {
          asked.push(text);
          return answer;
        },
        emit: () => {},
      });
    const theirs = await start(memoryStorage(), 'yes');
    await (
      await theirs.send('go')
    ).result;
    expect([asked.length, sent]).toEqual([1, ['yes']]);
    const document: unknown = JSON.parse(JSON.stringify(await theirs.export()));
    const storage = memoryStorage();
    await storage.import(document, 'test');
    const ours = await start(storage, 'no');
    await (
      await ours.send('go')
    ).result;
    expect([asked.length, sent]).toEqual([2, ['yes']]);
  });
});

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let index = 0; index < depth; index++) value = [value];
  return value;
}

function open(role: RoleZero, storage = memoryStorage()): Promise<Session> {
  return Session.open({ storage, name: 'test', roles: [role], askUser: async () => 'no', emit: () => {} });
}
