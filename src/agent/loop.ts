/**
 * The loop of an agent, from top to bottom. A turn answers one request. Its stage is stored with every commit, so that resuming after a
 * crash is calling `runTurn` again: the stored stage decides what happens next.
 *
 * Commits of a turn:
 * - `askModel` commits each reply of the model before it is used: a crash never pays for it twice.
 * - `runCommands` commits each command together with its effects. The commit after the last command ends the step and enters the
 *   next stage.
 * - `askUser` commits each question before it is shown.
 * - The caller commits the outcome together with the end of the turn.
 *
 * A stage that is repeated after a crash finds its replies, answers, and results in the turn and continues with them.
 */
import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { JsonValue } from '../core/json.js';
import { AIMessage, QUICK_THINK, RunCommand, UserRequirement, type Message } from '../core/message.js';
import type { Agent } from './runtime/agent.js';
import { converse, isUndecided, notifyOfResult, pastOf } from './runtime/converse.js';
import { detectLanguage } from './prompt/language.js';
import { chosenSettings, enterStep, isStopped, makesNoProgress, mayContinue } from './loop-control.js';
import type { Outcome } from './runtime/outcome.js';
import type { Closing, TypedAnswer } from './runtime/part.js';
import { observe } from './runtime/publish.js';
import { fill } from './prompt/template.js';
import { answerInProse, answerInReply, quickThink } from './quick-think.js';
import { parseReply } from './parse-reply.js';
import { acceptReply, readCommands, rejectReply } from './read-reply.js';
import { refuseRepetition, withoutRepetition } from './without-repetition.js';
import { completeStep, isAtStepLimit, mayExceedSteps, traceRest } from './runtime/steps.js';
import { runCommands } from './commands/run-commands.js';
import type { ActStage, Ending, StageOf, StoredReply, Turn } from './runtime/turn.js';
import { withFacts } from './commands/check-claims.js';
import { replyToHuman } from './commands/user-commands.js';
import { releaseAnswer } from './commands/release-answer.js';

/** Maximum characters of a language name; a longer reply is cut. */
const MAX_LANGUAGE = 60;

/** Runs the current turn from its stored stage to its end. @throws RoleZeroError for faults that end the run; it can be resumed. */
export async function runTurn(agent: Agent): Promise<Outcome> {
  agent.step = {};
  await prepareParts(agent);
  await agent.shownTools.choose();
  let reply: string | null = null; // whose commands are about to run; null after an interruption
  for (;;) {
    const turn = agent.turn();
    const { stage } = turn;
    switch (stage.name) {
      case 'classify':
        await classify(agent);
        break;
      case 'prepare':
        await prepare(agent);
        break;
      case 'think':
        reply = await think(agent, turn, stage);
        break;
      case 'act':
        await act(agent, stage, reply);
        reply = null;
        break;
      case 'finish':
        await agent.context.whole?.();
        return finishTurn(agent, stage.ending, await answerOf(agent, stage.ending));
      case 'procedure':
      case 'plan':
        throw new RoleZeroError('internal', `A RoleZero has no stage ${stage.name}.`, { role: agent.name });
    }
  }
}

/** Lets the parts prepare a step. Returns null when none of them does. */
function prepareParts(agent: Agent): Promise<void> | null {
  return agent.parts.some((part) => part.beforeStep !== undefined) ? prepareAll(agent) : null;
}

/** When the parts have changed the tools, those for the request are chosen again. */
async function prepareAll(agent: Agent): Promise<void> {
  const { version } = agent.registry;
  for (const part of agent.parts) if (part.beforeStep !== undefined) await part.beforeStep(agent.run.signal);
  const turn = agent.turn();
  if (agent.registry.version === version || turn.offered === undefined) return;
  delete turn.offered;
  await agent.shownTools.choose();
}

