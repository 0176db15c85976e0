import type { DriverSettings } from '../../protocol.js';
import { MESSAGE_LIMITS } from '../../limits.js';
import type { HostPort } from '../port.js';

type Area = 'local' | 'session' | 'cookies';

const MAX_STORAGE_CHARACTERS = 2_000_000;

/**
 * Gives the page the storage of its tab. An opaque origin has no storage: access to `localStorage` or a cookie throws, which breaks many
 * apps. The document holds the data and reports changes to the host, which passes the data to the tab's next page.
 */
export function giveStorage(host: HostPort, settings: Pick<DriverSettings, 'storage'>): void {
  if (hasStorage()) return;
  const { local = [], session = [], cookies = [] } = settings.storage ?? {};
  defineStorage(window, 'localStorage', { value: createStorage(host, 'local', local) });
  defineStorage(window, 'sessionStorage', { value: createStorage(host, 'session', session) });
  const jar = new Map(cookies);
  defineStorage(document, 'cookie', {
    get: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    set: (text: string) => {
      const [, name = '', value = ''] = /^\s*([^=;]*)=?([^;]*)/.exec(text) ?? [];
      const isOver = /;\s*max-age=(0|-)|;\s*expires=[^;]*(19\d\d|20[01]\d)/i.test(text);
      if (isOver) jar.delete(name.trim());
      else if (jar.size < 100) jar.set(name.trim(), value.trim());
      reportChange(host, 'cookies', name.trim(), isOver ? null : value.trim());
    },
  });
}

function hasStorage(): boolean {
  try {
    return Boolean(window.localStorage);
  } catch {
    return false;
  }
}

function defineStorage(target: object, name: string, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, name, { ...descriptor, configurable: true, enumerable: true });
}

function reportChange(host: HostPort, area: Area, key: string | null, value: string | null): void {
  if ((key?.length ?? 0) > MESSAGE_LIMITS.url || (value?.length ?? 0) > MESSAGE_LIMITS.view) return; // stored in this page only
  host.event({ event: 'storage', area, key, value });
}

function createStorage(host: HostPort, area: Area, entries: readonly [string, string][]): Storage {
  const values = new Map(entries);
  return withNames(storageMethods(host, area, values), values);
}

function storageMethods(host: HostPort, area: Area, values: Map<string, string>): Storage {
  let size = 0;
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key: unknown) => values.get(String(key)) ?? null,
    setItem: (key: unknown, value: unknown) => {
      const text = String(value);
      size += text.length;
      if (size > MAX_STORAGE_CHARACTERS) {
        size = [...values.values()].reduce((sum, { length }) => sum + length, text.length);
        if (size > MAX_STORAGE_CHARACTERS)
          throw new DOMException('The storage is full.', 'QuotaExceededError');
      }
      values.set(String(key), text);
      reportChange(host, area, String(key), text);
    },
    removeItem: (key: unknown) => {
      values.delete(String(key));
      reportChange(host, area, String(key), null);
    },
    clear: () => {
      values.clear();
      reportChange(host, area, null, null);
    },
  };
}

/** Makes the entries available as properties, too: `localStorage.name`. */
function withNames(methods: Storage, values: ReadonlyMap<string, string>): Storage {
  return new Proxy(methods, {
    get: (target, key) =>
      typeof key === 'symbol' || key in target ? (Reflect.get(target, key) as unknown) : values.get(key),
    set: (target, key, value) => {
      target.setItem(String(key), String(value));
      return true;
    },
    deleteProperty: (target, key) => {
      target.removeItem(String(key));
      return true;
    },
    has: (target, key) => key in target || values.has(String(key)),
    ownKeys: () => [...values.keys()],
    getOwnPropertyDescriptor: (_target, key) => {
      const value = values.get(String(key));
      return value === undefined
        ? undefined
        : { value, writable: true, enumerable: true, configurable: true };
    },
  });
}
