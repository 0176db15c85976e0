import { newId } from '../core/new-id.js';
import type { EventBatch, HostApi, SessionView } from '../wire/protocol.js';
import { checkedHost } from './checked-host.js';
import { readSharedMessage, type SharedMessage } from './shared-calls.js';

/** The viewers in other tabs while this worker owns the session: they receive the events of its page, and may make shared calls. */
export class Audience {
  readonly #channel: BroadcastChannel;
  readonly #host: HostApi;
  readonly #view: () => SessionView;
  readonly #holder = newId();
  /** Set once a viewer has announced itself; no events are posted before. */
  #isThere = false;
  #checked: HostApi | null = null;

  constructor(channel: BroadcastChannel, host: HostApi, view: () => SessionView) {
    this.#channel = channel;
    this.#host = host;
    this.#view = view;
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => void this.#hear(data));
    this.#show(); // for the viewers of the previous owner
  }

  tell(batch: EventBatch): void {
    if (this.#isThere) this.#post({ type: 'events', holder: this.#holder, batch });
  }

  close(): void {
    this.#isThere = false;
    this.#channel.close();
  }

  async #hear(data: unknown): Promise<void> {
    const message = readSharedMessage(data);
    if (message?.type === 'look') {
      this.#isThere = true;
      this.#show();
    } else if (message?.type === 'call' && message.holder === this.#holder) {
      const { call, method, args } = message;
      this.#checked ??= checkedHost(this.#host);
      const result = await this.#checked.callMethod(method, args);
      if (this.#isThere) this.#post({ type: 'result', call, result });
    }
  }

  #show(): void {
    this.#post({ type: 'view', holder: this.#holder, view: this.#view() });
  }

  #post(message: SharedMessage): void {
    this.#channel.postMessage(message);
  }
}
