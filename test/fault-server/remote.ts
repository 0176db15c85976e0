import type { SeenRequest, Then } from './fault-server.js';
import type { Reply } from './replies.js';

/** A fault server as a page drives it. */
export interface RemoteFaultServer {
  readonly origin: string;
  readonly url: string;
  script(replies: readonly Reply[], then?: Then): Promise<void>;
  release(): Promise<void>;
  requests(): Promise<SeenRequest[]>;
  /** Ends the server: nothing listens at its address any more. */
  close(): Promise<void>;
}

/** A new fault server, started by the one at `control`, which ends it with itself. */
export async function remoteFaultServer(
  control: string,
  options: { cors?: boolean } = {},
): Promise<RemoteFaultServer> {
  const { origin } = (await post(`${control}/-/start`, options)) as { origin: string };
  return {
    origin,
    url: `${origin}/v1`,
    async script(replies, then = 'complain') {
      await post(`${origin}/-/script`, { replies, then });
    },
    async release() {
      await post(`${origin}/-/release`, {});
    },
    async requests() {
      return (await post(`${origin}/-/requests`, {})) as SeenRequest[];
    },
    async close() {
      await post(`${origin}/-/close`, {});
    },
  };
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}
