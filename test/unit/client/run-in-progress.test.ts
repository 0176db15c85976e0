import { expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
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
