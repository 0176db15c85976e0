/** Reads a reply as commands: its native calls, or its text. Incomplete and quoted commands are not run; lost backslashes are restored. */
import { EXPECTED, parseCommands, type ParsedReply } from './parse/commands.js';
import { fill } from './prompt/template.js';
import type { Agent } from './runtime/agent.js';
import { describeLimit, type OutputLimit } from './runtime/output-limit.js';
import type { StoredReply } from './runtime/turn.js';
import type { Command } from '../core/human.js';
import type { ToolRegistry } from '../tools/registry.js';
import { type JsonValue, isRecord } from '../core/json.js';
import { resultsIn, RunCommand, type Message } from '../core/message.js';
import type { ToolCall } from '../core/model.js';
import { LIMITS } from './parse/limits.js';

/**
 * Reads a reply with what the role knows: its commands, the results in its memory, and the example in its prompt. Leaves out an incomplete
 * command and those after it, and restores backslashes; `notes` of the result say so.
 */
export function parseReply(agent: Agent, { text, limit, calls }: StoredReply): ParsedReply {
  const { registry, memory, settings, name } = agent;
  const meant = (written: string) =>
    registry.has(written) ? written : (registry.meant(written)?.name ?? null);
  if (calls !== undefined) {
    const nameOf = (written: string) => meant(agent.shownTools.native().commandOf(written)) ?? written;
    return withoutIncomplete(agent, readCalls(calls, nameOf), limit);
  }
  const { stage } = agent.turn();
  let others: readonly string[] | undefined; // long, and most replies ask for them once or not at all
  // Who remembers untrusted content has its sources.
  const isUntrusted = (block: string): boolean =>
    agent.state.untrusted !== undefined &&
    occursInUntrusted(block, memory.get(QUOTED_WINDOW), () => (others ??= untrustedTexts(agent)));
  const parsed = parseCommands(text, {
    commandName: meant,
    hasRead: (block) => occursInResults(block, memory.storage) || isUntrusted(block),
    hasReadUntrusted: isUntrusted,
    isAskedAgain: stage.name === 'think' && stage.unreadableReplies > 0,
    example: () => {
      const example = parseCommands(fill(settings.prompts.replyFormat, { name, exclusive: '' }));
      return example.ok ? example.commands : [];
    },
  });
  if (parsed.ok) return withoutIncomplete(agent, parsed, limit);
  if (limit !== null) return { ...parsed, error: cutOffAdvice(agent, limit), isReadable: true };
  const { hasSchema, hasTools } = agent.form;
  return hasSchema || hasTools ? { ...parsed, error: parsed.error.replace(EXPECTED, '').trim() } : parsed;
}

/** Returns untrusted texts in the prompt that are no messages, such as the view of a page, or the descriptions of foreign tools. */
function untrustedTexts({ parts }: Agent): string[] {
  return parts.flatMap((part) => part.untrusted?.() ?? []);
}

/** Returns how to write what is too long for one reply, as the end of a sentence. */
function writeInParts({ registry }: Agent): string {
  const [first, next] = [registry.forFile('write'), registry.forFile('append')];
  return first === undefined || next === undefined
    ? 'a long text in parts.'
    : `a long file in parts, the first with ${first}, the rest with ${next}.`;
}

function withoutIncomplete(
  agent: Agent,
  parsed: Extract<ParsedReply, { ok: true }>,
  limit: OutputLimit | null,
): ParsedReply {
  const { commands, advice } = completeCommands(parsed, agent.registry);
  const error = advice === null ? null : incompleteAdvice(agent, advice, limit);
  if (error !== null && commands.length === 0) return { ok: false, error, text: '', isReadable: true };
  const { commands: restored, notes } = restoreEscapes(commands);
  if (error === null && notes.length === 0) return parsed;
  return {
    ...parsed,
    commands: restored,
    repaired: parsed.repaired || notes.length > 0,
    notes: error === null ? notes : [error, ...notes],
  };
}

/** Returns what a model reads about its incomplete commands. */
function incompleteAdvice(agent: Agent, advice: string, limit: OutputLimit | null): string {
  return limit === null
    ? `${advice} Send it again, whole. Write ${writeInParts(agent)}`
    : `${cutOffAdvice(agent, limit)} ${advice}`;
}

/** Returns advice for a model whose reply was cut off. */
function cutOffAdvice(agent: Agent, limit: OutputLimit): string {
  if (limit.from === 'repetition')
    return `Your reply ${describeLimit(limit)}. What was not complete was not run. Write it once, and less.`;
  const what = limit.tokens === 0 ? 'was cut off at its length limit' : describeLimit(limit);
  return limit.isEmpty
    ? `Your reply ${what}, so no command was run. Think less, and write less at a time: ${writeInParts(agent)}`
    : `Your reply ${what}; its last, incomplete command was not run. Write less at a time: ${writeInParts(agent)}`;
}

/** Characters of the end of an incomplete argument that the model receives. */
const MAX_ARGUMENT_END = 60;

