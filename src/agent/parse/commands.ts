import type { Command } from '../../core/human.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import { isCut } from '../json/value.js';
import { find } from './find.js';
import { LIMITS } from './limits.js';
import { END } from '../../core/role-command-names.js';
import { readNamedCalls, unfinishedCall } from './native-calls.js';
import { blocksOf, type Block } from './reply.js';
import { readJson } from '../json/scanner.js';
import { readValid } from '../json/strict.js';
import { withoutThinking } from './thinking.js';

/** The result of reading a reply. */
export type ParsedReply =
  | {
      ok: true;
      commands: Command[];
      repaired: boolean;
      /** Set after a repair: the words of the reply before the part that was repaired. */
      thought?: string;
      /** Those of the commands of which a part is missing. */
      incomplete?: readonly Command[];
      /** The reply ends in another command, of which not even the name arrived. */
      endsInName?: true;
      /** Commands beyond the limit of a reply. */
      excess?: Command[];
      /** Commands that wait for the result of one that is corrected. */
      left?: readonly Command[];
      /** What the model must know about commands that are run otherwise than written. */
      notes?: readonly string[];
    }
  | {
      ok: false;
      /** An observation for the model. */
      error: string;
      /** The part of the reply that the error is about. */
      text: string;
      /** A repair does not help: the model must write the commands again, or say which it means. */
      isReadable?: true;
    };

/** What is known about a reply besides its text. */
export interface ReplyContext {
  /** Returns the command that the model means by a name; null for none. Default: any name of the form `Group.method`, and `end`. */
  commandName?: (written: string) => string | null;
  /** Returns whether the model has read this text in a file, a page or another result. */
  hasRead?: (text: string) => boolean;
  /** Returns whether the text occurs in untrusted content: it never runs. */
  hasReadUntrusted?: (text: string) => boolean;
  /** The model was asked again: commands are meant even if it has read them, unless it also sends others. */
  isAskedAgain?: boolean;
  /** Returns the commands in the example of the prompt. Called for replies with several blocks of commands only. */
  example?: () => readonly Command[];
}

/**
 * Reads the commands of a model's reply: the one list that the model means to run. Reads invalid JSON as it was meant, see
 * `readJson`. Never throws.
 *
 * @example
 * parseCommands('Done. [{"command_name": "end", "args": {}}]')
 * // { ok: true, commands: [{ name: 'end', args: {} }], repaired: false }
 */
export function parseCommands(reply: string, context: ReplyContext = {}): ParsedReply {
  const { commandName = anyCommand, hasRead = () => false, hasReadUntrusted = () => false } = context;
  const { isAskedAgain, example = () => [] } = context;
  const source = reply.trim();
  const valid = readValid(source);
  const plain = valid?.ok === true ? plainCommands(valid.value, commandName) : null;
  if (plain !== null && !hasRead(source)) return { ok: true, commands: plain, repaired: false };
  const text = valid === null ? withoutThinking(reply) : source;
  const whole: Block = {
    kind: 'bare',
    source,
    start: 0,
    end: source.length,
    read: () => valid ?? readJson(source),
  };
  const isName = (name: string): boolean => commandName(name) !== null;
  // Valid JSON has none: what looks like a call is in its texts.
  const named = valid === null ? readNamedCalls(text, isName) : null;
  // What follows a call without an end may be in the text of its arguments.
  const end = valid === null && named === null ? unfinishedCall(text, isName) : text.length;
  const readings = (valid === null ? blocksOf(text) : [whole])
    .filter(({ kind, start }) => kind !== 'bare' || start < end)
    .map((block) => readBlock(block, commandName));
  const isArgument = ({ start, end }: Block) => named !== null && start >= named.start && end <= named.end;
  const meant = readings.filter(({ block, isMeant }) => isMeant && !isArgument(block));
  const nextTurn = find(NEXT_TURN, text, meant[0]?.block.end ?? text.length);
  const inTurn = meant.filter(({ block }) => block.start < nextTurn || block === whole);
  const unread = inTurn.filter(({ block }) => !hasRead(block.source));
  const isRepeated = unread.length === 0 && isAskedAgain === true;
  const written = isRepeated ? inTurn.filter(({ block }) => !hasReadUntrusted(block.source)) : unread;
  if (written.length === 0 && inTurn.length > 0) return { ...failed(QUOTED, source, ''), isReadable: true };
  const candidates = written.length > 1 ? withoutExample(written, example()) : written;
  const kind = KINDS.find((each) => candidates.some(({ block }) => block.kind === each));
  if (kind !== undefined)
    return oneList(
      candidates.filter(({ block }) => block.kind === kind),
      kind,
      text,
    );
  if (named !== null) return oneList([readBlock({ ...named, kind: 'bare' }, commandName)], 'bare', text);
  if (readings.length === 0 && BEGINS_WITH_END.test(text) && isName(END))
    return { ok: true, commands: [{ name: END, args: {} }], repaired: true };
  const others = readings.map(({ parsed }) => parsed);
  return others.find(({ ok }) => ok) ?? others[0] ?? failed('Your reply holds no commands.', source);
}

