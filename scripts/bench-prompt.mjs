// `npm run bench:prompt`: what the prompts of a task cost an engine; see test/bench/prompt-cost.ts.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(
  fileURLToPath(new URL('../test/bench/prompt-cost.ts', import.meta.url)),
  { configFile: false, logLevel: 'error' },
);
process.exitCode = await module.main();