/** Commands that may run, and advice about the first one that is incomplete; null when none is. */
interface CompleteCommands {
  commands: readonly Command[];
  advice: string | null;
}

/**
 * Returns the commands before the first one of which a part is missing: half a file or half a shell command must not take effect. Reads
 * that are incomplete, and `end`, may run.
 */
export function completeCommands(
  { commands, incomplete = [], endsInName }: Extract<ParsedReply, { ok: true }>,
  registry: ToolRegistry,
): CompleteCommands {
  if (incomplete.length === 0) return { commands, advice: endsInName ? UNNAMED : null };
  const mayRun = ({ name }: Command) => name === 'end' || registry.get(name)?.effect === 'pure';
  const first = commands.findIndex((command) => incomplete.includes(command) && !mayRun(command));
  const command = commands[first];
  if (command === undefined) return { commands, advice: endsInName ? UNNAMED : null };
  const left = commands.length - first - 1;
  const after = left === 0 ? '' : ` The commands after it were not run, either (${left}).`;
  return { commands: commands.slice(0, first), advice: describeIncomplete(command) + after };
}

const UNNAMED = 'Your reply ended in another command, of which not even the name arrived.';

function describeIncomplete({ name, args }: Command): string {
  const [argument, value] = Object.entries(args).at(-1) ?? [];
  if (argument === undefined) return `${name} is incomplete: it has no arguments. It was not run.`;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const end = text.length > MAX_ARGUMENT_END ? `…${text.slice(-MAX_ARGUMENT_END)}` : text;
  const arrived = `of its argument "${argument}", ${text.length.toLocaleString('en-US')} characters arrived, which end with ${JSON.stringify(end)}`;
  return `${name} is incomplete: ${arrived}. It was not run.`;
}

/** Files in which a form feed or a backspace before a letter is a backslash that was not escaped in JSON. */
const TEXT_FILE =
  /\.(?:tex|md|mdx|markdown|rst|txt|html?|ipynb|[cm]?[jt]sx?|vue|svelte|py|rb|r|go|rs|java|kt|c|h|cpp|cs|php|sh|bash|ps1|bat|css|scss|json|ya?ml|toml|ini|sql|csv|xml)$/i;
