import { defined } from '../core/defined.js';
import type { Command } from '../core/human.js';
import { AIMessage, RunCommand, UserMessage, type Message } from '../core/message.js';
import { ASK_HUMAN, END, FINISH_TASK, onlyTalks } from '../core/role-command-names.js';
import { correctedList } from './commands/corrections.js';
import { formatCommands, SEEN_FIRST } from './commands/format-commands.js';
import {
  DUPLICATE_LIMIT,
  DUPLICATE_WINDOW,
  repetitionData,
  repetitionOf,
  viewOf,
  type Repetition,
} from './commands/repetitions.js';
import { GIVE_AGAIN } from '../core/give-again.js';
import { NOT_CONFIRMED } from './commands/user-commands.js';
import { parseReply } from './parse-reply.js';
import { parseCommands, type ParsedReply } from './parse/commands.js';
import { thoughtOf } from './stream/thought-text.js';
import { headAndTail } from './prompt/conversation.js';
import { fill } from './prompt/template.js';
import { commandsToRun, contentOf, type ChosenReply } from './read-reply.js';
import type { Agent } from './runtime/agent.js';
import { converse, notifyOfResult, OTHER_REPLY } from './runtime/converse.js';
import { replyLanguage } from './runtime/state.js';
import { endStep } from './runtime/steps.js';
import type { StoredReply } from './runtime/turn.js';

/** Maximum characters of an earlier result that the model receives again. */
const MAX_REPEATED_RESULT = 2_000;

/** Number of newest messages that are searched for repetitions of a guided model. */
const GUIDED_WINDOW = 40;

type Parsed = Extract<ParsedReply, { ok: true }>;

/** A reply that only repeats an earlier one, and is not run. */
interface RefusedReply {
  reply: StoredReply;
  parsed: Parsed;
  repeated: Repetition;
}

/** Returns the reply to use: one that repeats earlier work is asked for again, once, and becomes a question to the user in the end. */
export async function withoutRepetition(
  agent: Agent,
  given: ChosenReply,
): Promise<ChosenReply | RefusedReply> {
  const first = withCorrection(agent, given);
  const repeated = findRepetition(agent, first.parsed);
  if (repeated === null) return first;
  const { guidance, prompts } = agent.settings;
  if (guidance?.isReported(agent) && first.parsed.ok)
    return { reply: first.reply, parsed: first.parsed, repeated };
  const { step, replies } = agent.turn();
  if (repeated.times < DUPLICATE_LIMIT) {
    const key = `regenerate:${step}`;
    const next = (await guidance?.instead(agent)) ?? '';
    const request = () => fill(prompts.regenerate, { form: agent.form.inWords(prompts), next });
    const repeatedNames = first.parsed.ok ? first.parsed.commands.map(({ name }) => name) : [];
    const isAllowed = await guidance?.allowedInstead(agent, repeatedNames);
    const responseSchema = agent.shownTools.schema(isAllowed);
    await converse(agent, {
      purpose: 'regenerate',
      key,
      request,
      temperature: OTHER_REPLY,
      ...defined({ responseSchema }),
    });
    const reply = replies[key] as StoredReply;
    const parsed = parseReply(agent, reply);
    const again = findRepetition(agent, parsed);
    return again === null || !parsed.ok ? { reply, parsed } : { reply, parsed, repeated: again };
  }
  if (first.parsed.ok && first.parsed.commands.some(({ name }) => name === FINISH_TASK))
    return composedReply({ name: END, args: {} });
  const problem = await converse(agent, {
    purpose: 'duplicate-problem',
    key: `duplicate-problem:${step}`,
    request: () => fill(prompts.duplicateProblem, { language: replyLanguage(agent.state) }),
  });
  const question = fill(prompts.askForGuidance, { problem: problem.trim() });
  const options = [prompts.tryAgain, prompts.stopWork];
  return composedReply({ name: ASK_HUMAN, args: { question, options } });
}

/** Ends a step whose reply only repeats an earlier one: the model receives the earlier result, and nothing is run. */
export async function refuseRepetition(
  agent: Agent,
  { reply, parsed, repeated }: RefusedReply,
): Promise<void> {
  const turn = agent.turn();
  const { commands } = parsed;
  const message = agent.newMessage(AIMessage, {
    content: contentOf(reply, parsed),
    causeBy: RunCommand,
    metadata: {
      thought: thoughtOf(reply.text, 'think'),
      commands: commands.map(({ name, args }) => ({ name, args })),
      ...repetitionData(commands, viewOf(agent)),
    },
  });
  turn.trace.replyId = agent.remember(message, true).id;
  turn.failedSteps = (turn.failedSteps ?? 0) + 1;
  const result = headAndTail(repeated.result, MAX_REPEATED_RESULT);
  turn.lastOutput = fill(agent.settings.prompts.notRepeated, { result });
  const observation = agent.remember(
    agent.newMessage(UserMessage, {
      content: turn.lastOutput,
      causeBy: RunCommand,
      metadata: { repeated: repeated.result },
    }),
  );
  // A guided model that has reported to the user, and repeats itself, has nothing else to say.
  const isOver = agent.settings.guidance?.isReported(agent) === true;
  endStep(agent, observation, isOver ? { kind: 'ended', summary: await agent.hooks.end() } : null);
  await agent.commit(); // emits the end of the step now, not with the next reply
  await notifyOfResult(agent, { reply: null, failure: 'The reply repeated an earlier one.' });
}

/** Returns a reply in which a command that failed is given again, with its correction. */
function withCorrection(agent: Agent, { reply, parsed }: ChosenReply): ChosenReply {
  const list = parsed.ok ? correctedList(agent.memory.get(GUIDED_WINDOW), parsed.commands) : null;
  if (!parsed.ok || list === null) return { reply, parsed };
  const { commands, left, note } = list;
  const notes = [...(parsed.notes ?? []), note];
  return { reply, parsed: { ...parsed, commands, left, notes, repaired: true } };
}

/** Returns the repetition in a reply; null for none. The end is never one, but what comes before it may be. */
function findRepetition(agent: Agent, parsed: ParsedReply): Repetition | null {
  if (!parsed.ok || parsed.commands.length === 0) return null;
  const tools = parsed.commands.map(({ name }) => agent.registry.get(name));
  const names = parsed.commands.map(({ name }, index) => tools[index]?.name ?? name);
  if (names.includes(END) && names.every(onlyTalks)) return null;
  const { hasConsulted } = agent.turn();
  // A small model repeats an edit that failed after it has asked the user something, for as long as it does not see it.
  const window = agent.settings.guidance !== null ? GUIDED_WINDOW : DUPLICATE_WINDOW;
  return repetitionOf(agent.memory.get(window), parsed.commands, {
    view: () => viewOf(agent),
    edits: tools.every((tool) => tool?.staged === true),
    hasUserChanges: (since) => {
      const { changes, strange } = agent.context.workspace.changedByUser(since);
      return changes.length + strange > 0;
    },
    mayRepeat: ({ content }: Message) =>
      content.includes(GIVE_AGAIN) ||
      (hasConsulted && content.includes(NOT_CONFIRMED)) ||
      (content.includes(SEEN_FIRST) && commandsToRun(agent, parsed.commands).dropped.length === 0),
  });
}

/** Returns a reply that the library composed in place of a repeated one. */
function composedReply(command: Command): ChosenReply {
  const text = formatCommands([command]);
  return { reply: { text, limit: null }, parsed: parseCommands(text) };
}
