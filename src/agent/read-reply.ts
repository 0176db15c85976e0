import { defined } from '../core/defined.js';
import type { Command } from '../core/human.js';
import { AIMessage, RunCommand, UserMessage } from '../core/message.js';
import { END, onlyTalks, REPLY_TO_HUMAN } from '../core/role-command-names.js';
import { resolvedPath } from '../files/path.js';
import { parseReply } from './parse-reply.js';
import type { ParsedReply } from './parse/commands.js';
import { thoughtOf, thoughtOfReply } from './stream/thought-text.js';
import type { Agent } from './runtime/agent.js';
import { askModel } from './runtime/ask-model.js';
import { isUndecided, notifyOfResult } from './runtime/converse.js';
import { answerInProse } from './quick-think.js';
import { askWhatNext } from './loop-control.js';
import {
  formatCommands,
  keepFirstExclusive,
  keepUntilRead,
  leftOut,
  notRun,
  notWanted,
  SEEN_FIRST,
} from './commands/format-commands.js';
import { canonical, repetitionData, viewOf } from './commands/repetitions.js';
import { describeLimit, limitAdvice } from './runtime/output-limit.js';
import { fill, sections } from './prompt/template.js';
import { endStep } from './runtime/steps.js';
import type { Ended, StoredReply } from './runtime/turn.js';
import type { JsonValue } from '../core/json.js';

/** After this many unreadable replies in a row, the user is asked. */
const UNREADABLE_LIMIT = 3;

/** The reply to use in a step, and what was parsed from it. */
export interface ChosenReply {
  reply: StoredReply;
  parsed: ParsedReply;
}

/**
 * Returns the commands of a reply; when they cannot be read, the model is asked to write them again. What it adds then is no repair, and not
 * run.
 */
