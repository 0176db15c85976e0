import type { JsonValue } from '../../core/json.js';
import { numberKey } from '../../core/number-key.js';
import type { Write } from '../../core/store.js';

type Item = Record<string, JsonValue>;

/** A stored item. */
interface ItemRow {
  key: string;
  json: string;
  item: Item;
}

/** The rows of a list, one for each item, in order. A change writes what was added, and removes what is gone. */
export class ListRows {
  readonly #prefix: string;
  #rows: ItemRow[] = [];
  #next = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Adds a stored row, the rows in the order of their keys. */
  restore(key: string, item: unknown): void {
    this.#rows.push({ key, json: JSON.stringify(item), item: item as Item });
    this.#next = Math.max(this.#next, Number(key.slice(this.#prefix.length)) + 1);
  }

  items(): Item[] {
    return this.#rows.map(({ item }) => item);
  }

  /** Returns the writes that make the stored list equal to this one, which counts as stored then. */
  changes(items: readonly Item[]): Write[] {
    const forms = items.map((item) => JSON.stringify(item));
    const rows: ItemRow[] = [];
    let at = 0;
    // Items that remain keep their rows as long as nothing is added before them.
    for (const json of forms) {
      while (at < this.#rows.length && this.#rows[at]?.json !== json) at += 1;
      const row = this.#rows[at++];
      if (row === undefined) break;
      rows.push(row);
    }
    const remaining = new Set(rows);
    const writes: Write[] = [];
    for (const row of this.#rows)
      if (!remaining.has(row)) writes.push({ table: 'tools', key: row.key, value: undefined });
    for (const [index, item] of items.entries()) {
      if (index < remaining.size) continue;
      const key = `${this.#prefix}${numberKey(this.#next++)}`;
      rows.push({ key, json: forms[index] ?? '', item });
      writes.push({ table: 'tools', key, value: item });
    }
    this.#rows = rows;
    return writes;
  }
}
