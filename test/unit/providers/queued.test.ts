import { afterEach, describe, expect, it, vi } from 'vitest';
import { isAbort } from '../../../src/core/error.js';
import type { ChatChunk, ChatModel } from '../../../src/core/model.js';
import { queued } from '../../../src/providers/queued/index.js';
import { ask, collect } from '../../fault-server/collect.js';

/** A model whose calls continue on request, and that counts the running ones. */
function held() {
  const begun: (() => void)[] = [];
  const seen = { now: 0, most: 0, order: [] as string[] };
  const model: ChatModel = {
    id: 'held',
    contextWindow: 8_192,
    async *chat({ messages }) {
      seen.most = Math.max(seen.most, ++seen.now);
      try {
        await new Promise<void>((resolve) => begun.push(resolve));
        const text = String(messages[0]?.content);
        seen.order.push(text);
        yield { type: 'text-delta', text };
        yield { type: 'finish', reason: 'stop' };
      } finally {
        seen.now -= 1;
      }
    },
  };
  /** Lets the next call continue as soon as there is one. */
  const next = async () => {
    await expect.poll(() => begun.length).toBeGreaterThan(0);
    begun.shift()?.();
  };
  return { model, seen, next, begun };
}

const say = (content: string, signal = new AbortController().signal) =>
  ask({ messages: [{ role: 'user', content }], signal });
const waits = (chunks: readonly ChatChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'progress' ? [chunk.text] : []));

describe('queued', () => {
  it('makes calls in order, and reports the number of calls before', async () => {
    const { model, seen, next } = held();
    const one = queued(model);
    const calls = ['a', 'b', 'c'].map((text) => collect(one, say(text)));
    for (let call = 0; call < 3; call++) await next();
    const all = await Promise.all(calls);
    expect([seen.order, seen.most]).toEqual([['a', 'b', 'c'], 1]);
    expect(all.map(({ chunks }) => waits(chunks))).toEqual([
      [],
      ['Waiting for held: 1 before this call.'],
      ['Waiting for held: 2 before this call.'],
    ]);
  });

  it('removes a stopped call from the queue without delaying others', async () => {
    const { model, seen, next, begun } = held();
    const one = queued(model);
    const stopping = new AbortController();
    const first = collect(one, say('a'));
    const second = collect(one, say('b', stopping.signal));
    const third = collect(one, say('c'));
    stopping.abort();
    expect(isAbort((await second).error)).toBe(true);
    await next();
    await next();
    await Promise.all([first, third]);
    expect(seen.order).toEqual(['a', 'c']);
    expect(begun).toEqual([]);
  });

  it('frees the slot of a call without a listener, queued or running', async () => {
    const { model, seen, next } = held();
    const one = queued(model, { atOnce: 1 });
    const first = collect(one, say('a'));
    for await (const chunk of one.chat(say('b'))) {
      expect(chunk.type).toBe('progress');
      break; // Still in the queue.
    }
    const third = (async () => {
      for await (const chunk of one.chat(say('c'))) if (chunk.type === 'text-delta') break;
    })();
    const fourth = collect(one, say('d'));
    for (let call = 0; call < 3; call++) await next();
    await Promise.all([first, third, fourth]);
    expect([seen.order, seen.most]).toEqual([['a', 'c', 'd'], 1]);
  });

  it('continues after a call that fails', async () => {
    let calls = 0;
    const one = queued({
      id: 'm',
      contextWindow: 1,
      async *chat() {
        if (calls++ === 0) throw new Error('broken');
        yield { type: 'finish', reason: 'stop' };
      },
    });
    await expect(collect(one)).rejects.toThrow('broken');
    expect((await collect(one)).error).toBe(null);
  });

  it('runs the configured number of calls in parallel', async () => {
    const { model, seen, next } = held();
    const two = queued(model, { atOnce: 2 });
    const calls = ['a', 'b', 'c', 'd'].map((text) => collect(two, say(text)));
    for (let call = 0; call < 4; call++) await next();
    await Promise.all(calls);
    expect(seen.most).toBe(2);
    expect(() => queued(model, { atOnce: 0 })).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('a queue with a limit of calls per minute', () => {
  afterEach(() => vi.useRealTimers());
  const quick: ChatModel = {
    id: 'quick',
    contextWindow: 1,
    async *chat() {
      yield { type: 'finish', reason: 'stop' };
    },
  };

  it('waits until the minute is over, reports it, and can be stopped', async () => {
    vi.useFakeTimers({ now: 0 });
    const limited = queued(quick, { perMinute: 2 });
    await collect(limited);
    await vi.advanceTimersByTimeAsync(10_000);
    await collect(limited);
    const third = collect(limited);
    await vi.advanceTimersByTimeAsync(49_999);
    const stopping = new AbortController();
    const fourth = collect(limited, ask({ signal: stopping.signal }));
    await vi.advanceTimersByTimeAsync(1);
    expect(waits((await third).chunks)).toEqual(['Waiting 50 s: quick takes 2 calls a minute.']);
    stopping.abort();
    expect(isAbort((await fourth).error)).toBe(true);
  });
});
