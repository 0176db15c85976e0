import type { DriverEvent, DriverSettings } from '../protocol.js';

type Stored = Extract<DriverEvent, { event: 'storage' }>;
type Area = Stored['area'];
type Entries = Map<string, string>;

/** Entries of one origin in one area, and characters of all of them. */
const MOST = { entries: 1_000, characters: 4_000_000 };

/**
 * What pages stored, by origin. They have no origin as browsers see it, and so no storage of their own: it is kept here, apart from the
 * application's, for as long as the browser lives.
 */
export class PageStorage {
  readonly #areas = new Map<string, Entries>();

  read(area: Area, origin: string): [string, string][] {
    return [...(this.#areas.get(`${area} ${origin}`) ?? [])];
  }

  keep(origin: string, { area, key, value }: Stored): void {
    const name = `${area} ${origin}`;
    const entries: Entries = this.#areas.get(name) ?? new Map<string, string>();
    this.#areas.set(name, entries);
    if (key === null) entries.clear();
    else if (value === null) entries.delete(key);
    else if (fits(entries, key, value)) entries.set(key, value);
  }
}

/** What one tab's pages find: `sessionStorage` is the tab's, the rest is shared among tabs. */
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

  keep(origin: string, stored: Stored): void {
    (stored.area === 'session' ? this.#session : this.#shared).keep(origin, stored);
  }
}

/** A page that stores without end is not given more room; it still has what it stored itself. */
function fits(entries: Entries, key: string, value: string): boolean {
  if (!entries.has(key) && entries.size >= MOST.entries) return false;
  let size = key.length + value.length;
  for (const [name, text] of entries) if (name !== key) size += name.length + text.length;
  return size <= MOST.characters;
}
