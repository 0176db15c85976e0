import { basename } from 'node:path';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';

/** The young generation is made large: what is run here makes much that lives for a moment only. */
const LIMITS = { maxYoungGenerationSizeMb: 96 };
/** What V8 guesses to live long it makes where only the great sweeps come, and all that it knows, a whole world here, stays until then. */
const NOTHING_IS_OLD_AT_BIRTH = '--no-allocation-site-pretenuring';

/**
 * Gives jobs to the module at `entry`, which calls `serveJobs`, in as many threads as there are processors; results come in the order of
 * the jobs. The module is bundled first: plain modules run faster than what a test runner makes of them.
 * @throws what the first job failed with.
 */
export async function sideBySide<Result>(
  entry: URL,
  jobs: readonly unknown[],
  threads = Math.max(2, availableParallelism()),
): Promise<Result[]> {
  const script = await bundle(fileURLToPath(entry));
  setFlagsFromString(NOTHING_IS_OLD_AT_BIRTH);
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(script, { resourceLimits: LIMITS });
    try {
      for (let index = next++; index < jobs.length; index = next++)
        results[index] = await done<Result>(worker, jobs[index]);
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, work));
  return results;
}

async function bundle(entry: string): Promise<URL> {
  const name = basename(entry, '.ts');
  const outDir = fileURLToPath(new URL(`../../node_modules/.cache/threads-${name}`, import.meta.url));
  await build({ configFile: false, logLevel: 'error', build: { ssr: entry, outDir, emptyOutDir: true } });
  return pathToFileURL(`${outDir}/${name}.js`);
}

function done<Result>(worker: Worker, job: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners();
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread of the tests ended with ${code}.`)));
    worker.postMessage(job);
  });
}
