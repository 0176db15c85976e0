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

const LIST_KEYS = ['commands', 'tool_calls', 'actions', 'function_calls'];
const NAME_KEYS = [
  'command_name',
  'name',
  'command',
  'tool',
  'function',
  'tool_name',
  'function_name',
  'action',
];
/** Anything else got into the name where a quote was forgotten. */
const NAME = /^[^\s"'`,;{}[\]()]{1,128}$/;
const ARGUMENT_KEYS = [
  'args', 'arguments', 'parameters', 'input', 'params', 'kwargs', 'command_args', 'tool_args', 'function_args', 'tool_input',
  'action_input',
]; // prettier-ignore
/** What stands beside a command and is no argument of it. */
const REMARK_KEYS = new Set(['id', 'type', 'thought', 'thoughts', 'reasoning', 'explanation', 'comment']);
/** Where the whole call may be one level further down. */
const CALL_KEYS = ['function', 'function_call', 'command', 'action', 'tool_call'];
/** `{"Editor.read": {"path": "/a"}}` */
const NAME_AS_KEY = /^(?:[A-Za-z][\w-]*\.[A-Za-z][\w-]*|end)$/;

function listOf(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return withoutTexts(withoutOuterList(value));
  if (!isRecord(value)) return null;
  const key = value['command_name'] === undefined ? keyAmong(value, LIST_KEYS) : undefined;
  if (key === undefined) return [value];
  const held = (value as Record<string, JsonValue>)[key] ?? null;
  if (Array.isArray(held)) return withoutTexts(held);
  return isRecord(held) ? [held] : null;
}

/** A list in a list is one, where nothing stands beside it. */
function withoutOuterList(list: JsonValue[]): JsonValue[] {
  const [only, ...others] = list;
  return Array.isArray(only) && others.length === 0 ? only : list;
}

/** Some interfaces list what is said beside what is called: `{"type": "text", "text": "…"}`. */
function withoutTexts(list: JsonValue[]): JsonValue[] {
  return list.filter(
    (item) => !isRecord(item) || item['type'] !== 'text' || typeof item['text'] !== 'string',
  );
}

/** The command, or the rest of a sentence about what is wrong with it. */
function commandOf(item: JsonValue): Command | string {
  if (!isRecord(item)) return `is ${kindOf(item)}, not a command.`;
  const call = item as Record<string, JsonValue>;
  const inner = innerCall(call);
  if (inner !== null) return commandOf(inner);
  const nameKey = keyAmong(call, NAME_KEYS);
  const name = nameKey === undefined ? undefined : nameOf(call[nameKey]);
  if (nameKey === undefined || name === undefined) {
    return nameKey === undefined ? 'has no "command_name".' : `has a "${nameKey}" that is not a name.`;
  }
  const argumentKey = keyAmong(call, ARGUMENT_KEYS);
  if (argumentKey === undefined) return { name, args: argumentsOf(besides(call, nameKey)) ?? {} };
  const args = argumentsOf(call[argumentKey] ?? null);
  if (args === null) return `(${name}) has "${argumentKey}" that are not an object of names and values.`;
  return { name, args };
}

/** The call in OpenAI's `{"type": "function", "function": {"name", "arguments"}}` and its like, or in `{name: arguments}`. */
function innerCall(call: Record<string, JsonValue>): JsonValue | null {
  if (call['command_name'] !== undefined) return null;
  const key = keyAmong(call, CALL_KEYS);
  const inner = key === undefined ? undefined : call[key];
  if (isRecord(inner) && keyAmong(inner, NAME_KEYS) !== undefined) return inner;
  const [only, ...others] = Object.keys(call);
  if (only === undefined || others.length > 0 || !NAME_AS_KEY.test(only)) return null;
  return { command_name: only, args: call[only] ?? null };
}

function nameOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replace(/\(\)$/, '');
  return NAME.test(name) ? name : undefined;
}

/** The key of the object that is one of these, in their order, whatever its case and whether its words are joined by `_`. */
function keyAmong(value: object, wanted: readonly string[]): string | undefined {
  const exact = wanted.find((key) => Object.hasOwn(value, key));
  if (exact !== undefined) return exact;
  const keys = Object.keys(value);
  for (const each of wanted) {
    const found = keys.find((key) => plain(key) === plain(each));
    if (found !== undefined) return found;
  }
  return undefined;
}

function plain(key: string): string {
  return key.length > 32 ? key : key.toLowerCase().replace(/[_\s-]/g, '');
}

/** Arguments that were written beside the name instead of below `args`. */
function besides(call: Record<string, JsonValue>, nameKey: string): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(call).filter(([key]) => key !== nameKey && !REMARK_KEYS.has(key.toLowerCase())),
  );
}

function argumentsOf(value: JsonValue): Record<string, JsonValue> | null {
  if (value === null) return {};
  if (typeof value === 'string') {
    if (/^\s*(?:|none|null)\s*$/i.test(value)) return {};
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
