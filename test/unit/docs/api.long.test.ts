import { expect, it } from 'vitest';
import { apiReport } from '../../../scripts/api-report.js';
import { read } from './snippets.js';

it('the public surface is what docs/api.md says; npm run docs writes it again', { timeout: 240_000 }, () => {
  // Lines, so that a difference shows where it is.
  expect(read('docs/api.md').split('\n')).toEqual(apiReport().split('\n'));
});
