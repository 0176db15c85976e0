import type { AgentEvent } from '../core/events.js';
import { isSameQueue, type QueuedRequest } from '../core/queue.js';
import type { EventBatch, SessionView } from '../wire/protocol.js';

/** Milliseconds between two batches of deltas: half a frame, which leaves the page time for other tasks however fast a model streams. */
const BATCH_INTERVAL_MS = 8;

type Delta = Extract<AgentEvent, { text: string; type: `${string}-delta` }>;

/**
 * Sends events to the page in order. Sends token deltas in batches and merges those of one text. Events share the port with calls: the
 * effects of a call are emitted before the call returns.
 */
export class EventPort {
  readonly #port: MessagePort;
  readonly #view: () => SessionView;
  readonly #beside: (batch: EventBatch) => void;
  #waiting: AgentEvent[] = [];
  /** Time at which the last batch was sent. */
  #sentAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The batch is sent in this task, after the other views of the same chunk. */
  #isDue = false;
  #closed = false;
  /** The requests in the last view: they can be long, and are sent only when they have changed. */
  #queued: readonly QueuedRequest[] | undefined;

  constructor(
    port: MessagePort,
    view: () => SessionView,
    /** Receives every batch, in addition to the page. */
    beside: (batch: EventBatch) => void = () => {},
  ) {
    this.#port = port;
    this.#view = view;
    this.#beside = beside;
  }

  /** Sends a batch from another worker unchanged. */
  pass(batch: EventBatch): void {
    if (!this.#closed) this.#port.postMessage(batch);
  }

  send(event: AgentEvent): void {
    if (this.#closed) return;
    if (!isDelta(event)) {
      this.#waiting.push(event);
      this.flush();
      return;
    }
    const at = this.#continuedBy(event);
    const before = this.#waiting[at];
    if (before !== undefined && isDelta(before))
      this.#waiting[at] = { ...before, text: before.text + event.text };
    else this.#waiting.push(event);
    if (this.#isDue) return;
    // Checks the clock as well as the timer: a model that never yields delays timers.
    this.#isDue = performance.now() - this.#sentAt >= BATCH_INTERVAL_MS;
    if (this.#isDue) queueMicrotask(() => this.#isDue && this.flush());
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_INTERVAL_MS);
  }

  /** Returns the index of the waiting delta whose text this one continues, or -1. */
  #continuedBy(event: Delta): number {
    const last = this.#waiting.length - 1;
    for (let at = last; at >= Math.max(0, last - 1); at--) {
      const waiting = this.#waiting[at];
      if (waiting === undefined || !isDelta(waiting)) return -1;
      if (continuesDelta(event, waiting)) return at;
      if (!isSameReply(event, waiting)) return -1;
    }
    return -1;
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isDue = false;
    this.#sentAt = performance.now();
    if (this.#closed) return;
    const batch: EventBatch = { events: this.#waiting.splice(0), view: this.#news() };
    this.#port.postMessage(batch);
    this.#beside(batch);
  }

  #news(): SessionView {
    const { queued, ...view } = this.#view();
    if (queued === undefined || isSameQueue(queued, this.#queued)) return view;
    this.#queued = queued;
    return { ...view, queued };
  }

  close(): void {
    this.flush();
    this.#closed = true;
  }
}

/** Returns whether both deltas belong to one reply, in its raw and its text view: they alternate, and their order does not matter. */
function isSameReply(one: Delta, other: Delta): boolean {
  const isView = ({ type }: Delta): boolean => type === 'reply-delta' || type === 'thought-delta';
  return isView(one) && isView(other) && continuesDelta({ ...one, type: other.type } as Delta, other);
}

function isDelta(event: AgentEvent): event is Delta {
  return event.type.endsWith('-delta');
}

/** Returns whether a delta continues the text of another one. */
function continuesDelta(next: Delta, last: Delta): boolean {
  if (next.type !== last.type || next.role !== last.role) return false;
  return next.type === 'command-output-delta'
    ? next.callId === (last as typeof next).callId
    : next.purpose === (last as typeof next).purpose;
}
