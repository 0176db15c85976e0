// Records the corpus of session exports of this release; see test/unit/chaos/corpus.long.test.ts. Run it when the format has changed, into a new folder: what was recorded stays.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const { module } = await runnerImport(path('test/chaos/record-sessions.ts'), {
  configFile: false,
  logLevel: 'error',
});
const written = await module.record(path(`test/fixtures/sessions/${process.argv[2] ?? 'v1'}`));
console.log(`${written.length} sessions: ${written.join('; ')}`);
process.exit(0);
