/** Name of the channel between the page, which shows the notes of a tour, and the worker, which plays it. */
const CHANNEL = 'rolezero-demo:tour';

/** What the page tells the player: the speed (1 is normal), or that the user has read the note. */
type PaceMessage = { speed: number } | 'next';

/** Waits of a tour. */
export interface Pace {
  /** Waits until the user has had time to read, or asks for the next step. @throws the reason of `signal` */
  read(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Waits at the speed of the tour. @throws the reason of `signal` */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The pace without a page: no time for reading. */
export const unattended: Pace = { read: async () => {}, pause };

/** The pace that the page sets, for a worker. */
export function pageSetsPace(initialSpeed: number): Pace {
  const channel = new BroadcastChannel(CHANNEL);
  let speed = initialSpeed;
  const skips = new Set<() => void>();
  /** The user asked for the next step before the wait for it began. */
  let isAhead = false;
  channel.onmessage = ({ data }: MessageEvent<PaceMessage>) => {
    if (data !== 'next') speed = data.speed;
    else if (skips.size === 0) isAhead = true;
    else for (const skip of skips) skip();
  };
  return {
    async read(milliseconds, signal) {
      if (isAhead) {
        isAhead = false;
        return;
      }
      let skip = (): void => {};
      const asked = new Promise<void>((resolve) => (skip = resolve));
      skips.add(skip);
      const waiting = new AbortController();
      try {
        await Promise.race([asked, pause(milliseconds / speed, AbortSignal.any([signal, waiting.signal]))]);
      } finally {
        waiting.abort();
        skips.delete(skip);
      }
    },
    pause: (milliseconds, signal) => pause(milliseconds / speed, signal),
  };
}

/** Sends to the worker that plays a tour. */
export function setPace(message: PaceMessage): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/** In ms, the time to read a note. */
export function readingTime(note: string): number {
  return Math.max(2_500, 60 * note.length);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
