import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import { Run } from '../../../src/client/run.js';

const start = (runId: string): AgentEvent => ({ type: 'run-start', runId, request: 'go', resumed: false });
const end = (runId: string): AgentEvent => ({
  type: 'run-end',
  runId,
  status: 'done',
  summary: 'ok',
  error: null,
});
const delta = (text: string): AgentEvent => ({ type: 'thought-delta', role: 'Zero', purpose: 'think', text });
const done = { status: 'done', summary: 'ok', error: null };

async function collect(run: Run): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

describe('a run on the page', () => {
  it('yields its events in order and ends with its own end', async () => {
    const run = new Run(() => {});
    run.begin('a');
    const collected = collect(run);
    for (const event of [start('a'), delta('x'), end('b'), end('a')]) run.push(event);
    expect(await collected).toEqual([start('a'), delta('x'), end('b'), end('a')]);
    expect(await run.result()).toEqual(done);
  });

  it('ends also when its run id arrives after the end of the run', async () => {
    const run = new Run(() => {});
    const collected = collect(run);
    run.push(start('a'));
    run.push(end('a'));
    await new Promise((resolve) => setTimeout(resolve));
    run.begin('a');
    expect(await collected).toEqual([start('a'), end('a')]);
    expect(await run.result()).toEqual(done);
  });

  it('ends every iteration when it ends', async () => {
    const run = new Run(() => {});
    run.begin('a');
    const collected = [collect(run), collect(run)];
    await new Promise((resolve) => setTimeout(resolve));
    run.push(start('a'));
    run.push(end('a'));
    expect((await Promise.all(collected)).flat()).toEqual([start('a'), end('a')]);
  });

  it('omits events of an earlier run', async () => {
    const run = new Run(() => {});
    for (const event of [end('before'), start('a'), end('a')]) run.push(event);
    run.begin('a');
    expect(await collect(run)).toEqual([start('a'), end('a')]);
  });

  it('yields the events before the loss, then throws the reason', async () => {
    const run = new Run(() => {});
    run.begin('a');
    run.push(start('a'));
    run.fail(new RoleZeroError('worker-lost', 'gone'));
    await expect(run.result()).rejects.toMatchObject({ code: 'worker-lost' });
    const seen: AgentEvent[] = [];
    await expect(
      (async () => {
        for await (const event of run) seen.push(event);
      })(),
    ).rejects.toMatchObject({ code: 'worker-lost' });
    expect(seen).toEqual([start('a')]);
  });

  it('stops a run that it joins at once, and one that it starts as soon as the worker knows it', () => {
    let stops = 0;
    const run = new Run(() => (stops += 1));
    run.stop();
    expect(stops).toBe(1);
    run.begin('a');
    run.begin('b'); // continued by another worker
    expect(stops).toBe(2);
  });

  it('is accepted when the worker knows it, and not when it is refused', async () => {
    const accepted = new Run(() => {});
    accepted.begin('a');
    await accepted.accepted;
    const ended = new Run(() => {});
    ended.finish({ status: 'done', summary: 'ok', error: null });
    await ended.accepted;
    const refused = Run.failed(new RoleZeroError('invalid', 'too long'));
    await expect(refused.accepted).rejects.toMatchObject({ code: 'invalid' });
  });

  it('does not stop a run that has ended', () => {
    let stops = 0;
    const run = new Run(() => (stops += 1));
    run.begin('a');
    run.stop();
    run.push(end('a'));
    run.stop();
    expect(stops).toBe(1);
  });

  const flood = (run: Run): void => {
    for (let count = 0; count < 50_000; count++)
      run.push(count % 2 === 0 ? delta('x') : start(`other ${count}`));
    run.push(end('a'));
  };

  it('buffers a bounded number of events before the iteration starts, including the last ones', async () => {
    const run = new Run(() => {});
    run.begin('a');
    flood(run);
    const events = await collect(run);
    expect(events.length).toBeLessThanOrEqual(2_001);
    expect(events.at(-1)).toEqual(end('a'));
  });

  it('buffers a larger, bounded number of events for a slow iteration', async () => {
    const run = new Run(() => {});
    run.begin('a');
    const collected = collect(run);
    flood(run); // the iteration has no time for any of them
    const events = await collected;
    expect(events.length).toBeGreaterThanOrEqual(5_000);
    expect(events.length).toBeLessThanOrEqual(20_001);
    expect(events.at(-1)).toEqual(end('a'));
  });
});
