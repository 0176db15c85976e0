import type { Command } from '../core/human.js';
import { AIMessage, RunCommand, UserMessage, type Message } from '../core/message.js';
import { sentences } from '../core/sentences.js';
import { parseCommands, type ParsedReply } from './parse/commands.js';
import { thoughtOf } from './parse/thought-text.js';
import type { Agent } from './runtime/agent.js';
import { askModel } from './runtime/ask-model.js';
import { askUser, asksToStop } from './runtime/ask-user.js';
import { formatCommands, keepFirstExclusive } from './commands/format-commands.js';
import { converse } from './runtime/converse.js';
import { canonicalHash, DUPLICATE_LIMIT, DUPLICATE_WINDOW, repetitions } from './commands/repetitions.js';
import { describeLimit, limitAdvice, type OutputLimit } from './runtime/output-limit.js';
import { fill, sections } from './prompt/template.js';
import { NOT_CONFIRMED } from './commands/user-commands.js';
import { endStep } from './runtime/steps.js';
import type { Ended, StoredReply } from './runtime/turn.js';

/** After this many unreadable replies in a row, the user is asked. */
const UNREADABLE_LIMIT = 3;

/** The reply to use in a step, and what was parsed from it. */
export interface ChosenReply {
  reply: StoredReply;
  parsed: ParsedReply;
}

/** Returns the reply to use: one that repeats earlier work is asked for again, or becomes a question to the user. */
export async function withoutRepetition(agent: Agent, reply: StoredReply): Promise<ChosenReply> {
  const parsed = parseCommands(reply.text);
  const accepted = { reply, parsed };
  if (!parsed.ok || parsed.commands.length === 0) return accepted;
  const { prompts } = agent.settings;
  const names = parsed.commands.map(({ name }) => agent.registry.get(name)?.name ?? name);
  if (names.includes('end')) return accepted;
  const { hasConsulted, step, replies } = agent.turn();
  const mayRepeat = ({ content }: Message): boolean => hasConsulted && content.includes(NOT_CONFIRMED);
  const seen = repetitions(agent.memory.get(DUPLICATE_WINDOW), parsed.commands, mayRepeat);
  if (seen === 0) return accepted;
  if (seen < DUPLICATE_LIMIT) {
    const key = `regenerate:${step}`;
    await converse(agent, { purpose: 'regenerate', key, request: () => prompts.regenerate });
    const other = replies[key] as StoredReply;
    return { reply: other, parsed: parseCommands(other.text) };
  }
  if (names.includes('Plan.finish_current_task')) return composedReply({ name: 'end', args: {} });
  const problem = await converse(agent, {
    purpose: 'duplicate-problem',
    key: `duplicate-problem:${step}`,
    request: () => fill(prompts.duplicateProblem, { language: agent.language }),
  });
  const question = fill(prompts.askForGuidance, { problem: problem.trim() });
  return composedReply({ name: 'RoleZero.ask_human', args: { question } });
}

