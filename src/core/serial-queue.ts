/** Runs jobs one at a time in the order of the calls. A failed job does not stop the next one. */
export interface SerialQueue {
  <T>(job: () => Promise<T>): Promise<T>;
  /** Runs a job after all earlier ones. Later jobs do not wait for it. */
  after<T>(job: () => Promise<T>): Promise<T>;
}

export function serialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  const after = <T>(job: () => Promise<T>): Promise<T> => last.then(job);
  const run = <T>(job: () => Promise<T>): Promise<T> => {
    const done = after(job);
    last = done.catch(() => undefined); // the caller handles the error
    return done;
  };
  return Object.assign(run, { after });
}
