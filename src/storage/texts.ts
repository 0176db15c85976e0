import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { Table, Write } from '../core/store.js';

/**
 * A string of a record that is stored in the table `texts` instead. A model reply occurs in several records, and most of its commands
 * repeat parts of it: each text is stored once, and the records quote it.
 */
export interface Quote {
  /** Place of the string in the value of the record; empty when it is the value. */
  path: (string | number)[];
  /** Key in the table `texts`. */
  text: string;
  /** The quoted part; absent for the whole text. */
  part?: [from: number, to: number];
  /** The part is the content of a JSON string. */
  json?: true;
}

/** A write as it is stored. Quoted strings are empty in its value. */
export interface StoredWrite extends Write {
  quotes?: readonly Quote[];
}

/** Tables whose records may quote. The others are read in parts, or hold large contents that are read on their own. */
export const QUOTING: ReadonlySet<Table> = new Set<Table>([
  'roles',
  'tools',
  'messages',
  'turns',
  'steps',
  'checkpoints',
  'branches',
]);

/** Minimum length of a quoted string, in UTF-16 units. */
const MIN_LENGTH = 200;
/** From this length on, a string of a state is stored as a text although it occurs once: these records are written again and again. */
const MIN_IN_STATE: Partial<Record<Table, number>> = { roles: 4_000, tools: MIN_LENGTH };
/** Number of texts, and of UTF-16 units in them, that later records may quote. */
const MAX_RECENT_TEXTS = 64;
const MAX_RECENT_LENGTH = 2_000_000;
/** Number of newest texts that are searched for parts. */
const SEARCHED = 8;

/** Depth below which strings are not quoted; a value may be deep, or contain itself. */
const DEEPEST = 16;

/** A string of a value, with the object that holds it. */
interface StringPlace {
  write: StoredWrite;
  holder: Record<string | number, unknown>;
  path: (string | number)[];
  text: string;
}

/** The texts that the commits of one writer may quote. */
export class RecentTexts {
  readonly #epoch: number;
  /** Keys by text, the most recently used last. */
  readonly #keys = new Map<string, string>();
  #length = 0;
  #next = 0;

  constructor(epoch: number) {
    this.#epoch = epoch;
  }

