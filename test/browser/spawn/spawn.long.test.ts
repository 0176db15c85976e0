import { expect, test } from 'vitest';
import { readyMade, whatBecomesOf, written } from './scripted-spawn.js';

test('the worker can be given, or made by the application', async () => {
  const make = (): Worker => new Worker(readyMade, { type: 'module' });
  expect(await whatBecomesOf({ worker: make })).toEqual(written);
  const worker = make();
  expect(await whatBecomesOf({ worker })).toEqual(written);
  worker.terminate();
});

test('the worker can be at an address the application knows', async () => {
  expect(await whatBecomesOf({ workerUrl: readyMade })).toEqual(written);
});
