type TimerCallback = (...args: unknown[]) => void;

interface GuestTimer {
  due: number;
  interval: number | null;
  run: () => void;
  isRef: boolean;
}

/** What `setTimeout` returns: usable as a number, with the methods of Node's timers. */
class Timeout {
  constructor(readonly id: number) {}
  ref(): this {
    const timer = timers.get(this.id);
    if (timer !== undefined) timer.isRef = true;
    return this;
  }
  unref(): this {
    const timer = timers.get(this.id);
    if (timer !== undefined) timer.isRef = false;
    return this;
  }
  hasRef(): boolean {
    return timers.get(this.id)?.isRef ?? false;
  }
  [Symbol.toPrimitive](): number {
    return this.id;
  }
}

const timers = new Map<number, GuestTimer>();
let last = 0;

function startTimer(callback: TimerCallback, delay: unknown, interval: boolean, args: unknown[]): Timeout {
  if (typeof callback !== 'function')
    throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  const wait = Math.max(1, Number(delay) || 1);
  last += 1;
  timers.set(last, {
    due: performance.now() + wait,
    interval: interval ? wait : null,
    run: () => callback(...args),
    isRef: true,
  });
  return new Timeout(last);
}

const setTimeout = (callback: TimerCallback, delay?: unknown, ...args: unknown[]): Timeout =>
  startTimer(callback, delay, false, args);
const setInterval = (callback: TimerCallback, delay?: unknown, ...args: unknown[]): Timeout =>
  startTimer(callback, delay, true, args);
const setImmediate = (callback: TimerCallback, ...args: unknown[]): Timeout =>
  startTimer(callback, 0, false, args);
const clear = (timer: Timeout | number | undefined): void => void timers.delete(Number(timer));

/** Milliseconds until the next timer; negative when the program waits for none. */
export function untilNextTimer(): number {
  if (![...timers.values()].some(({ isRef }) => isRef)) return -1;
  const due = Math.min(...[...timers.values()].map((timer) => timer.due));
  return Math.max(0, due - performance.now());
}

/** Runs the timer that is due first, if one is due. */
export function runDueTimer(): void {
  const now = performance.now();
  const [first] = [...timers].filter(([, { due }]) => due <= now).sort(([, a], [, b]) => a.due - b.due);
  if (first === undefined) return;
  const [id, timer] = first;
  if (timer.interval === null) timers.delete(id);
  else timer.due = now + timer.interval;
  timer.run();
}

const resolveLater = (delay?: number, value?: unknown): Promise<unknown> =>
  new Promise((resolve) => setTimeout(() => resolve(value), delay));

export const timersPromises = {
  setTimeout: resolveLater,
  setImmediate: (value?: unknown) => resolveLater(0, value),
  scheduler: { wait: resolveLater },
};

export const timersModule = {
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
  promises: timersPromises,
};
