import type { Command } from '../../core/human.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import { LIMITS } from './limits.js';
import { jsonCandidates, type Candidate } from './reply.js';
import { readJson } from './scanner.js';
import { readValid } from './strict.js';

/** The result of reading a reply; `error` is an observation for the model, `text` the part of the reply that it is about. */
export type ParsedReply =
  | { ok: true; thought: string; commands: Command[]; repaired: boolean }
  | { ok: false; error: string; text: string };

/**
 * Reads the thought and the commands of a model's reply. Only the first block with commands counts: it ends the reply of a model that
 * continues to talk to itself. Reads invalid JSON as it was meant, see `readJson`. Never throws.
 *
 * @example
 * parseCommands('Done. [{"command_name": "end", "args": {}}]')
 * // { ok: true, thought: 'Done.', commands: [{ name: 'end', args: {} }], repaired: false }
 */
export function parseCommands(reply: string): ParsedReply {
  const source = reply.trim();
  const valid = readValid(source);
  if (valid !== null) return commandsIn({ source, before: '', read: () => valid });
  let failure: ParsedReply | null = null;
  for (const candidate of jsonCandidates(reply)) {
    const parsed = commandsIn(candidate);
    // The model must learn what is wrong with its commands, even if something further down can be read.
    if (parsed.ok || candidate.source.includes('command_name')) return parsed;
    failure ??= parsed;
  }
  return failure ?? failed('Your reply holds no commands.', source);
}

const EXPECTED =
  'Send one ```json block with a list of commands: [{"command_name": "Editor.read", "args": {"path": "/a.txt"}}].';

function failed(problem: string, text: string, advice = EXPECTED): ParsedReply {
  return { ok: false, error: `${problem} ${advice}`, text };
}

function commandsIn({ source, before, read }: Candidate): ParsedReply {
  const result = read();
  if (!result.ok) return failed(`The JSON of your reply cannot be read: ${result.error}.`, source);
  const { value, repaired } = result;
  const list = listOf(value);
  if (list === null) return failed(`Your reply is ${kindOf(value)}, not a list of commands.`, source);
  // An empty list that was cut off does not mean that there is nothing to do.
  if (list.length === 0 && repaired) return failed('Your reply holds no commands.', source);
  if (list.length > LIMITS.commands) {
    const problem = `Your reply has ${list.length} commands, at most ${LIMITS.commands} are accepted.`;
    return failed(problem, source, 'Send the first of them now and the rest later.');
  }
  const commands: Command[] = [];
  for (const [index, item] of list.entries()) {
    const command = commandOf(item);
    if (typeof command === 'string') return failed(`Item ${index} (counted from 0) ${command}`, source);
    commands.push(command);
  }
  const thought = isRecord(value) && typeof value['thought'] === 'string' ? value['thought'] : before;
  return { ok: true, thought: thought.trim(), commands, repaired };
}

type JsonObject = Record<string, JsonValue>;

