import { isRecord, type JsonValue } from '../../core/json.js';
import { numberKey } from '../../core/number-key.js';
import type { Write } from '../../core/store.js';
import type { RoleState } from './state.js';
import { RoleZeroError } from '../../core/error.js';
import type { RoleContext } from './context.js';
import type { AgentPart, PartRow } from './part.js';

type ToolState = Record<string, JsonValue>;
/** An item of a list in a state. */
type Item = Record<string, JsonValue>;

/** What is stored of a group. */
interface StoredState {
  state: ToolState;
  /** JSON form of the state without its lists of objects. */
  json: string;
  /** These lists, by name. */
  lists: Map<string, ListRows>;
}

/** Separates the name of a list from its group in the key of a row. */
const LIST = '%list:';

/**
 * The stored states of the tools of a role, by group: `<role>/<group>`. They are rows of their own, because the state of the role is
 * stored in every commit, and most commands change no tool's state. Lists of objects, such as the edits that the editor can undo, have a row
 * for each item: a step adds one to them.
 */
export class ToolRows {
  readonly #role: string;
  readonly #stored = new Map<string, StoredState>();

  constructor(role: string) {
    this.#role = role;
  }

  /** Returns the writes for the state of the role, and for those of its tools that have changed, which count as stored then. */
  stateWrites({ tools, ...state }: RoleState): Write[] {
    return [{ table: 'roles', key: this.#role, value: state }, ...this.#changes(tools)];
  }

  #changes(tools: Readonly<Record<string, ToolState>>): Write[] {
    const writes: Write[] = [];
    for (const group of Object.keys(tools)) {
      const state = tools[group] ?? {};
      const stored = this.#storedOf(group);
      if (stored.state === state) continue;
      stored.state = state;
      const rest: ToolState = {};
      const items = new Map<ListRows, Item[]>();
      for (const name of Object.keys(state)) {
        const value = state[name];
        if (isList(value)) items.set(this.#listOf(group, stored, name), value);
        else if (value !== undefined) Object.defineProperty(rest, name, { value, ...PLAIN });
      }
      for (const rows of stored.lists.values()) writes.push(...rows.changes(items.get(rows) ?? []));
      const json = JSON.stringify(rest);
      if (stored.json !== json) writes.push({ table: 'tools', key: this.#keyOf(group), value: rest });
      stored.json = json;
    }
    return writes;
  }

  /** Returns the states in the rows, and those that an earlier release stored with the role. */
  restore(
    rows: readonly { key: string; value: unknown }[],
    earlier: Readonly<Record<string, ToolState>>,
  ): Record<string, ToolState> {
    this.#stored.clear();
    const tools = { ...earlier };
    for (const { key, value } of rows) {
      const name = key.slice(this.#role.length + 1);
      if (!isRecord(value) || name.includes(LIST)) continue;
      const group = decodeName(name);
      Object.defineProperty(tools, group, { value: { ...(value as ToolState) }, ...PLAIN });
      this.#storedOf(group).json = JSON.stringify(value);
    }
    for (const { key, value } of rows) {
      const [group = '', list] = key.slice(this.#role.length + 1).split(LIST);
      if (list === undefined || !isRecord(value)) continue;
      const name = decodeName(list.slice(0, list.lastIndexOf(':')));
      const stored = this.#storedOf(decodeName(group));
      this.#listOf(decodeName(group), stored, name).restore(key, value);
    }
    for (const [group, stored] of this.#stored) {
      const state = tools[group] ?? {};
      for (const [name, list] of stored.lists)
        Object.defineProperty(state, name, { value: list.items(), ...PLAIN });
      Object.defineProperty(tools, group, { value: state, ...PLAIN });
      stored.state = state;
    }
    return tools;
  }

  #storedOf(group: string): StoredState {
    const stored = this.#stored.get(group) ?? { state: {}, json: '', lists: new Map<string, ListRows>() };
    this.#stored.set(group, stored);
    return stored;
  }

  #listOf(group: string, { lists }: StoredState, name: string): ListRows {
    const list = lists.get(name) ?? new ListRows(`${this.#keyOf(group)}${LIST}${encodeName(name)}:`);
    lists.set(name, list);
    return list;
  }

  /** The group has no slash in the key: the owner of a row is what comes before the last one. */
  #keyOf(group: string): string {
    return `${this.#role}/${encodeName(group)}`;
  }
}

/** A member of any name, also of `__proto__`. */
const PLAIN = { enumerable: true, configurable: true, writable: true } as const;

/** Returns whether the value is a list of objects, which has a row for each of them. */
function isList(value: JsonValue | undefined): value is Item[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** A stored item. */
interface ItemRow {
  key: string;
  json: string;
  item: Item;
}

/** The rows of a list, one for each item, in order. A change writes what was added, and removes what is gone. */
class ListRows {
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

/** Returns a name for the key of a row: without a slash, which separates names there. */
function encodeName(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function decodeName(encoded: string): string {
  return encoded.replaceAll('%2F', '/').replaceAll('%25', '%');
}

/* The rows of parts in the table `parts`: `<role>/<part>/<key>`. They stay when the user goes back to an earlier request, like notes. */

/** Returns the writes for rows of a part. */
export function partWrites(role: string, part: string, rows: readonly PartRow[]): Write[] {
  return rows.map(({ key, value }) => ({
    table: 'parts',
    key: `${prefixOf(role, part)}${encodeName(key)}`,
    value,
  }));
}

/** Reads the rows of a part in the order of their keys; none without a store. @throws RoleZeroError `storage-…`. */
export async function loadPartRows(
  { load }: Pick<RoleContext, 'load'>,
  role: string,
  part: string,
): Promise<PartRow[]> {
  const prefix = prefixOf(role, part);
  const rows = (await load?.('parts', { from: prefix, before: `${prefix.slice(0, -1)}0` })) ?? []; // 0 follows the slash
  // The name of a role may start with another name and a slash.
  return rows.flatMap(({ key, value }) => {
    const own = key.slice(prefix.length);
    return own.includes('/') ? [] : [{ key: decodeName(own), value }];
  });
}

/** @throws RoleZeroError `invalid` for a name that is not unique or has other characters than letters, digits, - and _. */
export function checkParts(role: string, parts: readonly AgentPart[]): void {
  const names = parts.map(({ name }) => name);
  const wrong = names.find((name, at) => !/^[\w-]+$/.test(name) || names.indexOf(name) < at);
  if (wrong === undefined) return;
  const reason =
    names.filter((name) => name === wrong).length > 1
      ? 'another part has it'
      : 'use letters, digits, - and _';
  throw new RoleZeroError('invalid', `A part of the role ${role} cannot be named "${wrong}": ${reason}.`, {
    role,
    part: wrong,
  });
}

function prefixOf(role: string, part: string): string {
  return `${role}/${part}/`;
}