/** Files of which LaTeX is the language, or part of it. */
const LATEX_FILE = /\.(?:tex|sty|cls|bib|md|mdx|markdown|rst|qmd|rmd|ipynb|txt|html?)$/i;
/** What follows the letter that JSON took with the backslash, in names of LaTeX that are no words. */
// cspell:disable
const LATEX_NAMES =
  /\t(?=ext(?:bf|it|tt|rm|sf|sc)?\{|heta\b|imes\b|ilde\{|frac\{|extcolor\{|riangle|itle\{)|\n(?=abla\b|eq\b|ewcommand\b|ewline\b|oindent\b|otin\b|u_|ode\{)|\r(?=ight[)\]}|.\\]|angle\b|ho\b|ef\{)/g;
// cspell:enable
// cspell:ignore nabla
const BEFORE_LETTER = /[\f\b](?=\p{L})|[\b](?=[^\p{L}\s]|$)/gu;
const LETTERS: Record<string, string> = { '\t': 't', '\n': 'n', '\r': 'r', '\f': 'f', '\b': 'b' };
/** A path of Windows, or a control character that no text contains. */
const SUSPECT = /\b[A-Za-z]:[\t\n\r\f\b](?=[a-z])|[\f\b](?=\p{L})/u;
const PATH_NAMES = new Set(['path', 'file_name', 'paths', 'dir_path']);

/** Commands with the backslashes that were lost in valid JSON, and what the model must know about others. */
interface RestoredEscapes {
  commands: Command[];
  notes: string[];
}

/**
 * Restores backslashes that the model did not escape (`\frac`, `\nabla`, `C:\new`), where the language of the file, or a path, leaves no
 * doubt. Any other control character that looks like one is noted. The same commands are returned when nothing changes.
 */
export function restoreEscapes(commands: readonly Command[]): RestoredEscapes {
  const notes: string[] = [];
  const restored = commands.map((command): Command => {
    if (!Object.values(command.args).some(hasControls)) return command;
    const { path } = command.args;
    const file = typeof path === 'string' ? path : '';
    const entries = Object.entries(command.args).map(([name, value]): [string, JsonValue] => {
      if (!hasControls(value)) return [name, value];
      const text = PATH_NAMES.has(name)
        ? value.replace(/[\t\n\r\f\b](?=\w)/g, backslash)
        : restoreInLanguage(file, value);
      const where = `"${name}" of ${command.name}`;
      if (text !== value)
        notes.push(
          `In ${where}, backslashes were read as written, although JSON reads \\f, \\n or \\t otherwise. Write \\\\ for a backslash.`,
        );
      else if (SUSPECT.test(value))
        notes.push(
          `In ${where}, JSON read a backslash and a letter as a control character, as in ${JSON.stringify(excerptAround(value))}. If you meant a backslash, write \\\\ and send it again.`,
        );
      return [name, text];
    });
    const isSame = entries.every(([name, value]) => command.args[name] === value);
    return isSame ? command : { name: command.name, args: Object.fromEntries(entries) };
  });
  return { commands: restored, notes };
}

function hasControls(value: JsonValue): value is string {
  return typeof value === 'string' && /[\t\n\r\f\b]/.test(value);
}

function backslash(character: string): string {
  return `\\${LETTERS[character] ?? ''}`;
}

function restoreInLanguage(file: string, text: string): string {
  const restored = TEXT_FILE.test(file) ? text.replace(BEFORE_LETTER, backslash) : text;
  return LATEX_FILE.test(file) ? restored.replace(LATEX_NAMES, backslash) : restored;
}

function excerptAround(text: string): string {
  const at = text.search(SUSPECT);
  return text.slice(Math.max(0, at - 4), at + 12);
}

/**
 * Returns whether the newest results of commands contain a text word for word, apart from whitespace and the line numbers of a file. A short text
 * is no evidence of a quotation.
 */
export function occursInResults(text: string, memory: readonly Message[]): boolean {
  const isQuoted = quotationIn(text);
  for (let index = Math.max(0, memory.length - QUOTED_WINDOW); index < memory.length; index++) {
    const { role, causeBy, content } = memory[index] as Message;
    if (role !== 'assistant' && causeBy === RunCommand.id && isQuoted(content)) return true;
  }
  return false;
}

/**
 * Returns whether untrusted content contains a text word for word: results with a source, messages after such results, requests of others.
 *
 * @param others Returns untrusted texts that are no results: views of pages, recalled memories, descriptions of tools.
 */
export function occursInUntrusted(
  text: string,
  memory: readonly Message[],
  others: () => readonly string[],
): boolean {
  return [...memory.flatMap(untrustedIn), ...others()].some(quotationIn(text));
}

function untrustedIn(message: Message): string[] {
  if (message.isAiMessage || message.metadata['untrusted'] === undefined) return [];
  const results = resultsIn(message);
  if (results === null) return [message.content];
  return results.flatMap(({ from, output }) => (Array.isArray(from) ? [String(output)] : []));
}

/** Returns a check whether a content contains the text. A text that is too short is not found. */
function quotationIn(text: string): (content: string) => boolean {
  if (text.length < MIN_QUOTED) return () => false;
  const [name = ''] = /[A-Za-z]\w*\.\w+/.exec(text) ?? [];
  const [first = ''] = /[^\s\d\\|:"]/.exec(text) ?? []; // no layout, so it is in each content with the text
  let wanted: string | null = null;
  return (content) => {
    if (content.length < MIN_QUOTED || !content.includes(first) || !content.includes(name)) return false;
    wanted ??= withoutLayout(text.replace(/^"|"$/g, '')); // JSON in a JSON string
    if (wanted.length < MIN_QUOTED || content.length < wanted.length) return false;
    return withoutLayout(content).includes(wanted);
  };
}

/** Number of newest messages that are searched: older ones are seldom in the prompt. */
const QUOTED_WINDOW = 100;
/** Characters of the shortest text that counts as quoted: `{"command_name":"end","args":{}}` is shorter. */
const MIN_QUOTED = 40;

function withoutLayout(text: string): string {
  return text.replace(/^[ \t]*\d{1,6}[|:][ \t]?/gm, '').replace(/[\s\\]+/g, '');
}

/**
 * Reads the native calls of a reply, of which only the arguments may be damaged. `nameOf` returns the command that a name means; an
 * unknown name stays, so that the model learns about it.
 */
function readCalls(
  calls: readonly ToolCall[],
  nameOf: (name: string) => string,
): Extract<ParsedReply, { ok: true }> {
  const commands: Command[] = [];
  const incomplete: Command[] = [];
  for (const { name, args } of calls) {
    const read = readArguments(args);
    const command = { name: nameOf(name), args: read.args };
    commands.push(command);
    if (!read.isComplete) incomplete.push(command);
  }
  return {
    ok: true,
    commands: commands.slice(0, LIMITS.commands),
    repaired: true, // as text, the reply is the list of its commands
    incomplete,
    ...(commands.length > LIMITS.commands && { excess: commands.slice(LIMITS.commands) }),
  };
}

/** Reads arguments: an object, one in a string, or JSON with mistakes. */
function readArguments(written: string): { args: Record<string, JsonValue>; isComplete: boolean } {
  if (written.trim() === '') return { args: {}, isComplete: true };
  const value = parsedJson(written);
  const inner = typeof value === 'string' ? parsedJson(value) : value;
  if (isRecord(inner)) return { args: inner as Record<string, JsonValue>, isComplete: true };
  if (inner === null) return { args: {}, isComplete: true };
  const parsed = parseCommands(`[{"command_name": "end", "args": ${written}}]`);
  const [command, ...more] = parsed.ok ? parsed.commands : [];
  if (!parsed.ok || command === undefined || more.length > 0) return { args: {}, isComplete: false };
  return { args: command.args, isComplete: !parsed.incomplete?.includes(command) && !parsed.endsInName };
}

/** Returns the value of JSON; undefined when it is not valid. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