/** Answers simple requests at once; everything else becomes work. Only requests of the user are classified. */
export async function classify(agent: Agent): Promise<void> {
  const turn = agent.turn();
  const answer = turn.request?.causeBy === UserRequirement.id ? await quickThink(agent) : null;
  if (answer === null) agent.turn().stage = { name: 'prepare' };
  else agent.turn().stage = { name: 'finish', ending: { kind: 'answered', answer } };
}

/** Sets goal and language once, before the first step. */
async function prepare(agent: Agent): Promise<void> {
  observe(agent);
  if (isAtStepLimit(agent) && !(await mayExceedSteps(agent))) {
    agent.turn().stage = { name: 'finish', ending: { kind: 'exhausted' } };
    return;
  }
  agent.enter('thinking');
  const isNewGoal = agent.hooks.bringsGoal();
  if (isNewGoal) agent.goals.enter();
  if (isNewGoal || agent.state.respondLanguage === '')
    agent.state.respondLanguage = agent.settings.language ?? (await languageOfGoal(agent));
  for (const part of agent.parts) agent.state.notes.push(...(part.advice?.() ?? []));
  agent.turn().stage = { name: 'think', unreadableReplies: 0 };
}

/** Returns the language of the goal. The merged call plan detects it without a call; a text that is too short keeps the last one. */
async function languageOfGoal(agent: Agent): Promise<string> {
  const { goal } = agent.goals.plan;
  if (agent.settings.callPlan === 'merged') return detectLanguage(goal) ?? agent.state.respondLanguage;
  const { prompts } = agent.settings;
  const request = () => fill(prompts.detectLanguage, { requirement: goal });
  const reply = await converse(agent, { purpose: 'language', key: 'language', request });
  return reply.slice(0, MAX_LANGUAGE);
}

/**
 * Asks the model for the next commands and reads them. A reply that cannot be read ends the step with advice for the model. Returns the reply
 * whose commands run next; null for none.
 */
async function think(agent: Agent, turn: Turn, stage: StageOf<'think'>): Promise<string | null> {
  const key = `think:${turn.step}`;
  const isAnswered = key in turn.replies;
  const isRepeated = isAnswered || turn.lastCall?.key === key;
  if (!isRepeated) {
    observe(agent);
    const preparing = prepareParts(agent); // most steps need not wait
    if (preparing !== null) await preparing;
    if (agent.hooks.isFulfilled()) {
      const ending: Ending = { kind: 'ended', summary: await agent.hooks.end() };
      agent.turn().stage = { name: 'finish', ending };
      return null;
    }
    if (isAtStepLimit(agent) && !(await mayExceedSteps(agent))) {
      agent.turn().stage = { name: 'finish', ending: { kind: 'exhausted' } };
      return null;
    }
    const isOver = makesNoProgress(turn) && !(await mayContinue(agent));
    if (isOver || (agent.settings.stopWhen.length > 0 && (await isStopped(agent)))) {
      agent.turn().stage = { name: 'finish', ending: { kind: 'ended', summary: '' } };
      return null;
    }
    agent.hooks.beforeThinking();
  }
  const { prepareStep } = agent.settings;
  enterStep(agent, prepareStep === undefined ? {} : await chosenSettings(agent, prepareStep), isRepeated);
  agent.enter('thinking');
  await converse(agent, { purpose: 'think', key, past: isAnswered ? null : await pastOf(agent) });
  const first = turn.replies[key] as StoredReply;
  const unread = { reply: first, parsed: parseReply(agent, first) };
  const answer = isUndecided(agent) && first.calls === undefined ? answerInReply(first.text) : null;
  if (answer !== null) {
    agent.turn().stage = { name: 'finish', ending: { kind: 'answered', answer } };
    return null;
  }
  const parsed = unread.parsed.ok ? unread.parsed : await readCommands(agent, unread);
  const prose =
    parsed.ok || first.limit !== null || !isUndecided(agent) ? null : answerInProse(agent, first.text);
  if (prose !== null) {
    agent.turn().stage = { name: 'finish', ending: { kind: 'answered', answer: prose } };
    return null;
  }
  const chosen = await withoutRepetition(agent, { reply: first, parsed });
  if (chosen.reply !== first)
    await notifyOfResult(agent, { reply: null, failure: 'The reply repeated an earlier one.' });
  agent.enter('acting');
  if ('repeated' in chosen) await refuseRepetition(agent, chosen);
  else if (chosen.parsed.ok) return acceptReply(agent, chosen.reply, chosen.parsed);
  else await rejectReply(agent, chosen.reply, chosen.parsed.error, stage.unreadableReplies + 1);
  return null;
}

