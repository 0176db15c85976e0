// `npm run bench:recall -- --locomo FILE --tools FILE --queries FILE --json OUT`: how much of what is needed is found; see scripts/bench/.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('./bench/recall.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
