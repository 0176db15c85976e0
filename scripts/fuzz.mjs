// `npm run test:fuzz`: a million random inputs for every parser (`-- 10000` for fewer, `-- 10000 paths` for one of them); see test/fuzz.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const [runs = '1000000', only] = process.argv.slice(2);
const { module } = await runnerImport(fileURLToPath(new URL('../test/fuzz/parsers.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
let failed = 0;
for (const parser of module.PARSERS) {
  if (only !== undefined && parser.name !== only) continue;
  const started = Date.now();
  try {
    const slowest = module.fuzz(parser, Number(runs));
    console.log(
      `${parser.name}: ${runs} inputs, slowest ${slowest.toFixed(1)} ms, ${Math.round((Date.now() - started) / 1000)} s`,
    );
  } catch (error) {
    failed += 1;
    console.log(`${parser.name}: ${error.message}`);
  }
}
console.log(`${failed} parsers failed`);
process.exitCode = failed > 0 ? 1 : 0;