/** Runs the commands of a reply in order. The first failure stops the rest: they assume that it succeeded. */
async function act(agent: Agent, stage: ActStage, reply: string | null): Promise<void> {
  agent.enter('acting');
  if (stage.commands.length > 0) await runCommands(agent, stage);
  else {
    completeStep(agent, stage);
    await agent.commit(); // emits the end of the step now, not with the next reply
  }
  const failure =
    stage.commands.length === 0
      ? 'The reply has no commands.'
      : (stage.results.find(({ ok }) => !ok)?.output ?? null);
  await notifyOfResult(agent, { reply, failure });
}

/** What a turn answers to the sender of its request. */
interface TurnAnswer {
  summary: string;
  output?: JsonValue | undefined;
  error: RoleZeroError | null;
}

/** Returns the answer of the turn. A typed answer that does not fit makes it fail. */
async function answerOf(agent: Agent, ending: Ending): Promise<TurnAnswer> {
  const isDone = ending.kind === 'ended' || ending.kind === 'answered';
  const typed = isDone ? await answerOfParts(agent) : null;
  const error = typed !== null && 'error' in typed ? typed.error : null;
  const output = typed !== null && 'value' in typed ? typed.value : undefined;
  return { ...(await releaseAnswer(agent, { summary: summaryOfEnding(ending), output })), error };
}

/** Returns what a part of the agent answers to the request besides words; null for nothing. */
async function answerOfParts(agent: Agent): Promise<TypedAnswer | null> {
  const ask: Closing['ask'] = ({ text, ...question }) =>
    converse(agent, { ...question, request: () => text });
  for (const part of agent.parts) {
    const typed = part.answer === undefined ? null : await part.answer({ signal: agent.run.signal, ask });
    if (typed !== null) return typed;
  }
  return null;
}

/** Returns the outcome of the turn and the message that other roles receive. */
async function finishTurn(
  agent: Agent,
  ending: Ending,
  { summary, output, error }: TurnAnswer,
): Promise<Outcome> {
  if (ending.kind === 'answered') {
    agent.remember(agent.newMessage(AIMessage, { content: ending.answer, causeBy: QUICK_THINK }), true);
    replyToHuman(agent, withFacts(agent, ending.answer));
  } else if (ending.kind === 'ended') agent.goals.returnToEarlier();
  else for (const part of agent.parts) await part.onExhausted?.();
  traceRest(agent);
  agent.enter('ended');
  const outcome = {
    summary,
    message: resultMessage(agent, ending),
    error,
    ...defined({ failedCommands: agent.turn().failedCommands || undefined }),
  };
  if (ending.kind === 'exhausted') return { ...outcome, status: 'exhausted' };
  return error === null
    ? { ...outcome, status: 'done', ...defined({ output }) }
    : { ...outcome, status: 'failed' };
}

function summaryOfEnding(ending: Ending): string {
  if (ending.kind === 'answered') return ending.answer;
  return ending.kind === 'ended' ? ending.summary : '';
}

function resultMessage(agent: Agent, ending: Ending): Message {
  const sentFrom = agent.name;
  if (ending.kind === 'answered')
    return agent.newMessage(AIMessage, { content: ending.answer, causeBy: QUICK_THINK, sentFrom });
  const { lastOutput: outputs } = agent.turn();
  const content =
    outputs === '' ? 'No actions taken yet' : fill(agent.settings.prompts.finished, { outputs });
  return agent.newMessage(AIMessage, { content, causeBy: RunCommand, sentFrom });
}
