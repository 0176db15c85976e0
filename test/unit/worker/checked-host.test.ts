import { describe, expect, it } from 'vitest';
import type { HostApi } from '../../../src/wire/protocol.js';
import { checkedHost } from '../../../src/worker/checked-host.js';

const METHODS = {
  open: [
    { session: 's', config: {}, tools: [], models: {}, takeOver: false, view: false, known: [] },
    new MessageChannel().port1,
  ],
  send: ['hello', { to: 'Zero' }],
  resume: [],
  stop: [],
  answer: ['id', 'blue'],
  messages: [{ role: 'Zero', last: 3, before: 'id' }],
  plan: [],
  inspect: [],
  steps: [{ role: 'Zero', last: 3 }],
  searchMemory: ['what', { limit: 3 }],
  listMemory: [{ role: 'Zero', limit: Infinity }],
  forgetMemory: [['id', 'other']],
  changeMemory: ['id', { pinned: true }, {}],
  importMemory: [{ whatever: 1 }],
  exportMemory: [{ oldest: 3 }],
  space: [],
  usage: [],
  exportSession: [],
  files: ['write', ['/a', new Uint8Array([1])]],
  beat: [],
  close: [],
} satisfies Record<keyof HostApi, unknown[]>;

/** Methods that the page, and so an error, calls by another name. */
const PAGE_NAMES: Record<string, string> = {
  open: 'connect',
  searchMemory: 'memory.search',
  listMemory: 'memory.list',
  forgetMemory: 'memory.forget',
  changeMemory: 'memory.change',
  importMemory: 'memory.import',
  exportMemory: 'memory.export',
  exportSession: 'export',
};

/** A host that remembers what reached it. */
function recording(): { reached: string[]; host: Record<string, (...args: unknown[]) => Promise<unknown>> } {
  const reached: string[] = [];
  const api = Object.fromEntries(
    Object.keys(METHODS).map((method) => [
      method,
      async () => {
        reached.push(method);
        return { ok: true, value: null };
      },
    ]),
  );
  const host = checkedHost(api as unknown as HostApi) as unknown as ReturnType<typeof recording>['host'];
  return { reached, host };
}

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
const OPEN = METHODS.open[0] as Record<string, unknown>;
const PORT = METHODS.open[1];
/** No call takes any of these in the place of its first argument. */
const HOSTILE: unknown[] = [
  null,
  12,
  NaN,
  true,
  [],
  circle,
  new Map(),
  new Date(),
  JSON.parse('{"__proto__":{"role":"x"}}'),
  'x'.repeat(1_000_001),
  () => {},
  Symbol('s'),
  10n,
];

describe('calls over the port', () => {
  it('let through what makes sense', async () => {
    const { reached, host } = recording();
    for (const [method, args] of Object.entries(METHODS)) await host[method]?.(...args);
    await host['open']?.({ ...OPEN, tools: [TOOL, { ...TOOL, part: true, timeoutMs: Infinity }] }, PORT);
    expect(reached).toEqual([...Object.keys(METHODS), 'open']);
  });

  it.each(Object.keys(METHODS))('%s refuses hostile values by name, and nothing happens', async (method) => {
    const { reached, host } = recording();
    const takesDocuments = method === 'importMemory';
    const takesOptions = ['messages', 'steps', 'listMemory', 'exportMemory'].includes(method);
    for (const value of HOSTILE) {
      if (method === 'send' && typeof value === 'string') continue; // the session has a limit for it
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (takesDocuments || (takesOptions && isObject)) continue; // plain objects without what is meant are empty options
      const result = (await host[method]?.(value)) as {
        ok: boolean;
        error?: { code: string; message: string };
      };
      expect(result.ok, `${method}(${String(value)})`).toBe(false);
      expect(result.error?.code).toBe('invalid');
      expect(result.error?.message).toContain(`${PAGE_NAMES[method] ?? method}()`);
    }
    expect(reached).toEqual([]);
  });

  it.each([
    ['send', ['hello', { to: 1 }]],
    ['send', ['hello', {}, 'more']],
    ['answer', ['id', { toString: () => 'yes' }]],
    ['searchMemory', ['what', { limit: -1 }]],
    ['searchMemory', ['what', { limit: 'all' }]],
    ['changeMemory', ['id', { content: ['x'] }]],
    ['files', ['write', ['/a', { length: 9 }]]],
    ['files', ['write', ['/a']]],
    ['files', ['undo', ['1.2', { partly: 'yes' }]]],
    ['files', ['writeAll', [[{ path: 1 }]]]],
    ['files', ['writeAll', [[], { existing: 'destroy' }]]],
    ['files', ['constructor', []]],
    ['files', ['__proto__', []]],
    ['files', ['watch', ['/']]],
    ['files', ['read', 'a']],
    ['open', [{ ...OPEN, takeOver: 'yes' }, PORT]],
    ['open', [{ ...OPEN, tools: [{ ...TOOL, effect: 'none' }] }, PORT]],
    ['open', [{ ...OPEN, tools: [{ ...TOOL, schema: circle }] }, PORT]],
    ['open', [{ ...OPEN, tools: [{ ...TOOL, run: 1 }] }, PORT]],
    ['open', [{ ...OPEN, known: [{ place: 'a', id: 'b', head: -1 }] }, PORT]],
    ['open', [{ ...OPEN, models: { a: { id: 'a', contextWindow: 0, countsTokens: true } } }, PORT]],
    ['open', [{ ...OPEN, more: 1 }, PORT]],
    ['open', [OPEN, {}]],
  ])('%s(%j) is refused', async (method, args) => {
    const { reached, host } = recording();
    expect(await host[method]?.(...args)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(reached).toEqual([]);
  });

  it('there is nothing else to call', () => {
    const { host } = recording();
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'view', 'team'])
      expect(host[name]).toBeUndefined();
  });
});
