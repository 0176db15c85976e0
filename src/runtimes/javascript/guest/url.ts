import { call } from './host.js';

interface UrlParts {
  href: string;
  origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
}

const SETTABLE = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/** The URL of browsers. The host parses. */
export class URL {
  declare href: string;
  declare readonly origin: string;
  declare protocol: string;
  declare username: string;
  declare password: string;
  declare host: string;
  declare hostname: string;
  declare port: string;
  declare pathname: string;
  declare search: string;
  declare hash: string;
  #parts: UrlParts;
  #params: URLSearchParams;

  constructor(url: string | URL, base?: string | URL) {
    this.#parts = call<UrlParts>('url', String(url), base === undefined ? null : String(base));
    this.#params = new URLSearchParams(this.#parts.search);
    this.#params.onChange = (text) => {
      this.#parts = call<UrlParts>('setUrl', this.#parts.href, 'search', text);
    };
  }

  static canParse(url: string | URL, base?: string | URL): boolean {
    return URL.parse(url, base) !== null;
  }

  static parse(url: string | URL, base?: string | URL): URL | null {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }

  get searchParams(): URLSearchParams {
    return this.#params;
  }

  toString(): string {
    return this.#parts.href;
  }

  toJSON(): string {
    return this.#parts.href;
  }

  static {
    for (const name of [...SETTABLE, 'origin'] as const)
      Object.defineProperty(URL.prototype, name, {
        get(this: URL) {
          return this.#parts[name];
        },
        ...(name === 'origin'
          ? {}
          : {
              set(this: URL, value: unknown) {
                this.#parts = call<UrlParts>('setUrl', this.#parts.href, name, String(value));
                this.#params.reset(this.#parts.search);
              },
            }),
        enumerable: true,
        configurable: true,
      });
  }
}

/** The URLSearchParams of browsers. The host reads and writes the text. */
export class URLSearchParams {
  #pairs: [string, string][] = [];
  onChange: (text: string) => void = () => {};

  constructor(init: string | Record<string, string> | Iterable<readonly [string, string]> = '') {
    Object.defineProperty(this, 'onChange', { enumerable: false });
    if (typeof init === 'string') this.reset(init);
    else if (Symbol.iterator in init) for (const [name, value] of init) this.#pairs.push([name, value]);
    else for (const [name, value] of Object.entries(init)) this.#pairs.push([name, value]);
  }

  reset(text: string): void {
    this.#pairs = call<[string, string][]>('readQuery', text);
  }

  #changed(): void {
    this.onChange(this.toString());
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: string, value: unknown): void {
    this.#pairs.push([name, String(value)]);
    this.#changed();
  }

  set(name: string, value: unknown): void {
    const at = this.#pairs.findIndex(([each]) => each === name);
    if (at === -1) {
      this.append(name, value);
      return;
    }
    this.#pairs = this.#pairs.filter(([each], index) => each !== name || index === at);
    this.#pairs[this.#pairs.findIndex(([each]) => each === name)] = [name, String(value)];
    this.#changed();
  }

  delete(name: string): void {
    this.#pairs = this.#pairs.filter(([each]) => each !== name);
    this.#changed();
  }

  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    this.#changed();
  }

  get(name: string): string | null {
    return this.#pairs.find(([each]) => each === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([each]) => each === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  forEach(each: (value: string, name: string, params: URLSearchParams) => void): void {
    for (const [name, value] of this.#pairs) each(value, name, this);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#pairs.map(([name, value]): [string, string] => [name, value]).values();
  }

  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name).values();
  }

  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value).values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  toString(): string {
    return call<string>('writeQuery', this.#pairs);
  }
}

export function fileURLToPath(url: string | URL): string {
  const { protocol, pathname } = new URL(String(url));
  if (protocol !== 'file:')
    throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
  return decodeURIComponent(pathname);
}

function pathToFileURL(path: string): URL {
  return new URL(`file://${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`);
}

export const url = { URL, URLSearchParams, fileURLToPath, pathToFileURL };
