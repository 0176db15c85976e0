import type { AgentEvent } from '../base/events.js';
import type { EventBatch, SessionView } from '../wire/protocol.js';

/** Milliseconds between two batches of deltas: half a frame, in which a page comes to its other tasks however fast a model talks. */
const PAUSE = 8;

type Delta = Extract<AgentEvent, { text: string; type: `${string}-delta` }>;

/**
 * Sends events to the page in order, token deltas in batches, and those of one text as one. They share the port of the calls: what a call did is told before the call returns.
 */
export class EventPort {
  #waiting: AgentEvent[] = [];
  /** When the last batch left. */
  #sentAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(
    private readonly port: MessagePort,
    private readonly view: () => SessionView,
    /** Hears every batch, beside the page. */
    private readonly beside: (batch: EventBatch) => void = () => {},
  ) {}

  /** What somebody else has told, as it is. */
  pass(batch: EventBatch): void {
    if (!this.#closed) this.port.postMessage(batch);
  }

  send(event: AgentEvent): void {
    if (this.#closed) return;
    if (!isDelta(event)) {
      this.#waiting.push(event);
      this.flush();
      return;
    }
    const at = this.continuedBy(event);
    const before = this.#waiting[at];
    if (before !== undefined && isDelta(before))
      this.#waiting[at] = { ...before, text: before.text + event.text };
    else this.#waiting.push(event);
    // The clock as well as the timer: a model that never waits keeps timers from their turn.
    if (performance.now() - this.#sentAt >= PAUSE) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), PAUSE);
  }

  /** The index of the waiting delta whose text this one continues; -1 without one. */
  private continuedBy(event: Delta): number {
    const last = this.#waiting.length - 1;
    for (let at = last; at >= Math.max(0, last - 1); at--) {
      const waiting = this.#waiting[at];
      if (waiting === undefined || !isDelta(waiting)) return -1;
      if (continues(event, waiting)) return at;
      if (!isSameReply(event, waiting)) return -1;
    }
    return -1;
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#sentAt = performance.now();
    if (this.#closed) return;
    const batch: EventBatch = { events: this.#waiting.splice(0), view: this.view() };
    this.port.postMessage(batch);
    this.beside(batch);
  }

  close(): void {
    this.flush();
    this.#closed = true;
  }
}

/** True for the two views of one reply, raw and words: their deltas alternate, and their order does not matter. */
function isSameReply(one: Delta, other: Delta): boolean {
  const isView = ({ type }: Delta): boolean => type === 'reply-delta' || type === 'thought-delta';
  return isView(one) && isView(other) && continues({ ...one, type: other.type } as Delta, other);
}

function isDelta(event: AgentEvent): event is Delta {
  return event.type.endsWith('-delta');
}

/** Whether a delta goes on with the text of another one. */
function continues(next: Delta, last: Delta): boolean {
  if (next.type !== last.type || next.role !== last.role) return false;
  return next.type === 'command-output-delta'
    ? next.callId === (last as typeof next).callId
    : next.purpose === (last as typeof next).purpose;
}
