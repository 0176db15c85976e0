// `npm run bench:memory -- [--sizes 1000,10000,100000] [--parts long-term,vectors,lexical] [--json OUT] [--docs]`: how fast memory is, next to other libraries; with --docs its figures are left in docs/benchmarks for `npm run bench -- --report`; see scripts/bench/.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('./bench/memory.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
