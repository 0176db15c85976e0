/**
 * `npm run test:fuzz`: a million random inputs for every parser. `-- 10000` runs fewer, `-- 10000 paths` runs one
 * parser.
 */
import { describe } from '../../src/core/error.js';
import { fuzz, PARSERS } from './parsers.js';

export function main([runs = '1000000', only]: readonly string[]): number {
  let failed = 0;
  for (const parser of PARSERS) {
    if (only !== undefined && parser.name !== only) continue;
    const started = Date.now();
    try {
      const slowest = fuzz(parser, Number(runs));
      const seconds = Math.round((Date.now() - started) / 1000);
      console.log(`${parser.name}: ${runs} inputs, slowest ${slowest.toFixed(1)} ms, ${seconds} s`);
    } catch (error) {
      failed += 1;
      console.log(`${parser.name}: ${describe(error)}`);
    }
  }
  console.log(`${failed} parsers failed`);
  return failed > 0 ? 1 : 0;
}
