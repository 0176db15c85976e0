/** The channel between the page, which shows the notes of a tour, and the worker, which plays it. */
function channelOf(session: string): BroadcastChannel {
  return new BroadcastChannel(`rolezero-demo:tour:${session}`);
}

/** What the page sends to the player: the speed (1 is normal), or that the user has read the note. */
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

/** The pace that the page of a session sets, for its worker. */
export function pageSetsPace(session: string): Pace {
  const channel = channelOf(session);
  let speed = 1;
  const skips = new Set<() => void>();
  /** The user asked for the next step before the wait for it began. */
  let isAhead = false;
  channel.onmessage = ({ data }: MessageEvent<PaceMessage>) => {
    if (data !== 'next') speed = data.speed;
    else if (skips.size === 0) isAhead = true;
    else for (const skip of skips) skip();
  };
  channel.postMessage('ready');
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

/** The page's side of the pace. */
export interface PaceControl {
  /** Continues with the next step, though the time to read the note is not over. */
  next(): void;
  /** Sends the speed to the worker; 1 is normal. */
  sendSpeed(): void;
  close(): void;
}

/** Controls the worker of a session. The worker receives the speed when it starts. */
export function controlPace(session: string, speed: () => number): PaceControl {
  const channel = channelOf(session);
  const send = (message: PaceMessage): void => channel.postMessage(message);
  const sendSpeed = (): void => send({ speed: speed() });
  channel.onmessage = sendSpeed; // The worker is ready.
  return { next: () => send('next'), sendSpeed, close: () => channel.close() };
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
