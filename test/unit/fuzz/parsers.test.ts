import { describe, it } from 'vitest';
import { fuzz, PARSERS } from '../../fuzz/parsers.js';

/** `npm run test:fuzz` runs a million of each. */
const RUNS = 300;

describe('parsers throw only named errors and satisfy their invariants', () => {
  it.each(PARSERS.map((parser) => [parser.name, parser] as const))('%s', (_name, parser) => {
    fuzz(parser, RUNS);
  });
});
