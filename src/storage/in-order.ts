/** Runs jobs one at a time in the order they were handed in; a job that fails does not stop the next. */
export interface InOrder {
  <T>(job: () => Promise<T>): Promise<T>;
  /** Runs a job after those handed in before, which those handed in later do not wait for. */
  after<T>(job: () => Promise<T>): Promise<T>;
}

export function inOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  const after = <T>(job: () => Promise<T>): Promise<T> => last.then(job);
  const run = <T>(job: () => Promise<T>): Promise<T> => {
    const done = after(job);
    last = done.catch(() => undefined); // the caller owns the failure
    return done;
  };
  return Object.assign(run, { after });
}
