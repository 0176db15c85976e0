import type { AgentEvent } from '../base/events.js';
import type { EventBatch, SessionView } from '../wire/protocol.js';

/** Deltas wait for each other this long or until there are so many: ten times the throughput, and still a frame's latency. */
const FRAME = 16;
const MOST = 16;

/**
 * Sends events to the page in order, token deltas in batches. They share the port of the calls: what a call did is told before the call
 * returns.
 */
export class EventPort {
  #waiting: AgentEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(
    private readonly port: MessagePort,
    private readonly view: () => SessionView,
  ) {}

  send(event: AgentEvent): void {
    if (this.#closed) return;
    this.#waiting.push(event);
    if (!event.type.endsWith('-delta') || this.#waiting.length >= MOST) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FRAME);
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#closed) return;
    const batch: EventBatch = { events: this.#waiting.splice(0), view: this.view() };
    this.port.postMessage(batch);
  }

  close(): void {
    this.flush();
    this.#closed = true;
  }
}
