import { MESSAGE_LIMITS } from '../limits.js';
import type { NavigateRequest } from '../protocol.js';
import type { HostPort } from './port.js';
import type { Quiet } from './quiet.js';
import { cut } from './view/quote.js';

/** Target of a navigation. Omitted fields default to the same window and no form. */
export type Destination = Pick<NavigateRequest, 'url' | 'how'> & Partial<NavigateRequest>;

/** Reports a navigation request of the page to the host. */
export function tellNavigation(host: HostPort, where: Destination): void {
  const navigation: NavigateRequest = {
    event: 'navigate',
    method: 'get',
    fields: [],
    popup: false,
    top: false,
    ...where,
  };
  host.event({ ...navigation, url: cut(navigation.url, MESSAGE_LIMITS.url) });
}

/** Returns whether only the page itself can read the content at this address. */
export function isInPage(url: string): boolean {
  return /^(data|blob):/i.test(url);
}

/** Returns the name of an offered file: the name that the page chose, or the address without query and fragment. */
export function downloadName(url: string, given: string): string {
  return cut(given || (isInPage(url) ? '' : (url.split(/[?#]/)[0] ?? '')), MESSAGE_LIMITS.title);
}

/** Sends a file that the page itself read to the host. The body is null if the file cannot be read or is too large. */
export function handOver(
  host: HostPort,
  quiet: Quiet,
  { url, name }: { url: string; name: string },
  response: Promise<Response>,
): void {
  const tell = (body: ArrayBuffer | null): void =>
    host.event({ event: 'download', url: cut(url, 200), name, body });
  void quiet.during(
    response
      .then((found) => (found.ok ? found.arrayBuffer() : null))
      .then(
        (body) => tell(body !== null && body.byteLength <= MESSAGE_LIMITS.body ? body : null),
        () => tell(null),
      ),
  );
}