  /** Makes a stored text available. */
  know(text: string, key: string): void {
    if (!this.#keys.has(text)) this.#length += text.length;
    this.#keys.delete(text);
    this.#keys.set(text, key);
    for (const [oldest] of this.#keys) {
      if (this.#keys.size <= MAX_RECENT_TEXTS && this.#length <= MAX_RECENT_LENGTH) break;
      this.#keys.delete(oldest);
      this.#length -= oldest.length;
    }
  }

  /** Forgets all texts: some of them may not have been stored. */
  clear(): void {
    this.#keys.clear();
    this.#length = 0;
  }

  /** Returns the keys of the texts that later commits may quote. */
  keys(): Set<string> {
    return new Set(this.#keys.values());
  }

  /** Replaces strings of the writes by quotes. Changes their values, and returns them after the texts that they need. */
  quote(writes: readonly Write[]): StoredWrite[] {
    const places: StringPlace[] = [];
    const result = writes.map((write): StoredWrite => ({ ...write }));
    for (const write of result) if (QUOTING.has(write.table)) collect(write, write.value, [], places);
    if (places.length === 0) return result;
    const counts = new Map<string, number>();
    for (const { text } of places) counts.set(text, (counts.get(text) ?? 0) + 1);
    const added: StoredWrite[] = [];
    // The longest first: the others may be parts of it.
    for (const place of places.sort((one, other) => other.text.length - one.text.length)) {
      const { text, write, path, holder } = place;
      let quote = this.find(text);
      if (quote === null && isWorthIt(place, counts.get(text) ?? 1)) {
        const key = `${this.#epoch}.${this.#next++}`;
        added.push({ table: 'texts', key, value: text });
        this.know(text, key);
        quote = { text: key };
      }
      if (quote === null) continue;
      write.quotes = [...(write.quotes ?? []), { path, ...quote }];
      holder[path.at(-1) ?? ''] = '';
    }
    return [...added, ...result];
  }

  /** Returns a quote of the text from one of the texts; null when none contains it. */
  find(text: string): Omit<Quote, 'path'> | null {
    const key = this.#keys.get(text);
    if (key !== undefined) {
      this.know(text, key);
      return { text: key };
    }
    const escaped = JSON.stringify(text).slice(1, -1);
    for (const [whole, of] of [...this.#keys].slice(-SEARCHED).reverse()) {
      const at = whole.indexOf(text);
      if (at >= 0) return { text: of, part: [at, at + text.length] };
      const inJson = escaped === text ? -1 : whole.indexOf(escaped);
      if (inJson >= 0) return { text: of, part: [inJson, inJson + escaped.length], json: true };
    }
    return null;
  }
}

function isWorthIt({ write, text }: StringPlace, count: number): boolean {
  return count > 1 || text.length >= (MIN_IN_STATE[write.table] ?? Infinity);
}

/** Finds the long strings of a value. */
function collect(write: StoredWrite, value: unknown, path: (string | number)[], into: StringPlace[]): void {
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) visit(write, value, index, path, into);
  } else if (isPlainObject(value)) {
    for (const name of Object.keys(value)) visit(write, value, name, path, into);
  }
}

function visit(
  write: StoredWrite,
  holder: object,
  name: string | number,
  path: (string | number)[],
  into: StringPlace[],
): void {
  const part = (holder as Record<string | number, unknown>)[name];
  if (typeof part === 'object') collect(write, part, [...path, name], into);
  else if (typeof part === 'string' && part.length >= MIN_LENGTH)
    into.push({
      write,
      holder: holder as Record<string | number, unknown>,
      path: [...path, name],
      text: part,
    });
}

function isPlainObject(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the keys of the texts that the records quote. */
export function quotedIn(records: readonly { quotes?: readonly Quote[] }[]): Set<string> {
  const keys = new Set<string>();
  for (const { quotes = [] } of records) for (const { text } of quotes) keys.add(text);
  return keys;
}

/**
 * Puts the quoted strings back into a value.
 * @throws RoleZeroError `storage-corrupt` when a text is missing, or the value has no such place.
 */
export function restoreQuotes(
  { table, key, value, quotes = [] }: StoredWrite,
  texts: Pick<ReadonlyMap<string, unknown>, 'get'>,
): unknown {
  const root = { value };
  for (const { path, text, part, json } of quotes) {
    const whole = texts.get(text);
    const names = ['value', ...path];
    const name = names.pop() ?? '';
    const holder = names.reduce<unknown>((at, next) => (hasOwn(at, next) ? at[next] : undefined), root);
    if (typeof whole !== 'string' || !hasOwn(holder, name)) throw corruptText(table, key, text);
    const found = part === undefined ? whole : whole.slice(...part);
    holder[name] = json === true ? unescape(found, () => corruptText(table, key, text)) : found;
  }
  return root.value;
}

function hasOwn(value: unknown, name: string | number): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

function unescape(found: string, fault: () => RoleZeroError): unknown {
  try {
    return JSON.parse(`"${found}"`);
  } catch {
    throw fault();
  }
}

function corruptText(table: Table, key: string, text: string): RoleZeroError {
  return new RoleZeroError(
    'storage-corrupt',
    `The record '${key}' of table '${table}' quotes the text '${text}', which is not stored. Restore the session from an export.`,
    { table, key, text },
  );
}

/** Checks the quotes of a record that was read from the replica. @throws Error when they are not quotes. */
export function readQuotes(value: unknown): Quote[] {
  if (!Array.isArray(value)) throw new Error('not quotes');
  return value.map((quote: unknown) => {
    if (!isRecord(quote) || typeof quote['text'] !== 'string' || !Array.isArray(quote['path']))
      throw new Error('not a quote');
    return quote as unknown as Quote;
  });
}
