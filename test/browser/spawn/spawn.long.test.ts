import { expect, test } from 'vitest';
import { readyMade, whatBecomesOf, written } from './scripted-spawn.js';

test('accepts a worker, or a function that creates one', async () => {
  const make = (): Worker => new Worker(readyMade, { type: 'module' });
  expect(await whatBecomesOf({ worker: make })).toEqual(written);
  const worker = make();
  expect(await whatBecomesOf({ worker })).toEqual(written);
  worker.terminate();
});

test('accepts the URL of a worker', async () => {
  expect(await whatBecomesOf({ workerUrl: readyMade })).toEqual(written);
});
