import type { JsonValue } from '../../core/json.js';
import type { Write } from '../../core/store.js';
import { isRecord } from '../../core/json.js';
import { decodeName, encodeName } from './row-key.js';
import type { RoleState } from './state.js';

type ToolState = Record<string, JsonValue>;

/**
 * The stored states of the tools of a role, by group: `<role>/<group>`. They are rows of their own, because the state of the role is
 * stored in every commit, and most commands change no tool's state.
 */
export class ToolRows {
  readonly #role: string;
  /** What is stored of each group: the object, and its JSON form. */
  readonly #stored = new Map<string, { state: ToolState; json: string }>();

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
      const stored = this.#stored.get(group);
      if (stored?.state === state) continue;
      const json = JSON.stringify(state);
      this.#stored.set(group, { state, json });
      if (stored?.json !== json) writes.push({ table: 'tools', key: this.#keyOf(group), value: state });
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
      if (!isRecord(value)) continue;
      const group = decodeName(key.slice(this.#role.length + 1));
      const state = value as ToolState;
      Object.defineProperty(tools, group, {
        value: state,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      this.#stored.set(group, { state, json: JSON.stringify(state) });
    }
    return tools;
  }

  /** The group has no slash in the key: the owner of a row is what comes before the last one. */
  #keyOf(group: string): string {
    return `${this.#role}/${encodeName(group)}`;
  }
}
