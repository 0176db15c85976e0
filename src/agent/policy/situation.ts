/** What a decision is about: a command, where it leads, and what its role has read. */
import type { Command } from '../../core/human.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import { groupOf, type Private, type Tool } from '../../core/tool.js';
import { resolvedPath } from '../../files/path.js';
import type { Source } from './addresses.js';
import type { PolicyRule, Capabilities } from './policy.js';

/** A command whose arguments fit the schema of its tool. */
export interface Checked {
  tool: Tool;
  command: Command;
  input: unknown;
  /** It runs without requests; see `Tool.asksForNetwork`. */
  isOffline?: true;
}

/** Everything a decision depends on besides the command. */
export interface Situation {
  /** Name of the role. */
  role: string;
  rules: readonly PolicyRule[];
  capabilities: Capabilities | null;
  /** Origin of the application, to which a tool may complete an address; undefined outside of a page or worker. */
  ownOrigin: string | undefined;
  /** Returns the other names of a tool. */
  aliasesOf: (tool: string) => readonly string[];
  /** Untrusted sources that the role has read; undefined for none. */
  untrusted: readonly string[] | undefined;
  /** The role has read private data of the user, besides the user's words: true, or the service that all of it came from. */
  private: Private | null;
  /** Returns which of the user's words a command quotes to somebody who may not know them; see `quotedWords`. */
  quotedBy: (checked: Checked) => string | null;
  /** State of tools by group. */
  toolState: Readonly<Record<string, Record<string, JsonValue>>>;
  /** Returns who named the address besides the model; see `Source`. */
  sourceOf: (address: string) => Source | null;
  /** Returns how often the role has read an address or a site, by its key; see `ReadCounts`. */
  readsOf: (key: string) => number;
}

/** The path and the addresses that a command names. */
export interface Place {
  path: string | null;
  /** Addresses outside of the session. */
  addresses: readonly string[];
}

/** Returns the path and the addresses that a command names. */
export function placeOf({ tool, input }: Checked, { toolState }: Pick<Situation, 'toolState'>): Place {
  return { path: pathOf(input), addresses: addressesOf(tool, input, toolState) };
}

/** Returns what the arguments of a command refer to: see `Tool.target`. */
export function targetOf(
  { tool, input }: Checked,
  { toolState }: Pick<Situation, 'toolState'>,
): string | null {
  return tool.target?.(input, stateOf(tool, toolState)) ?? null;
}

/** Returns the state of the group of a tool. */
export function stateOf({ name }: Tool, toolState: Situation['toolState']): Record<string, JsonValue> {
  return toolState[groupOf(name)] ?? {};
}

/** Returns the addresses outside of the session that a command names. */
function addressesOf(tool: Tool, input: unknown, toolState: Situation['toolState']): string[] {
  if (tool.reaches !== undefined) return addressTexts(tool.reaches(input, stateOf(tool, toolState)));
  const { address } = tool;
  return address !== undefined && isRecord(input) ? addressTexts(input[address]) : [];
}

/** Returns the strings of an address argument. Other values are stringified, so the user still sees them. */
function addressTexts(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(addressTexts);
  if (value instanceof URL) return [value.href];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** Returns the path argument of a command as rules see it: absolute and normalized; null without one. */
function pathOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('path' in input) || typeof input.path !== 'string')
    return null;
  return resolvedPath(input.path); // outside the workspace, the tool rejects it
}
