import { LIMITS } from '../limits.js';
import type { DriverEvent } from '../protocol.js';
import type { HostPort } from './port.js';
import type { Quiet } from './quiet.js';
import { cut } from './view/quote.js';

type Navigation = Extract<DriverEvent, { event: 'navigate' }>;

/** Where a page wants to go, as far as it is not what most want: this very window, without a form. */
export type Destination = Pick<Navigation, 'url' | 'how'> & Partial<Navigation>;

/** The host hears that the page wants to go elsewhere. */
export function tellNavigation(host: HostPort, where: Destination): void {
  const navigation: Navigation = {
    event: 'navigate',
    method: 'get',
    fields: [],
    popup: false,
    top: false,
    ...where,
  };
  host.event({ ...navigation, url: cut(navigation.url, LIMITS.url) });
}

/** Whether nobody but the page itself can read what stands at this address. */
export function isInPage(url: string): boolean {
  return /^(data|blob):/i.test(url);
}

/** What a file is called that the page offers, by the name the page gave it or the end of its address. */
export function downloadName(url: string, given: string): string {
  return cut(given || (isInPage(url) ? '' : (url.split(/[?#]/)[0] ?? '')), LIMITS.title);
}

/** Hands a file to the host, read by the page itself; without its content when it cannot be had or is too large. */
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
        (body) => tell(body !== null && body.byteLength <= LIMITS.body ? body : null),
        () => tell(null),
      ),
  );
}
