import { parentPort } from 'node:worker_threads';

/** Does the jobs that `sideBySide` gives to this thread, one after the other; a failure ends the thread, and its owner gets the error. */
export function serveJobs(run: (job: never) => Promise<unknown>): void {
  parentPort?.on('message', (job: unknown) => {
    void run(job as never).then((result) => parentPort?.postMessage(result));
  });
}
