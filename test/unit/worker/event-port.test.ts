import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { EventBatch, SessionView } from '../../../src/wire/protocol.js';
import { EventPort } from '../../../src/worker/event-port.js';

const view: SessionView = {
  waiting: null,
  resumable: false,
  running: 'a',
  viewing: false,
  lastRun: null,
  position: null,
};
const thought = (text: string, role = 'Zero'): AgentEvent => ({
  type: 'thought-delta',
  role,
  purpose: 'think',
  text,
});
const output = (text: string, callId: string): AgentEvent => ({
  type: 'command-output-delta',
  role: 'Zero',
  callId,
  text,
});
const reply = (text: string): AgentEvent => ({ type: 'human-reply', role: 'Zero', text });

/** A port, and the batches sent through it. */
function port(): { port: EventPort; batches: AgentEvent[][]; events: () => AgentEvent[] } {
  const batches: AgentEvent[][] = [];
  const inner = {
    postMessage: ({ events }: EventBatch) => void batches.push(structuredClone(events)),
  } as unknown as MessagePort;
  return { port: new EventPort(inner, () => view), batches, events: () => batches.flat() };
}

/** Time passes only when a test advances it, however busy the machine is. */
function standingClock(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
}
afterEach(() => void vi.useRealTimers());

describe('the requests that wait, in the views', () => {
  it('are sent when they have changed, and after a view that did not know them', () => {
    const sent: SessionView[] = [];
    const inner = {
      postMessage: (batch: EventBatch) => void sent.push(batch.view),
    } as unknown as MessagePort;
    let now: SessionView = view;
    const events = new EventPort(inner, () => now);
    const queued = [{ messageId: 'a', content: 'in blue', role: 'Zero' }];
    for (const each of [
      view,
      { ...view, queued: [] },
      { ...view, queued },
      { ...view, queued: [...queued] },
    ]) {
      now = each;
      events.send(reply('x'));
    }
    expect(sent.map((each) => each.queued)).toEqual([undefined, [], queued, undefined]);
  });
});

describe('events on their way to the page', () => {
  it('are sent at once when they are not deltas, with the pending ones before them', async () => {
    standingClock();
    const { port: events, batches } = port();
    events.send(thought('a')); // The last message was long ago: it is sent at once.
    await Promise.resolve();
    events.send(thought('b'));
    events.send(reply('c'));
    expect(batches).toEqual([[thought('a')], [thought('b'), reply('c')]]);
  });

  it('are one event where several continue with the same text, and in order where they do not', () => {
    standingClock();
    const { port: events, events: sent } = port();
    const given = [
      thought('a'),
      thought('b'),
      thought('c'),
      thought('d', 'Rita'),
      output('e', '1'),
      output('f', '1'),
      output('g', '2'),
      thought('h'),
      reply('i'),
    ];
    const copies = structuredClone(given);
    for (const event of given) events.send(event);
    expect(sent()).toEqual([
      thought('abc'),
      thought('d', 'Rita'),
      output('ef', '1'),
      output('g', '2'),
      thought('h'),
      reply('i'),
    ]);
    expect(given).toEqual(copies); // Others are held back.
  });

  it('are one event for each view of a reply, whose deltas alternate', () => {
    standingClock();
    const { port: events, events: sent } = port();
    const raw = (text: string, role = 'Zero'): AgentEvent =>
      ({ ...thought(text, role), type: 'reply-delta' }) as AgentEvent;
    const given = [
      raw('a'),
      raw('b'),
      thought('b'),
      raw('c'),
      thought('c'),
      raw('d'),
      raw('e', 'Rita'),
      thought('d'),
    ];
    for (const event of given) events.send(event);
    events.flush();
    expect(sent()).toEqual([raw('abcd'), thought('bc'), raw('e', 'Rita'), thought('d')]);
  });

  it('are one message for all views of a chunk', async () => {
    standingClock();
    const { port: events, batches } = port();
    const raw = { ...thought('a'), type: 'reply-delta' } as AgentEvent;
    events.send(raw);
    events.send(thought('a'));
    await Promise.resolve();
    expect(batches).toEqual([[raw, thought('a')]]);
  });

  it('all arrive, with few messages for many deltas of a model that never pauses', () => {
    const { port: events, batches, events: sent } = port();
    const words = Array.from({ length: 50_000 }, (_, number) => `${number} `);
    for (const word of words) events.send(thought(word));
    events.close();
    expect(
      sent()
        .map((event) => (event.type === 'thought-delta' ? event.text : '?'))
        .join(''),
    ).toBe(words.join(''));
    expect(batches.length).toBeLessThan(words.length / 20);
  });

  it('are sent after a delay when no event follows', async () => {
    standingClock();
    const { port: events, events: sent } = port();
    events.send(thought('a'));
    await Promise.resolve();
    events.send(thought('b'));
    expect(sent()).toEqual([thought('a')]);
    vi.advanceTimersByTime(8);
    expect(sent()).toEqual([thought('a'), thought('b')]);
    events.close();
    events.send(thought('c'));
    expect(sent()).toHaveLength(2);
  });
});

it('sends the requests that wait only when they have changed', () => {
  const request = { messageId: 'm', content: 'long', role: 'Zero' };
  let queued = [request];
  const sent: SessionView[] = [];
  const inner = { postMessage: ({ view: each }: EventBatch) => void sent.push(each) };
  const events = new EventPort(inner as unknown as MessagePort, () => ({ ...view, queued: [...queued] }));
  events.flush();
  events.flush();
  queued = [{ ...request, content: 'other' }];
  events.flush();
  queued = [];
  events.flush();
  events.flush();
  expect(sent.map((each) => each.queued)).toEqual([
    [request],
    undefined,
    [{ ...request, content: 'other' }],
    [],
    undefined,
  ]);
});
