import { expect, it } from 'vitest';
import { apiReport } from '../../../scripts/api-report.js';
import { read } from './snippets.js';

it('docs/api.md matches the public surface; npm run docs:api updates it', { timeout: 240_000 }, () => {
  // Lines, so that the difference shows its place.
  expect(read('docs/api.md').split('\n')).toEqual(apiReport().split('\n'));
});