/** The commands of a list in exactly the form that the prompt asks for; null for any other value. */
function plainCommands(value: JsonValue, commandName: (written: string) => string | null): Command[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.commands) return null;
  const commands: Command[] = [];
  for (const item of value) {
    if (!isRecord(item) || Object.keys(item).length !== 2) return null;
    const { command_name: name, args } = item;
    if (typeof name !== 'string' || commandName(name) !== name || !isRecord(args)) return null;
    dropPrototypeKeys(args);
    commands.push({ name, args });
  }
  return commands;
}

const KINDS = ['fenced', 'tagged', 'bare'] as const;
/** The form of commands in text, at the end of an error. */
export const EXPECTED =
  'Send one ```json block with a list of commands, each an object with "command_name" and "args".';
const QUOTED =
  'The commands of your reply are, word for word, in content that you have read, so they count as a quotation and were not run. If you mean them, send them again.';
/** A model that invents the next turns of the conversation. */
const NEXT_TURN =
  /^[ \t]*(?:user|human|observation|assistant|system|tool(?: results?)?|command \S{1,80} executed)[ \t]*:|<\|im_(?:start|end)\|>|<tool_response>|<\|eot_id\|>|<end_of_turn>|<\/s>|\[\/?INST\]/gim;
/** The command without arguments, alone in the first line: a model that was asked for it writes nothing else, or why. */
const BEGINS_WITH_END = /^(?:\s|```\w*\n)*end(?:\(\))?[ \t]*;?[ \t]*(?:\n|$)/u;
/** Between the objects of one list without brackets. */
const BETWEEN_COMMANDS = /^[\s,;]*(?:(?:\d{1,3}[.)]|[-*•])\s*)?$/;

function failed(problem: string, text: string, advice = EXPECTED): Extract<ParsedReply, { ok: false }> {
  return { ok: false, error: `${problem} ${advice}`.trim(), text };
}

/** A block as a list of commands. It is not meant when it may be data: its items have neither `command_name` nor the name of a command. */
interface Reading {
  block: Block;
  parsed: ParsedReply;
  isMeant: boolean;
}

/** Leaves out the example of the prompt, unless there is nothing else. */
function withoutExample(readings: readonly Reading[], example: readonly Command[]): readonly Reading[] {
  const known = new Set(example.map((command) => JSON.stringify(command)));
  const own = readings.filter(
    ({ parsed }) => !parsed.ok || !parsed.commands.every((command) => known.has(JSON.stringify(command))),
  );
  return own.length > 0 ? own : readings;
}

/** Joins the lists of one kind. Repetitions count once; different lists outside of fences and tags leave open which one is meant. */
function oneList(readings: readonly Reading[], kind: Block['kind'], text: string): ParsedReply {
  const lists: Extract<ParsedReply, { ok: true }>[] = [];
  for (const { parsed } of readings) {
    if (!parsed.ok) return parsed;
    lists.push(parsed);
  }
  const last = lists.length > 1 ? withoutRepetitions(lists) : lists;
  const isSplit = (): boolean =>
    readings.some(({ block }, at) => {
      const next = readings[at + 1]?.block;
      return (
        next !== undefined &&
        !(block.source.startsWith('{') && BETWEEN_COMMANDS.test(text.slice(block.end, next.start)))
      );
    });
  const commands = last.flatMap((list) => list.commands);
  if (kind === 'bare' && last.length > 1 && isSplit()) {
    const names = last.map((list) => list.commands[0]?.name).join(', another with ');
    const problem = `Your reply holds ${last.length} lists of commands, one that begins with ${names}; none was run.`;
    return {
      ...failed(problem, '', 'Send only the one that you mean, in a ```json block.'),
      isReadable: true,
    };
  }
  const excess = commands.splice(LIMITS.commands);
  const incomplete = last.flatMap((list) => list.incomplete ?? []);
  const repaired = last.length > 1 || last.some((list) => list.repaired);
  return {
    ok: true,
    commands,
    repaired,
    ...(excess.length > 0 && { excess }),
    ...(incomplete.length > 0 && { incomplete }),
    ...(last.at(-1)?.endsInName && { endsInName: true }),
  };
}

