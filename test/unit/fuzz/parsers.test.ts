import { describe, it } from 'vitest';
import { fuzz, PARSERS } from '../../fuzz/parsers.js';

/** A million of each: `npm run test:fuzz`. */
const RUNS = 300;

describe('parsers neither throw what has no name nor give what they promise not to', () => {
  it.each(PARSERS.map((parser) => [parser.name, parser] as const))('%s', (_name, parser) => {
    fuzz(parser, RUNS);
  });
});