/** Returns the commands of a reply; when they cannot be read, the model is asked to write them again. */
export async function readCommands(agent: Agent, { reply, parsed }: ChosenReply): Promise<ParsedReply> {
  const { text, limit } = reply;
  if (limit !== null) return withoutHalfCommand(parsed, cutOffAdvice(limit));
  if (parsed.ok || text.trim() === '') return parsed;
  const repaired = await askModel(agent, agent.run, {
    purpose: 'repair',
    key: `repair:${agent.turn().step}`,
    system: agent.hooks.prefix(),
    text: fill(agent.settings.prompts.repair, { reply: text, error: parsed.error }),
    apart: true,
  });
  const second = parseCommands(repaired.text);
  if (!second.ok) return parsed;
  const thought = text.slice(0, Math.max(0, text.search(/```|[[{]/))).trim();
  return { ...second, thought, repaired: true };
}

/** Remembers a reply that was read and enters the stage that runs its commands. */
export function acceptReply(
  agent: Agent,
  { text, limit }: StoredReply,
  parsed: Extract<ParsedReply, { ok: true }>,
): void {
  const turn = agent.turn();
  const { notes } = agent.state;
  if (limit !== null && parsed.repaired) notes.push(cutOffAdvice(limit));
  const { commands, cut } = keepFirstExclusive(
    [...agent.hooks.accepted(parsed.commands)],
    (name) => agent.registry.get(name)?.exclusive === true,
  );
  const content = cut ? formatCommands(commands) : parsed.repaired ? withThought(parsed) : text;
  agent.example = limit === null ? content : null;
  const message = agent.newMessage(AIMessage, {
    content,
    causeBy: RunCommand,
    metadata: {
      thought: thoughtOf(text, 'think'),
      commands: commands.map(({ name, args }) => ({ name, args })),
      canonical: canonicalHash(commands),
    },
  });
  turn.trace.replyId = agent.remember(message, true).id;
  if (commands.length === 0) notes.push('You gave no commands; give at least one, or end.');
  turn.replies = {};
  agent.enterStage({ name: 'act', commands, results: [], attempt: null, isStopped: false, ending: null });
}

/** Reports to the model that its reply could not be read, and ends the step. After several in a row, the user is asked. */
export async function rejectReply(
  agent: Agent,
  { limit, text }: StoredReply,
  error: string,
  times: number,
): Promise<void> {
  const turn = agent.turn();
  let advice = `Your reply could not be read as commands: ${error} Write a short thought, then exactly one JSON array of {"command_name", "args"} objects in a json code fence.`;
  let ending: Ended | null = null;
  const asksUser = times >= UNREADABLE_LIMIT;
  if (asksUser) {
    const answer = await askUser(agent, agent.run, `unreadable:${turn.step}`, {
      kind: 'question',
      text: sentences(
        `The model's last ${UNREADABLE_LIMIT} replies could not be read as commands`,
        limit === null ? '' : `The last one ${describeLimit(limit)}. ${limitAdvice(limit)}`,
        'What should it do? (<STOP> ends the work.)',
      ),
    });
    agent.enter('acting');
    if (answer !== null) advice = `${advice}\n\nHuman response: ${answer}`;
    if (answer !== null && asksToStop(answer)) ending = { kind: 'ended', summary: '' };
  }
  const reply = agent.newMessage(AIMessage, {
    content: text,
    causeBy: RunCommand,
    metadata: { thought: thoughtOf(text, 'think') },
  });
  turn.trace.replyId = agent.remember(reply, true).id;
  turn.lastOutput = advice;
  const observation = agent.remember(agent.newMessage(UserMessage, { content: advice, causeBy: RunCommand }));
  endStep(agent, observation, ending, asksUser ? 0 : times);
  await agent.experience?.settle(null, 'It could not be read as commands.');
}

/** Returns advice for a model whose reply was cut off. */
function cutOffAdvice(limit: OutputLimit): string {
  const what = limit.tokens === 0 ? 'was cut off at its length limit' : describeLimit(limit);
  const parts = 'a long file in parts, the first with Editor.write, the rest with Editor.append_file.';
  return limit.isEmpty
    ? `Your reply ${what}, so no command was run. Think less, and write less at a time: ${parts}`
    : `Your reply ${what}; its last, incomplete command was not run. Write less at a time: ${parts}`;
}

/** Drops the last command of a cut-off reply that was repaired: it may be half of what the model meant. */
function withoutHalfCommand(parsed: ParsedReply, advice: string): ParsedReply {
  if (!parsed.ok) return { ...parsed, error: advice };
  if (!parsed.repaired) return parsed; // its JSON was complete
  const commands = parsed.commands.slice(0, -1);
  return commands.length > 0 ? { ...parsed, commands } : { ok: false, error: advice, text: '' };
}

/** Returns a reply that the library composed in place of a repeated one. */
function composedReply(command: Command): ChosenReply {
  const text = formatCommands([command]);
  return { reply: { text, limit: null }, parsed: parseCommands(text) };
}

function withThought(parsed: Extract<ParsedReply, { ok: true }>): string {
  return sections(parsed.thought, formatCommands(parsed.commands));
}
