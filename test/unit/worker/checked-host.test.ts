import { describe, expect, it } from 'vitest';
import type { ArgumentName } from '../../../src/wire/arguments.js';
import type { HostApi } from '../../../src/wire/protocol.js';
import { checkedHost } from '../../../src/worker/checked-host.js';
import { METHODS } from '../../../src/worker/session-methods.js';

type Host = Record<string, (...args: unknown[]) => Promise<unknown>>;

const OPEN = { session: 's', config: {}, tools: [], models: {}, takeOver: false, view: false, known: [] };
const PORT = new MessageChannel().port1;
const HOST_CALLS = {
  open: [OPEN, PORT],
  callMethod: ['plan', ['Zero']],
  beat: [],
  close: [],
} satisfies Record<keyof HostApi, unknown[]>;

/** A valid value for each kind of argument in the table. */
const VALID: Record<ArgumentName, unknown> = {
  path: '/a.txt',
  id: 'id',
  text: 'what',
  content: new Uint8Array([1]),
  'path?': '/',
  'role?': 'Zero',
  'count?': 3,
  longText: 'x'.repeat(1_000_001),
  document: { whatever: 1 },
  ids: ['id', 'other'],
  roleOption: { role: 'Zero' },
  sendOptions: { to: 'Zero' },
  messageQuery: { role: 'Zero', last: 3, before: 'id' },
  stepQuery: { role: 'Zero', last: 3 },
  memoryQuery: { role: 'Zero', limit: 5 },
  memoryListQuery: { role: 'Zero', limit: 3, before: 'id' },
  memoryExportQuery: { role: 'Zero', oldest: 3 },
  memoryChange: { content: 'blue', pinned: true, trusted: true },
  newNote: { kind: 'fact', text: 'blue' },
  noteChange: { kind: 'decision', text: 'red', trusted: true },
  fileInputs: [{ path: '/a.txt', content: 'a', untrusted: ['https://example.com'] }, { path: '/folder' }],
  writeAllOptions: { existing: 'keep', name: 'import', untrusted: 'https://example.com', trusted: false },
  writeOptions: { trusted: true },
  memoryImportOptions: { role: 'Zero', trusted: true },
  rewindOptions: { partly: true },
  regenerateOptions: { partly: true, fromStep: 1 },
  undoOptions: { path: '/a', resolve: { '/a/b': 'both' } },
  filesAt: { before: 'id' },
  'filesAt?': 'now',
  'id?': 'id',
};
/** Arguments that accept `undefined`, and so may be omitted at the end. */
const OPTIONAL = new Set<ArgumentName>([
  'path?',
  'id?',
  'filesAt?',
  'role?',
  'count?',
  'roleOption',
  'sendOptions',
  'messageQuery',
  'stepQuery',
  'memoryQuery',
  'memoryListQuery',
  'memoryExportQuery',
  'writeAllOptions',
  'writeOptions',
  'rewindOptions',
  'regenerateOptions',
  'memoryImportOptions',
  'undoOptions',
]);

const METHOD_NAMES = [...METHODS.keys()] as string[];
const argsOf = (name: string): readonly ArgumentName[] => METHODS.get(name)?.args ?? [];
const valid = (name: string): unknown[] => argsOf(name).map((kind) => VALID[kind]);

/** A host that records the calls that reach it. */
function recording(): { reached: unknown[]; host: Host; call: (name: unknown, args: unknown) => unknown } {
  const reached: unknown[] = [];
  const api = Object.fromEntries(
    Object.keys(HOST_CALLS).map((method) => [
      method,
      async (...args: unknown[]) => {
        reached.push([method, ...args]);
        return { ok: true, value: null };
      },
    ]),
  );
  const host = checkedHost(api as unknown as HostApi) as unknown as Host;
  return { reached, host, call: (name, args) => host['callMethod']?.(name, args) };
}

const invalid = (call: string, message: unknown = expect.stringContaining(`${call}()`)) => ({
  ok: false,
  error: expect.objectContaining({ code: 'invalid', message }) as unknown,
});

const circle: Record<string, unknown> = {};
circle['self'] = circle;
const TOOL = {
  name: 'Page.do',
  description: 'Does.',
  schema: { type: 'object' },
  effect: 'ui',
  replay: 'unsafe',
  onAmbiguous: 'ask',
};
/** Values that no argument accepts, except a document. */
const HOSTILE: unknown[] = [null, NaN, true, 10n, () => {}, Symbol('s'), -1, [12]];
/** Values that only options and documents accept, because they have no properties. */
const ODD_OBJECTS: unknown[] = [new Map(), new Date(), JSON.parse('{"__proto__":{"role":"x"}}')];
const isOptions = (kind: ArgumentName) => /Options?$|Query$|Change$/u.test(kind);

