import { MESSAGE_LIMITS } from '../../limits.js';
import type { HostPort } from '../port.js';
import type { Quiet } from '../quiet.js';
import { cut } from '../view/quote.js';

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
      loadResource(host, url, { ...init, method: init?.method ?? request?.method ?? 'GET' }, signal),
    );
  };
  window.XMLHttpRequest = class extends PageRequest {
    constructor() {
      super(resolve);
    }
  } as unknown as typeof XMLHttpRequest;
  Object.defineProperty(navigator, 'sendBeacon', { value: () => false, configurable: true });
}

async function loadResource(
  host: HostPort,
  url: string,
  init: RequestInit,
  signal?: AbortSignal | null,
): Promise<Response> {
  signal?.throwIfAborted();
  const body = init.body == null ? null : await bodyContent(init.body);
  const method = cut((init.method ?? 'GET').toUpperCase(), 20);
  const asked = host.file({ url: cut(url, MESSAGE_LIMITS.url), method, use: 'data', body });
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

async function bodyContent(body: BodyInit): Promise<string | ArrayBuffer> {
  if (typeof body === 'string') return cut(body, MESSAGE_LIMITS.body);
  const bytes = await new Response(body).arrayBuffer();
  if (bytes.byteLength > MESSAGE_LIMITS.body) throw new TypeError('The request body is too large.');
  return bytes;
}

/** An `XMLHttpRequest` on top of the page's `fetch`. */
class PageRequest extends EventTarget {
  static readonly UNSENT = 0;
  static readonly OPENED = 1;
  static readonly HEADERS_RECEIVED = 2;
  static readonly LOADING = 3;
  static readonly DONE = 4;
  readonly UNSENT = 0;
  readonly OPENED = 1;
  readonly HEADERS_RECEIVED = 2;
  readonly LOADING = 3;
  readonly DONE = 4;
  readonly upload = new EventTarget();
  readyState = 0;
  status = 0;
  statusText = '';
  responseType: XMLHttpRequestResponseType = '';
  responseURL = '';
  timeout = 0;
  withCredentials = false;
  readonly #resolve: (address: string) => string;
  #method = 'GET';
  #url = '';
  #headers = new Headers();
  #answer: Response | null = null;
  #bytes: ArrayBuffer = new ArrayBuffer(0);
  #controller = new AbortController();

  constructor(resolve: (address: string) => string) {
    super();
    this.#resolve = resolve;
  }

  open(method: string, url: string | URL): void {
    this.#method = method;
    this.#url = this.#resolve(String(url));
    this.#headers = new Headers();
    this.#controller = new AbortController();
    this.#enter(1);
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.append(name, value);
  }

  overrideMimeType(): void {
    // Ignored: text is always decoded as UTF-8.
  }

  getResponseHeader(name: string): string | null {
    return this.#answer?.headers.get(name) ?? null;
  }

  getAllResponseHeaders(): string {
    return [...(this.#answer?.headers ?? [])].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }

  get responseText(): string {
    return this.readyState < 3 ? '' : new TextDecoder().decode(this.#bytes);
  }

  get responseXML(): Document | null {
    return this.readyState < 4 ? null : new DOMParser().parseFromString(this.responseText, 'text/xml');
  }

  get response(): unknown {
    if (this.readyState < 4) return this.responseType === '' || this.responseType === 'text' ? '' : null;
    if (this.status === 0) return null;
    switch (this.responseType) {
      case 'json':
        return jsonOrNull(this.responseText);
      case 'arraybuffer':
        return this.#bytes;
      case 'blob':
        return new Blob([this.#bytes], { type: this.getResponseHeader('content-type') ?? '' });
      case 'document':
        return this.responseXML;
      default:
        return this.responseText;
    }
  }

  send(body?: XMLHttpRequestBodyInit | Document | null): void {
    this.#fire('loadstart');
    const signals = [
      this.#controller.signal,
      ...(this.timeout > 0 ? [AbortSignal.timeout(this.timeout)] : []),
    ];
    const init: RequestInit = {
      method: this.#method,
      headers: this.#headers,
      body: body instanceof Document ? body.documentElement.outerHTML : (body ?? null),
      signal: AbortSignal.any(signals),
    };
    window.fetch(this.#url, /^(get|head)$/i.test(this.#method) ? { ...init, body: null } : init).then(
      async (response) => {
        this.#answer = response;
        this.status = response.status;
        this.statusText = response.statusText;
        this.responseURL = this.#url;
        this.#enter(2);
        this.#bytes = await response.arrayBuffer();
        this.#enter(3);
        this.#end('load');
      },
      (error: unknown) => {
        const name = error instanceof DOMException ? error.name : '';
        this.#end(name === 'TimeoutError' ? 'timeout' : name === 'AbortError' ? 'abort' : 'error');
      },
    );
  }

  abort(): void {
    this.#controller.abort();
  }

  #end(event: string): void {
    if (event !== 'load') this.status = 0;
    this.#enter(4);
    this.#fire(event);
    this.#fire('loadend');
  }

  #enter(state: number): void {
    this.readyState = state;
    this.#fire('readystatechange');
  }

  #fire(type: string): void {
    const loaded = this.#bytes.byteLength;
    const event =
      type === 'readystatechange' ? new Event(type) : new ProgressEvent(type, { loaded, total: loaded });
    const handler = Reflect.get(this, `on${type}`) as unknown;
    this.dispatchEvent(event);
    if (typeof handler === 'function') Reflect.apply(handler, this, [event]);
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
