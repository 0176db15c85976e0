// `npm run test:attacks`: a model that obeys whatever it reads, and honest work under the same policy; see test/attacks/main.ts.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('../test/attacks/main.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
process.exit(await module.main(process.argv.slice(2)));
