import { Message } from '../core/message.js';

/** A first-in, first-out queue of messages that never blocks. */
export class MessageQueue {
  #messages: Message[] = [];

  push(message: Message): void {
    this.#messages.push(message);
  }

  /** Removes and returns the oldest message, or null. */
  pop(): Message | null {
    return this.#messages.shift() ?? null;
  }

  /** Removes and returns all messages, oldest first. */
  popAll(): Message[] {
    return this.#messages.splice(0);
  }

  /** Returns the messages without removing them. */
  peekAll(): readonly Message[] {
    return this.#messages;
  }

  empty(): boolean {
    return this.#messages.length === 0;
  }

  /** Returns a JSON array of message JSON strings. The queue keeps its content. */
  async dump(): Promise<string> {
    return JSON.stringify(this.#messages.map((message) => message.dump()));
  }

  /** Parses a text written by `dump`; returns an empty queue when the text cannot be read. */
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
