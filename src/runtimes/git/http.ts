import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { isUrl } from '../../core/is-url.js';
import type { NetworkAccess } from '../../core/program.js';
import { GitError } from './repository.js';

/** What git did on the network. */
export interface Traffic {
  /** Origins to which it sent requests. */
  fetched: Set<string>;
  /** The request before which it ended, because the user has not allowed requests yet. */
  needed: string | null;
}

/** Returns git's client for the addresses that the application allows. It adds to `traffic`. */
export function httpClient(network: NetworkAccess | null, isOffline: boolean, traffic: Traffic): HttpClient {
  return {
    async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      checkAllowed(url, method, network);
      if (isOffline) {
        traffic.needed ??= `${method} ${url}`;
        throw new GitError('fatal: The user has not allowed requests.', 128);
      }
      traffic.fetched.add(new URL(url).origin);
      const parts: Uint8Array[] = [];
      if (body !== undefined) for await (const part of body) parts.push(part);
      const content = parts.length === 0 ? {} : { body: new Blob(parts as Uint8Array<ArrayBuffer>[]) };
      const response = await fetch(url, {
        method,
        headers,
        ...content,
        redirect: 'error',
        credentials: 'omit',
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        url: response.url,
        method,
        statusCode: response.status,
        statusMessage: response.statusText,
        headers: Object.fromEntries(response.headers),
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
  };
}

/** @throws GitError that says what the application must allow. */
function checkAllowed(url: string, method: string, network: NetworkAccess | null): void {
  const methods: readonly string[] = network?.methods ?? ['GET', 'HEAD'];
  const isAllowed = (network?.urls ?? []).some((prefix) => isWithin(url, prefix));
  if (isAllowed && methods.includes(method)) return;
  const origin = isUrl(url) ? new URL(url).origin : url;
  throw new GitError(
    `fatal: unable to access '${url}': the application has not allowed it. It can, with terminal({ network: { urls: ['${origin}/'], methods: ['GET', 'POST'] } }).`,
    128,
  );
}

function isWithin(url: string, prefix: string): boolean {
  if (!isUrl(url) || !isUrl(prefix)) return false;
  const [address, allowed] = [new URL(url), new URL(prefix)];
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
  return (
    address.origin === allowed.origin &&
    (`${address.pathname}/`.startsWith(folder) || address.pathname.startsWith(folder))
  );
}
