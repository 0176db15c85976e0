/**
 * Runs a TypeScript program of this repository, because the oldest supported Node cannot:
 *
 *     node scripts/run.mjs PATH [ARGUMENTS]
 *
 * The file at PATH, relative to the root, exports `main(args)`, which returns the exit code or nothing.
 */
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const [path, ...args] = process.argv.slice(2);
const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' });
const code = (await module.main(args)) ?? 0;
// Open handles of the program must not keep the process alive, and no output may be lost.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
