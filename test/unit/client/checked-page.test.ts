import { describe, expect, it } from 'vitest';
import { checkedPage, readBatch, readVerbs, readView } from '../../../src/client/checked-page.js';
import type { PageApi } from '../../../src/wire/protocol.js';

const QUESTION = {
  id: 'q',
  role: 'Zero',
  kind: 'approval',
  text: 'May it?',
  command: { name: 'a', args: {} },
};
const CALLS: Record<keyof PageApi, unknown[]> = {
  callTool: ['id', 'Clip.copy', { text: 'x' }],
  cancelTool: ['id'],
  beginChat: ['id', 'chrome', { purpose: 'think', messages: [{ role: 'user', content: 'hello' }] }],
  nextChunk: ['id'],
  endChat: ['id'],
  countTokens: ['chrome', 'some words'],
  ask: [QUESTION],
};
const VIEW = {
  waiting: QUESTION,
  resumable: true,
  running: null,
  viewing: false,
  lastRun: { status: 'failed', summary: '', error: { code: 'budget', message: 'spent' } },
  position: { place: 'p', id: 'i', head: 3 },
  queued: [{ messageId: 'm', content: 'also this', role: 'Zero' }],
};

/** A page that records the calls that reach it. */
function recording(): { reached: string[]; page: Record<string, (...args: unknown[]) => unknown> } {
  const reached: string[] = [];
  const api: Record<string, unknown> = {};
  for (const method of Object.keys(CALLS))
    api[method] = async () => {
      reached.push(method);
      return { ok: true, value: null };
    };
  const page = checkedPage(api as unknown as PageApi);
  return { reached, page: page as unknown as ReturnType<typeof recording>['page'] };
}

describe('calls of a worker to its page', () => {
  it('match the protocol; other methods are rejected', async () => {
    const { reached, page } = recording();
    for (const [method, args] of Object.entries(CALLS)) await page[method]?.(...args);
    expect(reached).toEqual(Object.keys(CALLS));
    expect(Object.keys(page)).toEqual(Object.keys(CALLS));
    for (const name of ['constructor', 'toString', '__proto__', 'cancelAll'])
      expect(page[name]).toBeUndefined();
  });

  it.each([
    ...(Object.keys(CALLS) as (keyof PageApi)[]).map((method): [keyof PageApi, unknown[]] => [method, []]),
    ...(Object.keys(CALLS) as (keyof PageApi)[]).map((method): [keyof PageApi, unknown[]] => [
      method,
      [{}, {}, {}],
    ]),
    ['callTool', ['id', ['Clip.copy'], {}]],
    ['beginChat', ['id', 'chrome', { purpose: 'think', messages: 'hello' }]],
    ['beginChat', ['id', 'chrome', { purpose: 'think', messages: [null] }]],
    ['countTokens', ['chrome', 7]],
    ['ask', [{ ...QUESTION, kind: 'order' }]],
    ['ask', [{ ...QUESTION, text: { toString: 'May it?' } }]],
    ['ask', [{ ...QUESTION, options: ['yes', 2] }]],
    ['ask', [{ ...QUESTION, command: { name: 'a', args: 'b' } }]],
    ['ask', [{ ...QUESTION, details: ['a'] }]],
  ])('%s(%j) is rejected by name and does not reach the session', async (method, args) => {
    const { reached, page } = recording();
    const result = await page[method]?.(...args);
    expect(result).toEqual({
      ok: false,
      error: expect.objectContaining({
        code: 'invalid',
        message: expect.stringContaining(method) as string,
      }) as unknown,
    });
    expect(reached).toEqual([]);
  });
});

describe('events from a worker', () => {
  const batch = { events: [{ type: 'phase', role: 'Zero', phase: 'idle' }], view: VIEW };

  it('are accepted when they are events or states', () => {
    expect(readBatch(batch)).toBe(batch);
    expect(readView(VIEW)).toBe(VIEW);
    const empty = { ...VIEW, waiting: null, lastRun: null, position: null, running: 'r' };
    expect(readBatch({ events: [], view: empty })).toEqual({ events: [], view: empty });
  });

  it.each([
    null,
    'events',
    [],
    {},
    { ...batch, events: {} },
    { ...batch, events: [null] },
    { ...batch, events: [{ type: 7 }] },
    { ...batch, events: [{ type: 'command-start', name: 'end' }] },
    { ...batch, events: [{ type: 'command-start', name: 'end', activity: { verb: 7, about: '' } }] },
    { events: [] },
    ...Object.keys(VIEW).map((key) => ({ ...batch, view: { ...VIEW, [key]: ['strange'] } })),
    { ...batch, view: { ...VIEW, position: { ...VIEW.position, head: NaN } } },
    { ...batch, view: { ...VIEW, waiting: { ...QUESTION, kind: 'order' } } },
  ])('are dropped when they are %j', (data) => {
    expect(() => readBatch(data)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it.each([null, undefined, 'Writing', { end: 7 }])(
    'are not read as verbs of commands when they are %j',
    (data) => {
      expect(() => readVerbs(data)).toThrow(expect.objectContaining({ code: 'invalid' }));
      expect(readVerbs({ end: 'Finishing' })).toEqual({ end: 'Finishing' });
    },
  );

  it('do not open a session without a state', () => {
    expect(() => readView({ ...VIEW, resumable: 'yes' })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });
});
