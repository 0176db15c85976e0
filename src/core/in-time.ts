/**
 * Returns the result of `work`, or that of `late` after the given time in ms; `late` may also throw. The work itself continues, and an error
 * that it has after that is ignored.
 */
export async function inTime<Value, Late>(
  work: Promise<Value>,
  milliseconds: number,
  late: () => Late,
): Promise<Value | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
