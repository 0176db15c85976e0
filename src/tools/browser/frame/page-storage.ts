import type { DriverEvent, DriverSettings } from '../protocol.js';

type StorageChange = Extract<DriverEvent, { event: 'storage' }>;
type StorageArea = StorageChange['area'];
type StoredEntries = Map<string, string>;

/** Maximum number of entries per origin and area, and of their characters in total. */
const STORAGE_LIMITS = { entries: 1_000, characters: 4_000_000 };

/**
 * Data that pages stored, by origin. Sandboxed pages have an opaque origin and therefore no storage of their own. The data is stored
 * separately from the application's storage, for the lifetime of the browser.
 */
export class PageStorage {
  readonly #areas = new Map<string, StoredEntries>();

  read(area: StorageArea, origin: string): [string, string][] {
    return [...(this.#areas.get(`${area} ${origin}`) ?? [])];
  }

  keep(origin: string, { area, key, value }: StorageChange): void {
    const name = `${area} ${origin}`;
    const entries: StoredEntries = this.#areas.get(name) ?? new Map<string, string>();
    this.#areas.set(name, entries);
    if (key === null) entries.clear();
    else if (value === null) entries.delete(key);
    else if (fitsLimits(entries, key, value)) entries.set(key, value);
  }
}

/** Storage for the pages of one tab: `sessionStorage` belongs to the tab, and the other areas are shared between tabs. */
export class TabStorage {
  readonly #shared: PageStorage;
  readonly #session = new PageStorage();

  constructor(shared: PageStorage) {
    this.#shared = shared;
  }

  of(origin: string): NonNullable<DriverSettings['storage']> {
    return {
      local: this.#shared.read('local', origin),
      session: this.#session.read('session', origin),
      cookies: this.#shared.read('cookies', origin),
    };
  }

  keep(origin: string, stored: StorageChange): void {
    (stored.area === 'session' ? this.#session : this.#shared).keep(origin, stored);
  }
}

/** Returns whether an entry fits within the limits. If it does not, the page still has the entry in its own memory. */
function fitsLimits(entries: StoredEntries, key: string, value: string): boolean {
  if (!entries.has(key) && entries.size >= STORAGE_LIMITS.entries) return false;
  let size = key.length + value.length;
  for (const [name, text] of entries) if (name !== key) size += name.length + text.length;
  return size <= STORAGE_LIMITS.characters;
}
