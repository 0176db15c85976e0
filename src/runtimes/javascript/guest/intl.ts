import { call, host } from './host.js';

type Locales = string | string[] | undefined;

/** A formatter of the host's `Intl`. */
function formatter(kind: 'NumberFormat' | 'DateTimeFormat') {
  return class {
    readonly #locales: Locales;
    readonly #options: object | undefined;

    constructor(locales?: Locales, options?: object) {
      this.#locales = locales;
      this.#options = options;
      this.format = this.format.bind(this);
    }

    format(value: unknown = Date.now()): string {
      return format(kind, value, this.#locales, this.#options);
    }

    resolvedOptions(): unknown {
      return call('resolvedOptions', kind, this.#locales ?? null, this.#options ?? null);
    }
  };
}

function format(kind: string, value: unknown, locales: Locales, options: object | undefined): string {
  const number = typeof value === 'bigint' ? String(value) : Number(value);
  const shown = typeof number === 'number' && !Number.isFinite(number) ? String(number) : number;
  return call<string>('format', kind, shown, locales ?? null, options ?? null);
}

class Collator {
  compare = (a: unknown, b: unknown): number => host().compare(String(a), String(b));
}

/** Replaces what depends on a locale, which the interpreter does not know, by functions of the host. */
export function installIntl(): void {
  const define = (target: object, name: string, value: unknown): void =>
    void Object.defineProperty(target, name, { value, writable: true, configurable: true });
  define(globalThis, 'Intl', {
    NumberFormat: formatter('NumberFormat'),
    DateTimeFormat: formatter('DateTimeFormat'),
    Collator,
  });
  define(String.prototype, 'localeCompare', function (this: string, other: unknown) {
    return host().compare(this.valueOf(), String(other));
  });
  const number = function (this: number | bigint, locales?: Locales, options?: object): string {
    return format('NumberFormat', this.valueOf(), locales, options);
  };
  define(Number.prototype, 'toLocaleString', number);
  define(BigInt.prototype, 'toLocaleString', number);
  const parts = { toLocaleString: 'all', toLocaleDateString: 'date', toLocaleTimeString: 'time' };
  for (const [name, part] of Object.entries(parts))
    define(Date.prototype, name, function (this: Date, locales?: Locales, options?: object): string {
      return call<string>('formatDate', part, this.getTime(), locales ?? null, options ?? null);
    });
}
