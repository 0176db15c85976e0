import type { Command } from '../base/human.js';
import { isRecord, type JsonValue } from '../base/json.js';
import { jsonBlocks } from './extract-json.js';
import { readJson, readValid } from './repair-json.js';

/** Commands one reply may hold. */
export const MAX_COMMANDS = 64;

/** What a reply came to; `error` is an observation for the model, `text` the part of the reply it is about. */
export type ParsedReply =
  | { ok: true; thought: string; commands: Command[]; repaired: boolean }
  | { ok: false; error: string; text: string };

const SHAPE = '[{"command_name": "Editor.read", "args": {"path": "/a.txt"}}]';
const EXPECTED = `Send one \`\`\`json block with a list of commands: ${SHAPE}.`;

/**
 * Reads a model's reply: its thought and its commands (spec 8). Only the first block that holds commands counts; a reply that goes on
 * talking to itself is cut there (R-006). Text that is not valid JSON is read as it was meant, see `readJson`. Never throws.
 *
 * @example
 * parseCommands('Done. [{"command_name": "end", "args": {}}]')
 * // { ok: true, thought: 'Done.', commands: [{ name: 'end', args: {} }], repaired: false }
 */
export function parseCommands(reply: string): ParsedReply {
  const whole = readWhole(reply);
  if (whole !== null) return whole;
  let failure: ParsedReply | null = null;
  for (const block of jsonBlocks(reply)) {
    const read = readJson(block.text);
    const parsed = read.ok
      ? fromValue(read.value, block.before, read.repaired || block.rewritten, block.text)
      : failed(`The JSON of your reply cannot be read: ${read.error}.`, block.text);
    if (parsed.ok) return parsed;
    // What was meant as commands is answered, not passed over for something further down.
    if (/command_name/.test(block.text)) return parsed;
    failure ??= parsed;
  }
  return failure ?? failed('Your reply holds no commands.', reply.trim());
}

/** At most one exclusive command a reply: with more, everything after the first of them is dropped (spec 8.9). */
export function keepFirstExclusive(
  commands: Command[],
  exclusive: (name: string) => boolean,
): { commands: Command[]; cut: boolean } {
  const first = commands.findIndex((command) => exclusive(command.name));
  const many = commands.filter((command) => exclusive(command.name)).length > 1;
  const kept = many ? commands.slice(0, first + 1) : commands;
  return { commands: kept, cut: kept.length < commands.length };
}

/** Commands as a model should write them: a fenced array, indented by four, non-ASCII characters as they are. */
export function formatCommands(commands: Command[]): string {
  const list = commands.map(({ name, args }) => ({ command_name: name, args }));
  return `\`\`\`json\n${JSON.stringify(list, null, 4)}\n\`\`\``;
}

/** A reply that is JSON and nothing else. */
function readWhole(reply: string): ParsedReply | null {
  const text = reply.trim();
  const read = readValid(text);
  if (read === null) return null;
  return read.ok
    ? fromValue(read.value, '', read.repaired, text)
    : failed(`The JSON of your reply cannot be read: ${read.error}.`, text);
}

function fromValue(value: JsonValue, before: string, repaired: boolean, text: string): ParsedReply {
  const list = listOf(value);
  if (list === null) return failed(`Your reply is ${kindOf(value)}, not a list of commands.`, text);
  if (list.length === 0 && repaired) return failed('Your reply holds no commands.', text); // cut off, not "nothing to do"
  if (list.length > MAX_COMMANDS) {
    return failed(
      `Your reply has ${list.length} commands, at most ${MAX_COMMANDS} are accepted. Send the first of them now and the rest later.`,
      text,
      '',
    );
  }
  const commands: Command[] = [];
  for (const [index, item] of list.entries()) {
    const command = commandOf(item);
    if (typeof command === 'string') return failed(`Item ${index} (counted from 0) ${command}`, text);
    commands.push(command);
  }
  const thought = isRecord(value) && typeof value['thought'] === 'string' ? value['thought'] : before;
  return { ok: true, thought: thought.trim(), commands, repaired };
}

function failed(problem: string, text: string, expected = EXPECTED): ParsedReply {
  return { ok: false, error: `${problem} ${expected}`.trim(), text };
}

const LIST_KEYS = ['commands', 'tool_calls'];
const NAME_KEYS = ['command_name', 'name', 'command', 'tool', 'function'];
/** Anything else got into the name where a quote was forgotten. */
const NAME = /^[^\s"'`,;{}[\]()]{1,128}$/;
const ARGUMENT_KEYS = ['args', 'arguments', 'parameters', 'input'];

function listOf(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const key =
    value['command_name'] === undefined ? LIST_KEYS.find((name) => Object.hasOwn(value, name)) : undefined;
  if (key === undefined) return [value];
  const held = (value as Record<string, JsonValue>)[key] ?? null;
  if (Array.isArray(held)) return held;
  return isRecord(held) ? [held] : null;
}

/** The command, or the rest of a sentence about what is wrong with it. */
function commandOf(item: JsonValue): Command | string {
  if (!isRecord(item)) return `is ${kindOf(item)}, not a command.`;
  const call = item as Record<string, JsonValue>;
  const inner = call['function'];
  if (call['command_name'] === undefined && isRecord(inner) && typeof inner['name'] === 'string') {
    return commandOf(inner); // OpenAI's {"type": "function", "function": {"name", "arguments"}}
  }
  const nameKey = NAME_KEYS.find((key) => Object.hasOwn(call, key));
  const name = nameKey === undefined ? undefined : call[nameKey];
  if (typeof name !== 'string' || !NAME.test(name.trim())) {
    return nameKey === undefined ? 'has no "command_name".' : `has a "${nameKey}" that is not a name.`;
  }
  const argumentKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(call, key));
  const args = argumentsOf(argumentKey === undefined ? null : (call[argumentKey] ?? null));
  if (args === null)
    return `(${name.trim()}) has "${argumentKey ?? 'args'}" that are not an object of names and values.`;
  return { name: name.trim(), args };
}

function argumentsOf(value: JsonValue): Record<string, JsonValue> | null {
  if (value === null || value === '') return {};
  if (typeof value === 'string') {
    const read = /^\s*\{/.test(value) ? readJson(value) : null;
    return read?.ok === true && isRecord(read.value) ? argumentsOf(read.value) : null;
  }
  if (Array.isArray(value)) {
    const [only = {}] = value;
    return value.length < 2 && isRecord(only) ? argumentsOf(only) : null;
  }
  if (!isRecord(value)) return null;
  return (hasPrototypeKeys(value) ? withoutPrototypeKeys(value) : value) as Record<string, JsonValue>;
}

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

function hasPrototypeKeys(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasPrototypeKeys);
  for (const key in value) if (PROTOTYPE_KEYS.has(key) || hasPrototypeKeys(value[key] ?? null)) return true;
  return false;
}

/** Arguments reach tools that may merge them into objects of their own. */
function withoutPrototypeKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !PROTOTYPE_KEYS.has(key))
      .map(([key, item]) => [key, withoutPrototypeKeys(item)]),
  );
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const shown = JSON.stringify(value);
  return `${typeof value === 'string' ? 'text' : `a ${typeof value}`} (${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown})`;
}
