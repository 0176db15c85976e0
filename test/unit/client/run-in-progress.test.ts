import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import { NOTHING_OPEN } from '../../../src/wire/protocol.js';
import { RunInProgress } from '../../../src/client/run-in-progress.js';

const invalid = new RoleZeroError('invalid', 'Nothing was interrupted.', {});
const start = (runId: string): AgentEvent => ({ type: 'run-start', runId, request: 'go', resumed: false });
const end = (runId: string): AgentEvent => ({
  type: 'run-end',
  runId,
  status: 'done',
  summary: runId,
  error: null,
});
const resultOf = (summary: string) => ({ status: 'done', summary, error: null });

function deferred() {
  let resolve: (id: string) => void = () => {};
  let reject: (error: RoleZeroError) => void = () => {};
  const promise = new Promise<string>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

function idle() {
  const warnings: string[] = [];
  const current = new RunInProgress(
    's',
    () => {},
    () => null,
  );
  const begin = (call: Promise<string>) =>
    current.begin(
      () => call,
      ({ code }) => void warnings.push(code),
    );
  return { current, begin, warnings };
}

it('follows the run of a request that came after one which could not be started', async () => {
  const { current, begin, warnings } = idle();
  const resumed = begin(Promise.reject(invalid));
  const sending = deferred();
  const run = begin(sending.promise);
  await expect(resumed.result()).rejects.toBe(invalid);
  sending.resolve('a');
  await run.accepted;
  expect([current.run, run.id, warnings]).toEqual([run, 'a', ['invalid']]);
});

describe('a request that joins a run', () => {
  it('has a run of its own, with the result of the one it joined', async () => {
    const { current, begin } = idle();
    const runs = [begin(Promise.resolve('a')), begin(Promise.resolve('a'))];
    await Promise.all(runs.map(({ accepted }) => accepted));
    for (const event of [start('a'), end('a')]) current.push(event, NOTHING_OPEN);
    expect(await Promise.all(runs.map((run) => run.result()))).toEqual([resultOf('a'), resultOf('a')]);
    expect(current.run).toBeNull();
  });

  it('is rejected with its reason when it is refused, and the other run continues', async () => {
    const { current, begin, warnings } = idle();
    const run = begin(Promise.resolve('a'));
    const refused = begin(Promise.reject(invalid));
    await expect(refused.accepted).rejects.toBe(invalid);
    await expect(refused.result()).rejects.toBe(invalid);
    expect([current.run, run.ended, warnings]).toEqual([run, false, ['invalid']]);
    for (const event of [start('a'), end('a')]) current.push(event, NOTHING_OPEN);
    expect(await run.result()).toEqual(resultOf('a'));
  });

  it('ends with the run that it started when the other one had ended before', async () => {
    const { current, begin } = idle();
    const run = begin(Promise.resolve('a'));
    const sending = deferred();
    const next = begin(sending.promise);
    await run.accepted;
    for (const event of [start('a'), end('a')]) current.push(event, NOTHING_OPEN);
    expect([run.ended, next.ended, current.run]).toEqual([true, false, next]);
    for (const event of [start('b'), end('b')]) current.push(event, NOTHING_OPEN);
    sending.resolve('b'); // the id may arrive after the events
    expect([await run.result(), await next.result()]).toEqual([resultOf('a'), resultOf('b')]);
    await Promise.resolve();
    expect(current.run).toBeNull();
  });
});

it('continues all of its runs under the id that a new worker gives', async () => {
  const { current, begin } = idle();
  const runs = [begin(Promise.resolve('a')), begin(Promise.resolve('a'))];
  await Promise.all(runs.map(({ accepted }) => accepted));
  current.continue('b');
  current.push(end('b'), NOTHING_OPEN);
  expect(await Promise.all(runs.map((run) => run.result()))).toEqual([resultOf('b'), resultOf('b')]);
});

it('has no run when none of its calls could start it', async () => {
  const { current, begin } = idle();
  const runs = [begin(Promise.reject(invalid)), begin(Promise.reject(invalid))];
  for (const run of runs) await expect(run.result()).rejects.toBe(invalid);
  expect(current.run).toBeNull();
});
