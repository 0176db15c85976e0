/** Runs jobs one at a time in the order they were handed in; a job that fails does not stop the next. */
export type InOrder = <T>(job: () => Promise<T>) => Promise<T>;

export function inOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const run = last.then(job);
    last = run.catch(() => undefined); // the caller owns the failure
    return run;
  };
}
