// `npm run bench`: the loop, the page and its worker, beside other libraries, in a real Chromium; see scripts/bench/main.ts.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('./bench/main.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
