import { describe, RoleZeroError } from '../../core/error.js';
import type { McpSettings } from './options.js';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Returns a fetch for the requests of one server. Responses fail after a number of bytes, however they arrive. The headers of the
 * application are sent to the origin of the server alone, not to the one where the user signs in. That one must have https.
 */
export function limitedFetch(
  { url: server, headers, limits }: McpSettings,
  onResponse: (response: Response) => void,
): Fetch {
  return async (url, init) => {
    const all = new Headers(init?.headers);
    const { origin, protocol } = new URL(url);
    const isOwn = origin === server.origin;
    if (!isOwn && protocol !== 'https:' && !isLocalHost(server))
      throw new RoleZeroError('permission', 'The server asks for a sign-in over plain http.', { origin });
    const own = isOwn ? await ownHeaders(headers) : {};
    for (const [name, value] of Object.entries(own)) if (!all.has(name)) all.set(name, value);
    const response = await fetch(url, { ...init, headers: all, credentials: 'omit' });
    onResponse(response);
    if (response.body === null) return response;
    return withBody(response, response.body.pipeThrough(byteLimit(limits.bytes)));
  };
}

/** Returns a copy of a response with another body. */
export function withBody(
  response: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>> | string,
): Response {
  const copy = new Response(body, response);
  for (const name of ['url', 'type', 'redirected'] as const)
    Object.defineProperty(copy, name, { value: response[name] });
  return copy;
}

/** @throws RoleZeroError `invalid` when the function of the application fails. */
async function ownHeaders(headers: McpSettings['headers']): Promise<Record<string, string>> {
  try {
    return await headers();
  } catch (error) {
    throw new RoleZeroError('invalid', `\`headers\` of mcp() failed: ${describe(error)}`, {}, error);
  }
}

function isLocalHost({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Fails with a `RoleZeroError` `tool-failed` beyond the limit. */
function byteLimit(most: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) controller.enqueue(chunk);
      else
        controller.error(
          new RoleZeroError('tool-failed', `its result has more than ${most} bytes (\`limits.bytes\`).`),
        );
    },
  });
}