/** Leaves out each list that a later one begins with. */
function withoutRepetitions<List extends { commands: readonly Command[] }>(
  lists: readonly List[],
): readonly List[] {
  const forms = lists.map(({ commands }) => JSON.stringify(commands).slice(0, -1));
  return lists.filter(
    (_, at) => !forms.some((form, later) => later > at && form.startsWith(forms[at] ?? '')),
  );
}

function readBlock(block: Block, commandName: (written: string) => string | null): Reading {
  const { source, kind } = block;
  const isNamed = kind === 'tagged' || /command_?name/i.test(source);
  const refused = (parsed: ParsedReply, isMeant = isNamed): Reading => ({ block, parsed, isMeant });
  const result = block.read();
  if (!result.ok) return refused(failed(`The JSON of your reply cannot be read: ${result.error}.`, source));
  const { value, repaired } = result;
  const list = listOf(value, commandName);
  if (list === null)
    return refused(failed(`Your reply is ${kindOf(value)}, not a list of commands.`, source));
  // An empty list that was cut off does not mean that there is nothing to do.
  if (list.length === 0 && repaired) return refused(failed('Your reply holds no commands.', source), false);
  const commands: Command[] = [];
  const incomplete: Command[] = [];
  let endsInName = false;
  let isRenamed = false;
  let isKnown = list.length > 0;
  for (const [index, item] of list.entries()) {
    const command = commandOf(item, commandName);
    // A reply that was cut off before a name: the commands before it are complete.
    endsInName = typeof command === 'string' && index > 0 && repaired && isCut(item);
    if (endsInName) break;
    if (typeof command === 'string')
      return refused(failed(`Item ${index} (counted from 0) ${command}`, source));
    const name = commandName(command.name);
    isKnown &&= name !== null;
    isRenamed ||= name !== null && name !== command.name;
    const named = { name: name ?? command.name, args: command.args };
    commands.push(named);
    // Of valid JSON, only arguments that are JSON in a text can be incomplete.
    if ((repaired && isCut(item)) || isCut(command.args)) incomplete.push(named);
  }
  const parsed: ParsedReply = { ok: true, commands, repaired: repaired || isRenamed };
  if (incomplete.length > 0) parsed.incomplete = incomplete;
  if (endsInName) parsed.endsInName = true;
  return { block, parsed, isMeant: isKnown || (isNamed && commands.length > 0) };
}

type JsonObject = Record<string, JsonValue>;

const LIST_KEYS = ['commands', 'tool_calls', 'actions', 'function_calls'];
const NAME_KEYS = [
  'command_name', 'name', 'command', 'tool', 'function', 'tool_name', 'function_name', 'action', 'func',
]; // prettier-ignore
const ARGUMENT_KEYS = [
  'args', 'arguments', 'parameters', 'input', 'params', 'kwargs', 'command_args', 'tool_args', 'function_args', 'tool_input',
  'action_input',
]; // prettier-ignore
/** Keys whose value can be the whole call. */
const CALL_KEYS = ['function', 'function_call', 'command', 'action', 'tool_call'];
/** Keys beside the name that are not arguments. */
const REMARK_KEYS = new Set([
  'id', 'type', 'thought', 'thoughts', 'reasoning', 'explanation', 'comment', 'tool_call_id',
]); // prettier-ignore
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** Excludes what becomes part of a name when a quote is missing. */
const NAME = /^[^\s"'`,;{}[\]()]{1,128}$/;

function anyCommand(name: string): string | null {
  return /^(?:[A-Za-z][\w-]*\.[A-Za-z][\w-]*|end)$/.test(name) ? name : null;
}

/** The items of a value that should be a list of commands, without the text that some formats list beside them; null for no list. */
function listOf(value: JsonValue, commandName: (written: string) => string | null): JsonValue[] | null {
  const isName = (name: JsonValue | undefined) => typeof name === 'string' && commandName(name) !== null;
  const isPair = (item: JsonValue) =>
    Array.isArray(item) && item.length === 2 && isName(item[0]) && isRecord(item[1]);
  const items = (list: JsonValue[]) =>
    list.filter(isNoText).flatMap((item): JsonValue[] => {
      if (Array.isArray(item) && isPair(item))
        return [{ command_name: item[0] ?? null, args: item[1] ?? null }];
      if (!isRecord(item) || Object.hasOwn(item, 'command_name')) return [item];
      const calls = Object.entries(item);
      if (calls.length === 0 || !calls.every(([name]) => isName(name))) return [item];
      return calls.map(([name, args]) => ({ command_name: name, args })); // `{"Editor.read": {"path": "/a"}}`
    });
  if (Array.isArray(value))
    return items(
      isPair(value) ? [value] : value.length === 1 && !isPair(value[0] ?? null) ? value.flat() : value,
    );
  if (!isRecord(value)) return null;
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) return items(Object.values(value));
  const { choices, message } = value;
  const inner = Array.isArray(choices) ? choices[0] : message;
  if (isRecord(inner)) return listOf(inner, commandName);
  const key = value['command_name'] === undefined ? keyAmong(value, LIST_KEYS) : undefined;
  const list = key === undefined ? value : (value[key] ?? null);
  return isRecord(list) ? items([list]) : Array.isArray(list) ? items(list) : null;
}