describe('the session API', () => {
  it('accepts valid arguments', async () => {
    const { reached, call } = recording();
    for (const name of METHOD_NAMES) await call(name, valid(name));
    expect(reached).toEqual(METHOD_NAMES.map((name) => ['callMethod', name, valid(name)]));
  });

  it.each(METHOD_NAMES)('%s accepts undefined for optional arguments, or none', async (name) => {
    const { reached, call } = recording();
    const required = valid(name).slice(0, argsOf(name).findLastIndex((kind) => !OPTIONAL.has(kind)) + 1);
    const padded = valid(name).map((value, index) => (index < required.length ? value : undefined));
    expect(await call(name, required)).toMatchObject({ ok: true });
    expect(await call(name, padded)).toMatchObject({ ok: true });
    expect(reached).toHaveLength(2);
  });

  it.each(METHOD_NAMES)('%s rejects a wrong number of arguments by name', async (name) => {
    const { reached, call } = recording();
    const most = argsOf(name).length;
    const least = argsOf(name).findLastIndex((kind) => !OPTIONAL.has(kind)) + 1;
    const words = (count: number) => `${count} ${count === 1 ? 'argument' : 'arguments'}`;
    const takes = most === 0 ? 'takes no arguments' : `takes ${words(most)}`;
    expect(await call(name, [...valid(name), 'more'])).toEqual(
      invalid(name, expect.stringContaining(`${name}() ${takes}, but was given ${most + 1}.`)),
    );
    for (let count = 0; count < least; count++)
      expect(await call(name, valid(name).slice(0, count))).toEqual(
        invalid(name, `${name}() needs ${words(least)}, but was given ${count}.`),
      );
    expect(reached).toEqual([]);
  });

  it.each(METHOD_NAMES)('%s rejects arguments of a wrong type by name and position', async (name) => {
    const { reached, call } = recording();
    for (const [index, kind] of argsOf(name).entries()) {
      if (kind === 'document') continue;
      const wrong = [...HOSTILE, ...(isOptions(kind) ? [] : [circle, ...ODD_OBJECTS])];
      for (const value of wrong)
        expect(await call(name, valid(name).with(index, value)), `${String(value)} as ${kind}`).toEqual(
          invalid(
            name,
            expect.stringContaining(`${name}() was given invalid arguments. Argument ${index + 1}`),
          ),
        );
    }
    expect(reached).toEqual([]);
  });

  it.each(METHOD_NAMES)('%s rejects options that do not exist', async (name) => {
    const { reached, call } = recording();
    for (const [index, kind] of argsOf(name).entries())
      if (isOptions(kind))
        expect(await call(name, valid(name).with(index, { nonexistent: 1 }))).toEqual(invalid(name));
    expect(reached).toEqual([]);
  });

  it.each([
    ['send', ['hello', { to: 1 }]],
    ['answer', ['id', { toString: (): string => 'yes' }]],
    ['memory.search', ['what', { limit: -1 }]],
    ['memory.search', ['what', { limit: 'all' }]],
    ['memory.list', [{ limit: Infinity }]],
    ['memory.search', ['x'.repeat(1_000_001)]],
    ['memory.change', ['id', { content: ['x'] }]],
    ['memory.forget', [[]]],
    ['notes.write', [{ kind: 'rumour', text: 'blue' }]],
    ['notes.change', ['id', { untrusted: [] }]],
    ['files.read', ['x'.repeat(10_001)]],
    ['files.write', ['/a', { length: 9 }]],
    ['files.undo', ['1.2', { partly: 'yes' }]],
    ['files.writeAll', [[{ path: 1 }]]],
    ['files.writeAll', [[], { existing: 'destroy' }]],
  ])('rejects %s(%j)', async (name, args) => {
    const { reached, call } = recording();
    expect(await call(name, args)).toEqual(invalid(name));
    expect(reached).toEqual([]);
  });

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'files',
    'files.watch',
    'files.constructor',
    'memory.archive',
    'open',
    'close',
    '',
    undefined,
    null,
    ['plan'],
    { name: 'plan' },
  ])('has no method %j', async (name) => {
    const { reached, call } = recording();
    expect(await call(name, [])).toEqual(invalid('', expect.stringMatching(/^There is no session method /u)));
    expect(reached).toEqual([]);
  });

  it.each([undefined, null, 'ab', { length: 0 }])(
    'rejects %j instead of the list of arguments',
    async (args) => {
      const { reached, call } = recording();
      expect(await call('plan', args)).toEqual(invalid('plan'));
      expect(reached).toEqual([]);
    },
  );
});

describe('the host', () => {
  it('accepts valid calls', async () => {
    const { reached, host } = recording();
    for (const [method, args] of Object.entries(HOST_CALLS)) await host[method]?.(...args);
    const tools = [
      TOOL,
      { ...TOOL, part: true, timeoutMs: Infinity },
      { ...TOOL, activity: { verb: 'Adding', argument: 'item' }, hasApproval: true },
    ];
    await host['open']?.({ ...OPEN, tools }, PORT);
    expect(reached).toEqual([
      ...Object.entries(HOST_CALLS).map(([method, args]) => [method, ...args]),
      ['open', { ...OPEN, tools }, PORT],
    ]);
  });

  it.each(['open', 'beat', 'close'])('%s rejects hostile values by name', async (method) => {
    const { reached, host } = recording();
    for (const value of [...HOSTILE, ...ODD_OBJECTS, circle, 12, [], 'x'.repeat(1_000_001)])
      expect(await host[method]?.(value)).toEqual(invalid(method === 'open' ? 'connect' : method));
    expect(reached).toEqual([]);
  });

  it.each([
    [{ ...OPEN, takeOver: 'yes' }, PORT],
    [{ ...OPEN, tools: [{ ...TOOL, effect: 'none' }] }, PORT],
    [{ ...OPEN, tools: [{ ...TOOL, schema: circle }] }, PORT],
    [{ ...OPEN, tools: [{ ...TOOL, run: 1 }] }, PORT],
    [{ ...OPEN, known: [{ place: 'a', id: 'b', head: -1 }] }, PORT],
    [{ ...OPEN, models: { a: { id: 'a', contextWindow: 0, countsTokens: true } } }, PORT],
    [{ ...OPEN, more: 1 }, PORT],
    [OPEN, {}],
  ])('rejects open(%j, %j)', async (options, port) => {
    const { reached, host } = recording();
    expect(await host['open']?.(options, port)).toEqual(invalid('connect'));
    expect(reached).toEqual([]);
  });

  it('has no other callable method', () => {
    const { host } = recording();
    expect(Object.keys(host)).toEqual(Object.keys(HOST_CALLS));
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'view', 'team'])
      expect(host[name]).toBeUndefined();
  });
});
