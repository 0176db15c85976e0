import type { HostPort } from '../port.js';
import type { Quiet } from '../quiet.js';
import { LIMITS } from '../../limits.js';
import { cut } from '../view/quote.js';
import { PageRequest } from './page-request.js';

/**
 * Replaces `fetch` and `XMLHttpRequest`: the host, which has the files, answers requests of the page. Addresses in the page's own memory
 * (`data:`, `blob:`) do not involve the host.
 */
export function giveNetwork(host: HostPort, quiet: Quiet, resolve: (address: string) => string): void {
  const nativeFetch = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const request = input instanceof Request ? input : null;
    const url = resolve(input instanceof Request ? input.url : input.toString());
    if (/^(data|blob):/i.test(url)) return quiet.during(nativeFetch(input, init));
    const signal = init?.signal ?? request?.signal;
    return quiet.during(
      load(host, url, { ...init, method: init?.method ?? request?.method ?? 'GET' }, signal),
    );
  };
  window.XMLHttpRequest = class extends PageRequest {
    constructor() {
      super(resolve);
    }
  } as unknown as typeof XMLHttpRequest;
  Object.defineProperty(navigator, 'sendBeacon', { value: () => false, configurable: true });
}

async function load(
  host: HostPort,
  url: string,
  init: RequestInit,
  signal?: AbortSignal | null,
): Promise<Response> {
  signal?.throwIfAborted();
  const body = init.body == null ? null : await bytesOf(init.body);
  const method = cut((init.method ?? 'GET').toUpperCase(), 20);
  const asked = host.file({ url: cut(url, LIMITS.url), method, use: 'data', body });
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const answer = await Promise.race([asked, stopped]);
  if (answer.status === 0) throw new TypeError(`Failed to fetch ${url}: ${answer.problem ?? 'refused'}`);
  const hasBody = ![101, 204, 205, 304].includes(answer.status) && answer.body !== undefined;
  const headers = answer.contentType ? { 'content-type': answer.contentType } : undefined;
  const response = new Response(hasBody ? answer.body : null, {
    status: answer.status,
    ...(headers ? { headers } : {}),
  });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}

async function bytesOf(body: BodyInit): Promise<string | ArrayBuffer> {
  if (typeof body === 'string') return cut(body, LIMITS.body);
  const bytes = await new Response(body).arrayBuffer();
  if (bytes.byteLength > LIMITS.body) throw new TypeError('The request body is too large.');
  return bytes;
}