function isNoText(item: JsonValue): boolean {
  if (!isRecord(item)) return true;
  const isRemark = Object.keys(item).every((key) => REMARK_KEYS.has(key)) && Object.keys(item).length > 0;
  return !isRemark && (item['type'] !== 'text' || typeof item['text'] !== 'string');
}

/** Returns the command, or the rest of a sentence about what is wrong with it. */
function commandOf(item: JsonValue, commandName: (written: string) => string | null): Command | string {
  if (!isRecord(item)) return `is ${kindOf(item)}, not a command.`;
  const inner = innerCall(item);
  if (inner !== null) return commandOf(inner, commandName);
  const nameKey = keyAmong(item, NAME_KEYS);
  const argumentKey = keyAmong(item, ARGUMENT_KEYS);
  const name = nameKey === undefined ? null : nameOf(item[nameKey]);
  const isData = !/^command_?name$/i.test(nameKey ?? '') && argumentKey === undefined;
  if (nameKey === undefined || (isData && (name === null || commandName(name) === null)))
    return 'has no "command_name".';
  if (name === null) return `has a "${nameKey}" that is not a name.`;
  const isArgument = ([key]: [string, unknown]) => key !== nameKey && !REMARK_KEYS.has(key.toLowerCase());
  const beside = () => Object.fromEntries(Object.entries(item).filter(isArgument));
  const args = argumentsOf(argumentKey === undefined ? beside() : (item[argumentKey] ?? null));
  if (args !== null) return { name, args };
  return `(${name}) has "${argumentKey}" that are not an object of names and values.`;
}

/** The call in OpenAI's `{"type": "function", "function": {"name", "arguments"}}` and similar. */
function innerCall(call: JsonObject): JsonValue | null {
  if (call['command_name'] !== undefined) return null;
  const key = keyAmong(call, CALL_KEYS);
  const inner = key === undefined ? undefined : call[key];
  return isRecord(inner) && keyAmong(inner, NAME_KEYS) !== undefined ? inner : null;
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
    const pairs = value.flatMap((item): [string, JsonValue][] =>
      isRecord(item) && typeof item['name'] === 'string' && 'value' in item
        ? [[item['name'], item['value'] ?? null]]
        : [],
    );
    if (pairs.length > 0 && pairs.length === value.length) return argumentsOf(Object.fromEntries(pairs));
    const [only = {}] = value;
    return value.length < 2 && isRecord(only) ? argumentsOf(only) : null;
  }
  if (value === null) return {};
  if (!isRecord(value)) return null;
  dropPrototypeKeys(value);
  return value;
}

/** Deletes keys with which a tool that merges its arguments would change prototypes. */
function dropPrototypeKeys(value: object): void {
  for (const [key, item] of Object.entries(value as JsonObject)) {
    if (PROTOTYPE_KEYS.has(key)) Reflect.deleteProperty(value, key);
    else if (typeof item === 'object' && item !== null) dropPrototypeKeys(item);
  }
}

function kindOf(value: JsonValue): string {
  if (typeof value === 'object')
    return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value);
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `${typeof value === 'string' ? 'text' : `a ${typeof value}`} (${shown})`;
}
