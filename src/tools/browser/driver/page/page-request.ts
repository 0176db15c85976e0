/** An `XMLHttpRequest` on top of the page's `fetch`. */
export class PageRequest extends EventTarget {
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
        return parseJson(this.responseText);
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
