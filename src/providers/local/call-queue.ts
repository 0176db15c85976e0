/** First-in, first-out queue for exclusive use of a resource. Each waiting caller is informed when its position changes. */
export class CallQueue {
  readonly #line: Ticket[] = [];

  /** Number of running and waiting calls. */
  get length(): number {
    return this.#line.length;
  }

  /** Runs `work` when it is first in the queue. If the signal aborts before that, leaves the queue and throws the signal's reason. */
  async take<Result>(
    work: () => Promise<Result>,
    signal: AbortSignal,
    waiting: (before: number) => void,
  ): Promise<Result> {
    const ticket: Ticket = { call: () => undefined, waiting };
    this.#line.push(ticket);
    try {
      if (this.#line.length > 1) {
        waiting(this.#line.length - 1);
        await called(ticket, signal);
      }
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#leave(ticket);
    }
  }

  #leave(ticket: Ticket): void {
    const place = this.#line.indexOf(ticket);
    this.#line.splice(place, 1);
    if (place === 0) this.#line[0]?.call();
    for (const [before, other] of this.#line.entries())
      if (before >= Math.max(1, place)) other.waiting(before);
  }
}

interface Ticket {
  call: () => void;
  waiting: (before: number) => void;
}

function called(ticket: Ticket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    ticket.call = () => {
      signal.removeEventListener('abort', abort);
      resolve();
    };
  });
}