export async function readCommands(agent: Agent, { reply, parsed }: ChosenReply): Promise<ParsedReply> {
  const { text, limit } = reply;
  if (parsed.ok || parsed.isReadable || limit !== null || text.trim() === '') return parsed;
  if (agent.form.endsInProse) return closingIn(agent, text) ?? parsed;
  const repaired = await askModel(agent, agent.run, {
    purpose: 'repair',
    key: `repair:${agent.turn().step}`,
    system: agent.hooks.prefix(),
    text: fill(agent.settings.prompts.repair, {
      reply: text,
      error: parsed.error,
      form: agent.form.inWords(agent.settings.prompts),
    }),
    ...defined({ responseSchema: agent.shownTools.schema() }),
    apart: true,
  });
  const second = parseReply(agent, repaired);
  const isSame = second.ok && occursInReply(text, second.commands, (name) => agent.registry.aliasesOf(name));
  if (!isSame) return parsed; // small models invent commands here
  const thought = text.slice(0, Math.max(0, text.search(/```|[[{]/))).trim();
  return { ...second, thought, repaired: true };
}

/** Returns prose as the closing message, with the commands that give it; null for prose that announces work, and before any work. */
function closingIn(agent: Agent, text: string): ParsedReply | null {
  const content = isUndecided(agent) ? null : answerInProse(agent, text);
  if (content === null) return null;
  const commands = [
    { name: REPLY_TO_HUMAN, args: { content } },
    { name: END, args: {} },
  ];
  return { ok: true, commands, repaired: true, thought: '' };
}

/** Returns a reply as text: as it was written, or its words and the commands that were read. */
export function contentOf({ text }: StoredReply, parsed: Extract<ParsedReply, { ok: true }>): string {
  if (!parsed.repaired) return text;
  return sections(parsed.thought ?? thoughtOf(text, 'think'), formatCommands(parsed.commands));
}

/**
 * Remembers a reply that was read and enters the stage that runs its commands. Returns it as it was remembered; null for one that was cut off.
 */
export function acceptReply(
  agent: Agent,
  reply: StoredReply,
  parsed: Extract<ParsedReply, { ok: true }>,
): string | null {
  const { limit } = reply;
  const turn = agent.turn();
  const { notes } = agent.state;
  const thought = thoughtOfReply(reply, 'think');
  notes.push(...(parsed.notes ?? []));
  const accepted = agent.hooks.accepted(parsed.commands);
  const given = withoutEqualTalk(accepted);
  const { wanted, refusals } = withoutRefused(agent, given);
  const { commands, dropped } = commandsToRun(agent, wanted);
  const equal = accepted.length - given.length;
  const content =
    dropped.length + equal + refusals.length > 0 ? formatCommands(commands) : contentOf(reply, parsed);
  const message = agent.newMessage(AIMessage, {
    content,
    causeBy: RunCommand,
    metadata: {
      thought,
      commands: commands.map(({ name, args }) => ({ name, args })),
      ...repetitionData(parsed.commands, viewOf(agent)), // of the whole list: the model may repeat it
    },
  });
  turn.trace.replyId = agent.remember(message, true).id;
  if (commands.length === 0 && refusals.length === 0)
    notes.push('You gave no commands; give at least one, or end.');
  turn.replies = {};
  const exclusive = `the result of ${commands.at(-1)?.name} ${SEEN_FIRST}`;
  const omitted = [...refusals];
  if (dropped.length > 0) omitted.push(notRun(dropped, exclusive));
  if (equal > 0) omitted.push(leftOut(equal));
  const left = withoutRefused(agent, parsed.left ?? []).wanted;
  if (left.length > 0) omitted.push(notRun(left, exclusive));
  if (parsed.excess !== undefined) omitted.push(tooMany(agent, parsed.commands.length, parsed.excess));
  turn.stage = {
    name: 'act',
    commands,
    results: [],
    attempt: null,
    isStopped: false,
    ...defined({ notRun: omitted.length > 0 ? omitted : undefined }),
    ending: null,
  };
  return limit === null ? content : null;
}

/** Leaves out what a reply says or asks a second time: a small model sent the same message to the user six times in one list. */
function withoutEqualTalk(commands: readonly Command[]): Command[] {
  if (commands.length < 2) return [...commands];
  const seen = new Set<string>();
  return commands.filter((command) => {
    if (command.name === END || !onlyTalks(command.name)) return true;
    const form = canonical([command]);
    const isNew = !seen.has(form);
    seen.add(form);
    return isNew;
  });
}

/** Separates the commands that the guidance refuses. Returns what the model reads about them, too. */
function withoutRefused(
  agent: Agent,
  commands: readonly Command[],
): { wanted: Command[]; refusals: string[] } {
  const { guidance } = agent.settings;
  const refusals: string[] = [];
  if (guidance === null) return { wanted: [...commands], refusals };
  const wanted = commands.filter((command, index) => {
    const reason = guidance.refusal(agent, command, commands.slice(0, index));
    if (reason !== null) refusals.push(notWanted(command, reason));
    return reason === null;
  });
  return { wanted, refusals };
}

/** Returns the commands of a reply that are run, and those that must wait for the result of one of them. */
export function commandsToRun(
  { registry, settings, state }: Agent,
  commands: Command[],
): ReturnType<typeof keepUntilRead> {
  const first = keepFirstExclusive(commands, (name) => registry.get(name)?.exclusive === true);
  if (settings.guidance === null) return first;
  // A small model guesses what it has not read. What it has read, it often reads again in the same list.
  const isSeen = ({ path }: Command['args']): boolean =>
    typeof path === 'string' && Object.hasOwn(state.seenFiles ?? {}, resolvedPath(path) ?? '');
  const seen = keepUntilRead(
    first.commands,
    ({ name, args }) => registry.get(name)?.hints?.readFirst === true && !isSeen(args),
  );
  return { commands: seen.commands, dropped: [...seen.dropped, ...first.dropped] };
}

/** Reports to the model that its reply could not be read, and ends the step. After several in a row, the user is asked. */
export async function rejectReply(
  agent: Agent,
  { limit, text }: StoredReply,
  error: string,
  times: number,
): Promise<void> {
  const turn = agent.turn();
  let advice = `Your reply could not be read as commands: ${error} Write ${agent.form.inWords(agent.settings.prompts)}.`;
  let ending: Ended | null = null;
  const asksUser = times >= UNREADABLE_LIMIT;
  if (asksUser) {
    const question = fill(agent.settings.prompts.unreadable, {
      count: String(UNREADABLE_LIMIT),
      limit: limit === null ? '' : ` The last one ${describeLimit(limit)}. ${limitAdvice(limit)}`,
    });
    const next = await askWhatNext(agent, `unreadable:${turn.step}`, question);
    agent.enter('acting');
    if (next?.stops) ending = { kind: 'ended', summary: '' };
    else if (next?.advice) advice = `${advice}\n\nHuman response: ${next.advice}`;
  } else turn.failedSteps = (turn.failedSteps ?? 0) + 1;
  const reply = agent.newMessage(AIMessage, {
    content: text,
    causeBy: RunCommand,
    metadata: { thought: thoughtOf(text, 'think') },
  });
  turn.trace.replyId = agent.remember(reply, true).id;
  turn.lastOutput = advice;
  const observation = agent.remember(agent.newMessage(UserMessage, { content: advice, causeBy: RunCommand }));
  endStep(agent, observation, ending, asksUser ? 0 : times);
  await notifyOfResult(agent, { reply: null, failure: 'It could not be read as commands.' });
}

/** Returns what the model reads about commands beyond the limit of a reply. Reports them to the user. */
function tooMany(agent: Agent, most: number, excess: readonly Command[]): string {
  const count = most + excess.length;
  agent.emit({
    type: 'warning',
    code: 'plan',
    message: `A reply of the model has ${count} commands. Only the first ${most} are run; the model is asked for the others again.`,
    detail: { role: agent.name, commands: count },
  });
  return notRun(excess, `a reply may have ${most} commands, and yours has ${count}`);
}

/**
 * Returns whether a repaired list holds nothing but what its reply holds: the names of the commands and every text and number of their
 * arguments, apart from escapes, whitespace, and the spelling of names.
 *
 * @param aliasesOf returns the other names of a command
 */
export function occursInReply(
  reply: string,
  commands: readonly Command[],
  aliasesOf: (name: string) => readonly string[],
): boolean {
  const text = withoutEscapes(reply);
  const isWritten = (value: JsonValue): boolean => {
    if (Array.isArray(value)) return value.every(isWritten);
    if (typeof value === 'object' && value !== null) return Object.values(value).every(isWritten);
    return typeof value === 'boolean' || value === null || text.includes(withoutEscapes(String(value)));
  };
  return commands.every(
    ({ name, args }) => [name, ...aliasesOf(name)].some((each) => hasName(reply, each)) && isWritten(args),
  );
}

/** A name of one word, such as `end`, is a word of many sentences: it counts only in quotes, after a colon, or before a parenthesis. */
function hasName(reply: string, name: string): boolean {
  const words = name.split(/[^\p{L}\d]+/u).filter((word) => word !== '');
  const pattern = words.join('[^\\p{L}\\d]{0,3}');
  const before = words.length > 1 ? '(?<![\\p{L}\\d])' : '["\'`:]\\s*';
  const forms = [`${before}${pattern}(?![\\p{L}\\d])`, `(?<![\\p{L}\\d])${pattern}\\s*[({]`];
  return forms.some((form) => new RegExp(form, 'iu').test(reply));
}

/** Returns a text without backslashes and whitespace: so it compares equal however often it was escaped. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrt]|[\s\\]+/g, '');
}
