import { expect, it } from 'vitest';
import { describeFailure, runBrowserMixtures } from '../chaos/mixtures/run-mixtures.js';
import { sized } from '../size.js';

/** `npm run test:chaos -- --mixtures-in-browser N` runs any number. */
const MIXTURES = sized(3);

it('loses nothing and shows the same to all clients when frames mix all calls of sessions', async () => {
  const { failures } = await runBrowserMixtures(1, MIXTURES);
  expect(failures.map(describeFailure)).toEqual([]);
});
