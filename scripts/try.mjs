// `npm run try -- "a request"`: the agent in a headless Chromium, watched from the terminal; see scripts/try/.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

// The script is TypeScript like everything else; Vite, which serves its page too, lets Node 20 run it.
const { module } = await runnerImport(fileURLToPath(new URL('./try/main.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
