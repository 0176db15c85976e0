import { Message } from './message.js';

/** First in, first out; never waits (spec 1.4). */
export class MessageQueue {
  #messages: Message[] = [];

  push(message: Message): void {
    this.#messages.push(message);
  }

  /** The oldest message, or null. */
  pop(): Message | null {
    return this.#messages.shift() ?? null;
  }

  /** Everything, oldest first; the queue is empty afterwards. */
  popAll(): Message[] {
    return this.#messages.splice(0);
  }

  /** The messages without taking them. */
  peekAll(): readonly Message[] {
    return this.#messages;
  }

  empty(): boolean {
    return this.#messages.length === 0;
  }

  /** A JSON array of message JSON strings; the queue keeps its content. */
  async dump(): Promise<string> {
    return JSON.stringify(this.#messages.map((message) => message.dump()));
  }

  /** The queue a text written by `dump` describes; an empty one when the text cannot be read. */
  static load(text: string): MessageQueue {
    const queue = new MessageQueue();
    let entries: unknown;
    try {
      entries = JSON.parse(text);
    } catch {
      return queue;
    }
    if (!Array.isArray(entries)) return queue;
    for (const entry of entries) {
      const message = typeof entry === 'string' ? Message.load(entry) : null;
      if (message !== null) queue.push(message);
    }
    return queue;
  }
}
