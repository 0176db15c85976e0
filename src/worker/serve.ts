import { expose } from 'comlink';
import type { Storage } from '../base/store.js';
import { indexedDbStorage } from '../storage/indexed-db-storage.js';
import { PROTOCOL_VERSION, readHandshake, type Handshake } from '../wire/protocol.js';
import { checkedHost } from './checked-host.js';
import { Host, type CreateRoles } from './host.js';

export interface ServeOptions {
  /** Where sessions are kept; default: IndexedDB of this origin, database `rolezero`. */
  storage?: Storage;
}

/**
 * Makes this worker the home of one session. Call it once, at the top level of the worker's file, without awaiting anything before.
 * `create` gets what the page gave as `config`, and the page's own models as `page.model(name)`, and makes the role, or a team; it is
 * called for each connection and may be asynchronous.
 * What it throws reaches the page as the rejection of `connect`.
 *
 * @example serve<{ apiKey: string }>(({ apiKey }) => new RoleZero({ model: openai({ baseURL, model, apiKey }), tools: editor() }))
 */
export function serve<Config = unknown>(create: CreateRoles<Config>, options: ServeOptions = {}): void {
  const storage = options.storage ?? indexedDbStorage();
  const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
  const announce = (): void => {
    const ready: Handshake = { rolezero: 'ready', version: PROTOCOL_VERSION };
    scope.postMessage(ready);
  };
  let host: Host | null = null;
  scope.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = readHandshake(data);
    if (message === null) return; // the application's own
    switch (message.rolezero) {
      case 'hello':
        announce();
        break;
      case 'connect':
        void host?.close(); // a page that comes back from the back/forward cache connects anew
        storage.prepare?.(); // while the page tells which session, and its roles are made
        host = new Host(create, () => storage, message.port);
        expose(checkedHost(host, host.elsewhere), message.port);
        break;
      case 'disconnect':
        void host?.close();
        host = null;
        break;
      case 'ready':
        break;
    }
  });
  announce();
}
