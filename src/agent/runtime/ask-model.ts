import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import type { ChatModel, Purpose } from '../../core/model.js';
import { requestSettings, requestedTemperature, temperatureFor } from '../../core/request-settings.js';
import type { AgentRuntime } from './agent-runtime.js';
import { askPermission, isYes } from './ask-user.js';
import { budgetSpent, due, NO_GRANT, type Account, type Due } from '../policy/budget.js';
import { SHOWN, type DurableQuestion, type Reply } from './model-call.js';
import type { Run } from './outcome.js';
import { thoughtOfReply } from '../stream/thought-text.js';
import type { StoredReply, Turn } from './turn.js';

type Usage = NonNullable<Reply['usage']>;

/**
 * Asks the model and stores the reply before it is used. When it returns, the whole session is read. Asked again after a crash, it returns the
 * stored reply.
 */
export async function askModel(agent: AgentRuntime, run: Run, asked: DurableQuestion): Promise<StoredReply> {
  const turn = agent.turn();
  const question = withRecorded(agent, turn, asked);
  const known = turn.replies[question.key];
  if (known !== undefined) return known;
  if (agent.isMetered && question.known === undefined) {
    for (const account of accountsOf(agent, turn)) {
      checkMeasurable(agent, account);
      const asking = due(account);
      if (asking !== null) await settle(agent, account, asking, run);
    }
  }
  const startedAt = agent.context.runtime.now();
  const given = [
    agent.step.temperature,
    requestedTemperature(turn.request?.metadata),
    agent.fixed.temperature,
  ];
  const temperature = temperatureFor(question.purpose, given, question.temperature);
  const reasoning = agent.step.reasoning ?? requestSettings(turn.request?.metadata).reasoning;
  const reply = await ask(agent, run, { ...question, ...defined({ temperature, reasoning }) });
  const reading = agent.context.whole?.(); // the rest needs the whole session
  if (reading !== undefined) await reading;
  if (reply.isUnpriced) unpriced.add(agent.model);
  const { calls } = reply;
  const stored = { text: reply.text, limit: reply.limit, ...defined({ calls }) };
  turn.replies[question.key] = stored;
  question.onReply?.(reply);
  const { usage, promptHash, text, cut } = reply;
  if (usage !== null) {
    const durationMs = Math.max(0, agent.context.runtime.now() - startedAt);
    const { purpose } = question;
    turn.trace.startedAt ||= startedAt;
    turn.trace.calls.push({
      purpose,
      promptHash,
      reply: text,
      ...defined({ calls }),
      cut,
      ...usage,
      durationMs,
    });
    if (question.known === undefined) count(agent, turn, purpose, usage, durationMs);
  }
  if (SHOWN.has(question.purpose)) {
    agent.journal.tell({
      type: 'thought-end',
      role: agent.name,
      purpose: question.purpose,
      text: thoughtOfReply(stored, question.purpose),
    });
  }
  await agent.log('reply');
  return stored;
}

/** Asks the model, or who plays in its place. */
function ask(agent: AgentRuntime, run: Run, question: DurableQuestion): Promise<Reply> {
  const { player } = agent.fixed;
  if (player !== null) return player.ask(agent, run, question);
  const { bus } = agent.context;
  return bus !== null && agent.model.supports?.parallel === true
    ? bus.duringCall(agent, question.key, () => agent.modelCall.ask(question, run.signal))
    : agent.modelCall.ask(question, run.signal);
}

/** Adds the reply of an earlier run that the question repeats. */
function withRecorded(
  agent: AgentRuntime,
  { request, step, trace }: Turn,
  question: DurableQuestion,
): DurableQuestion {
  if (agent.context.recordedReply === undefined) return question;
  const place = { role: agent.name, requirement: request?.id ?? '', step, call: trace.calls.length };
  const known = agent.context.recordedReply({ ...place, purpose: question.purpose });
  return known === undefined ? question : { ...question, known };
}

/** Models without a price that have reported no cost. */
const unpriced = new WeakSet<ChatModel>();

/** @throws RoleZeroError `invalid` when a budget in dollars would never be spent, because the cost of a call is not known. */
function checkMeasurable(agent: AgentRuntime, { budget, whose }: Account): void {
  if (budget.usd === undefined) return;
  const { model } = agent;
  if (model.price !== undefined || !unpriced.has(model)) return;
  throw new RoleZeroError(
    'invalid',
    `The budget of this ${whose} cannot be measured in dollars: ${model.id} reports no cost and has no price. Give it one with metered(model, { price }), all zeros if it is free, or limit tokens in place of usd.`,
    { model: model.id },
  );
}

/** The budgets that hold for the next call. */
function accountsOf(agent: AgentRuntime, turn: Turn): Account[] {
  const { budget } = agent.fixed;
  const accounts: Account[] = [];
  if (budget !== undefined)
    accounts.push({
      whose: 'run',
      budget,
      spent: turn.usage,
      grant: agent.approvals.budget ?? NO_GRANT,
      advice: 'Raise it with the option budget, then resume.',
      decide: (grant) => agent.approvals.setBudget(grant),
    });
  const ofSession = agent.context.account?.((writes) => agent.journal.add(writes)) ?? null;
  if (ofSession !== null) accounts.push(ofSession);
  return accounts;
}

/**
 * Asks the user whether to continue when much of a budget, or all of it, is spent.
 *
 * @throws RoleZeroError `budget` when nothing more may be spent, `aborted` when the user stops the run before.
 */
async function settle(
  agent: AgentRuntime,
  account: Account,
  { isSpent, question, allowed }: Due,
  run: Run,
): Promise<void> {
  const key = `budget:${account.whose}:${allowed.asked}:${isSpent}`;
  const answer = await askPermission(agent, run, key, {
    kind: 'question',
    text: question,
    options: ['yes', 'no'],
    lapses: true,
  });
  const isAllowed = answer !== null && isYes(answer);
  agent.approvals.removeAnswer(key); // resumed, it asks again
  if (!isAllowed && isSpent) throw budgetSpent(account);
  if (answer !== null && !isAllowed)
    throw new RoleZeroError('aborted', 'The user stopped the run because of its budget.');
  account.decide(allowed);
  if (answer === null)
    agent.emit({ type: 'warning', code: 'budget', message: question, detail: { ...account.spent } });
}

function count(agent: AgentRuntime, turn: Turn, purpose: Purpose, used: Usage, durationMs: number): void {
  const total = agent.state.usage;
  total.calls += 1;
  total.promptTokens += used.promptTokens;
  total.completionTokens += used.completionTokens;
  total.cachedPromptTokens += used.cachedPromptTokens;
  total.costUsd += used.costUsd;
  agent.state.modelMs += durationMs;
  turn.usage.calls += 1;
  turn.usage.ms += durationMs;
  turn.usage.tokens += used.promptTokens + used.completionTokens;
  turn.usage.usd += used.costUsd;
  agent.journal.tell({ type: 'usage', role: agent.name, purpose, ...used, total: { ...total } });
}