const LIST_KEYS = ['commands', 'tool_calls', 'actions', 'function_calls'];
const NAME_KEYS = [
  'command_name', 'name', 'command', 'tool', 'function', 'tool_name', 'function_name', 'action',
]; // prettier-ignore
const ARGUMENT_KEYS = [
  'args', 'arguments', 'parameters', 'input', 'params', 'kwargs', 'command_args', 'tool_args', 'function_args', 'tool_input',
  'action_input',
]; // prettier-ignore
/** Keys whose value can be the whole call. */
const CALL_KEYS = ['function', 'function_call', 'command', 'action', 'tool_call'];
/** Keys beside the name that are not arguments. */
const REMARK_KEYS = new Set(['id', 'type', 'thought', 'thoughts', 'reasoning', 'explanation', 'comment']);
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** Excludes what becomes part of a name when a quote is missing. */
const NAME = /^[^\s"'`,;{}[\]()]{1,128}$/;
/** `{"Editor.read": {"path": "/a"}}` */
const NAME_AS_KEY = /^(?:[A-Za-z][\w-]*\.[A-Za-z][\w-]*|end)$/;

/** The items of a value that should be a list of commands, without the text that some formats list beside them; null for no list. */
function listOf(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return (value.length === 1 ? value.flat() : value).filter(isNoText);
  if (!isRecord(value)) return null;
  const key = value['command_name'] === undefined ? keyAmong(value, LIST_KEYS) : undefined;
  const list = key === undefined ? value : value[key];
  return isRecord(list) ? [list] : Array.isArray(list) ? list.filter(isNoText) : null;
}

function isNoText(item: JsonValue): boolean {
  return !isRecord(item) || item['type'] !== 'text' || typeof item['text'] !== 'string';
}

/** Returns the command, or the rest of a sentence about what is wrong with it. */
function commandOf(item: JsonValue): Command | string {
  if (!isRecord(item)) return `is ${kindOf(item)}, not a command.`;
  const call = item;
  const inner = innerCall(call);
  if (inner !== null) return commandOf(inner);
  const nameKey = keyAmong(call, NAME_KEYS);
  if (nameKey === undefined) return 'has no "command_name".';
  const name = nameOf(call[nameKey]);
  if (name === null) return `has a "${nameKey}" that is not a name.`;
  const isArgument = ([key]: [string, unknown]) => key !== nameKey && !REMARK_KEYS.has(key.toLowerCase());
  const beside = () => Object.fromEntries(Object.entries(call).filter(isArgument));
  const argumentKey = keyAmong(call, ARGUMENT_KEYS);
  const args = argumentsOf(argumentKey === undefined ? beside() : (call[argumentKey] ?? null));
  if (args !== null) return { name, args };
  return `(${name}) has "${argumentKey}" that are not an object of names and values.`;
}

/** The call in OpenAI's `{"type": "function", "function": {"name", "arguments"}}` and similar, or in `{name: arguments}`. */
function innerCall(call: JsonObject): JsonValue | null {
  if (call['command_name'] !== undefined) return null;
  const key = keyAmong(call, CALL_KEYS);
  const inner = key === undefined ? undefined : call[key];
  if (isRecord(inner) && keyAmong(inner, NAME_KEYS) !== undefined) return inner;
  const [only, ...others] = Object.keys(call);
  if (only === undefined || others.length > 0 || !NAME_AS_KEY.test(only)) return null;
  return { command_name: only, args: call[only] ?? null };
}

function nameOf(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim().replace(/^`(.*?)(?:\(\))?`$|\(\)$/, '$1');
  return NAME.test(name) ? name : null;
}

/** The first of the wanted keys that the object has: exactly, or else in another case or with other separators. */
function keyAmong(value: object, wanted: readonly string[]): string | undefined {
  const exact = wanted.find((key) => Object.hasOwn(value, key));
  if (exact !== undefined) return exact;
  const plain = (key: string) => (key.length > 32 ? key : key.toLowerCase().replace(/[_\s-]/g, ''));
  const keys = Object.keys(value);
  return wanted.flatMap((key) => keys.filter((each) => plain(each) === plain(key)))[0];
}

/** The arguments as an object, also from a list with one object or from JSON in a string; null for any other value. */
function argumentsOf(value: JsonValue): JsonObject | null {
  if (typeof value === 'string') {
    if (/^\s*(?:|none|null)\s*$/i.test(value)) return {};
    const read = /^\s*\{/.test(value) ? readJson(value) : null;
    return read?.ok === true && isRecord(read.value) ? argumentsOf(read.value) : null;
  }
  if (Array.isArray(value)) {
    const [only = {}] = value;
    return value.length < 2 && isRecord(only) ? argumentsOf(only) : null;
  }
  if (value === null) return {};
  if (!isRecord(value)) return null;
  dropPrototypeKeys(value);
  return value;
}

/** Deletes keys with which a tool that merges its arguments would change prototypes. */
function dropPrototypeKeys(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (PROTOTYPE_KEYS.has(key)) Reflect.deleteProperty(value, key);
    else dropPrototypeKeys((value as JsonObject)[key] ?? null);
  }
}

function kindOf(value: JsonValue): string {
  if (typeof value === 'object')
    return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value);
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `${typeof value === 'string' ? 'text' : `a ${typeof value}`} (${shown})`;
}
