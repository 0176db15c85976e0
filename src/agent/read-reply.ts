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
import { completeCommands } from './commands/complete-commands.js';
import { occursInResults } from './commands/quoted-commands.js';
import { restoreEscapes } from './commands/restored-escapes.js';
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
  const parsed = parseReply(agent, reply.text);
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
    return { reply: other, parsed: parseReply(agent, other.text) };
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
  if (parsed.ok) return whole(agent, parsed, limit);
  if (limit !== null) return { ...parsed, error: cutOffAdvice(limit) };
  if (parsed.isReadable || text.trim() === '') return parsed;
  const repaired = await askModel(agent, agent.run, {
    purpose: 'repair',
    key: `repair:${agent.turn().step}`,
    system: agent.hooks.prefix(),
    text: fill(agent.settings.prompts.repair, { reply: text, error: parsed.error }),
    apart: true,
  });
  const second = parseReply(agent, repaired.text);
  if (!second.ok) return parsed;
  const thought = text.slice(0, Math.max(0, text.search(/```|[[{]/))).trim();
  return whole(agent, { ...second, thought, repaired: true }, repaired.limit);
}

/** Remembers a reply that was read and enters the stage that runs its commands. */
export function acceptReply(
  agent: Agent,
  { text, limit }: StoredReply,
  parsed: Extract<ParsedReply, { ok: true }>,
): void {
  const turn = agent.turn();
  const { notes } = agent.state;
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

const SEND_AGAIN = 'Send it again, whole.';
const IN_PARTS = 'Write a long file in parts, the first with Editor.write, the rest with Editor.append_file.';

/** Returns advice for a model whose reply was cut off. */
function cutOffAdvice(limit: OutputLimit): string {
  const what = limit.tokens === 0 ? 'was cut off at its length limit' : describeLimit(limit);
  const parts = IN_PARTS.replace('Write a', 'a');
  return limit.isEmpty
    ? `Your reply ${what}, so no command was run. Think less, and write less at a time: ${parts}`
    : `Your reply ${what}; its last, incomplete command was not run. Write less at a time: ${parts}`;
}

/** Reads a reply with what the role knows: its commands, the results in its memory, and the example in its prompt. */
function parseReply(agent: Agent, text: string): ParsedReply {
  const { registry, memory, settings, name } = agent;
  const { stage } = agent.turn();
  const example = parseCommands(fill(settings.prompts.replyFormat, { name, exclusive: '' }));
  return parseCommands(text, {
    commandName: (written) => (registry.has(written) ? written : (registry.meant(written)?.name ?? null)),
    hasRead: (block) => occursInResults(block, memory.get()),
    isAskedAgain: stage.name === 'think' && stage.unreadableReplies > 0,
    example: example.ok ? example.commands : [],
  });
}

/** Returns the reply without an incomplete command and those after it, with backslashes restored. Notes both for the model. */
function whole(
  agent: Agent,
  parsed: Extract<ParsedReply, { ok: true }>,
  limit: OutputLimit | null,
): ParsedReply {
  const { notes } = agent.state;
  const { commands, advice } = completeCommands(parsed, agent.registry);
  const next = limit === null ? `${SEND_AGAIN} ${IN_PARTS}` : cutOffAdvice(limit);
  if (advice !== null && commands.length === 0)
    return {
      ok: false,
      error: limit === null ? `${advice} ${next}` : `${next} ${advice}`,
      text: '',
      isReadable: true,
    };
  if (advice !== null) notes.push(limit === null ? `${advice} ${next}` : `${next} ${advice}`);
  const restored = restoreEscapes(commands);
  notes.push(...restored.notes);
  return { ...parsed, commands: restored.commands, repaired: parsed.repaired || restored.notes.length > 0 };
}

/** Returns a reply that the library composed in place of a repeated one. */
function composedReply(command: Command): ChosenReply {
  const text = formatCommands([command]);
  return { reply: { text, limit: null }, parsed: parseCommands(text) };
}

function withThought(parsed: Extract<ParsedReply, { ok: true }>): string {
  return sections(parsed.thought, formatCommands(parsed.commands));
}
