import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import { NOTHING_OPEN } from '../../../src/wire/protocol.js';
import { RunInProgress } from '../../../src/client/run-in-progress.js';

const invalid = new RoleZeroError('invalid', 'Nothing was interrupted.', {});

it('follows the run of a request that joined one which could not be started', async () => {
  const warnings: string[] = [];
  const warn = ({ code }: RoleZeroError): void => void warnings.push(code);
  const current = new RunInProgress(
    's',
    () => {},
    () => null,
  );
  current.begin(() => Promise.reject(invalid), warn); // `resume`
  const sending = new Promise<string>((resolve) => setTimeout(() => resolve('a')));
  const run = current.begin(() => sending, warn); // `send`
  await sending;
  expect([current.run, run.id, warnings]).toEqual([run, 'a', ['invalid']]);
});

describe('a request that joins a run which ends before the worker receives it', () => {
  const start = (runId: string): AgentEvent => ({ type: 'run-start', runId, request: 'go', resumed: false });
  const end = (runId: string): AgentEvent => ({
    type: 'run-end',
    runId,
    status: 'done',
    summary: runId,
    error: null,
  });
  const deferred = () => {
    let resolve: (id: string) => void = () => {};
    let reject: (error: RoleZeroError) => void = () => {};
    const promise = new Promise<string>((...both) => ([resolve, reject] = both));
    return { promise, resolve, reject };
  };
  const begin = async () => {
    const current = new RunInProgress(
      's',
      () => {},
      () => null,
    );
    const warnings: string[] = [];
    const run = current.begin(
      async () => 'a',
      () => {},
    );
    await Promise.resolve();
    const joined = deferred();
    expect(
      current.begin(
        () => joined.promise,
        ({ code }) => void warnings.push(code),
      ),
    ).toBe(run);
    for (const event of [start('a'), end('a')]) current.push(event, NOTHING_OPEN);
    expect([current.run, run.ended]).toEqual([run, false]);
    return { current, run, joined, warnings };
  };

  it('continues it as the run that the request starts', async () => {
    const { current, run, joined } = await begin();
    joined.resolve('b');
    await joined.promise;
    for (const event of [start('b'), end('b')]) current.push(event, NOTHING_OPEN);
    expect(await run.result()).toEqual({ status: 'done', summary: 'b', error: null });
    expect(current.run).toBeNull();
  });

  it('leaves its result when the request is rejected', async () => {
    const { current, run, joined, warnings } = await begin();
    joined.reject(invalid);
    expect(await run.result()).toEqual({ status: 'done', summary: 'a', error: null });
    expect([current.run, warnings]).toEqual([null, ['invalid']]);
  });
});

it('fails when none of its calls could start it', async () => {
  const current = new RunInProgress(
    's',
    () => {},
    () => null,
  );
  const run = current.begin(
    () => Promise.reject(invalid),
    () => {},
  );
  current.begin(
    () => Promise.reject(invalid),
    () => {},
  );
  await expect(run.result()).rejects.toBe(invalid);
  expect(current.run).toBeNull();
});
