/** One task of a sub-agent, from its start or the middle to its result. */
import type { RoleZeroError } from '../core/error.js';
import { RunCommand, UserMessage } from '../core/message.js';
import type { ToolContext } from '../core/tool.js';
import { sumOfReads } from '../agent/policy/reads.js';
import { closeTurn, type InterruptedResult } from '../agent/commands/close-turn.js';
import type { Caller } from '../agent/commands/tool-call.js';
import type { RoleZero } from '../agent/role-zero.js';
import type { Agent } from '../agent/runtime/agent.js';
import { Suspension, type Outcome, type Run } from '../agent/runtime/outcome.js';
import { addSources } from '../agent/runtime/state.js';
import { createSubagent } from './create-subagent.js';
import { loadSubagent, removals, storedSteps } from './stored-subagent.js';
import type { SubagentsOptions } from './options.js';

/** Characters of the id of a turn in the name of a sub-agent. */
const ID_LENGTH = 8;

/** A call of `Subagent.run`. */
interface Delegation {
  task: string;
  context: ToolContext;
  options: SubagentsOptions;
}

/**
 * Runs a sub-agent to its end, from where it is stored, and returns its result. Its last changes and their removal are committed together
 * with that result.
 *
 * @throws Suspension while the user must answer, and the error of a run that failed or was stopped. The sub-agent is then stored.
 */
export async function delegate(
  { agent, run }: Caller,
  { task, context, options }: Delegation,
): Promise<string> {
  const name = nameOf(agent, context.callId);
  const { role, isStored } = await restored(agent, name, options);
  const { agent: sub } = role;
  addSources(sub.state, agent.state.untrusted ?? []);
  if (agent.state.private !== undefined) sub.state.private = true;
  if (!isStored)
    // Not as a request of the user: an address in it is not one that the user named.
    sub.putMessage(
      sub.newMessage(UserMessage, {
        content: task,
        causeBy: RunCommand,
        sentFrom: agent.name,
        sendTo: [name],
      }),
    );
  let failure: RoleZeroError | null = null;
  try {
    if (sub.isBusy) failure = failureOf(sub, await role.work(run), run);
  } finally {
    report(sub, context);
  }
  await settle(agent, sub);
  if (failure !== null) throw failure;
  return resultOf(sub);
}

/**
 * Ends a sub-agent whose caller has given up its turn. What it did stays, and its commands, labels and usage pass to the caller. Returns
 * null when it had not started.
 */
export async function closeDelegation(
  { agent, run }: Caller,
  { callId, options }: { callId: string; options: SubagentsOptions },
): Promise<InterruptedResult | null> {
  const { role, isStored } = await restored(agent, nameOf(agent, callId), options);
  if (!isStored) return null;
  const { agent: sub } = role;
  if (sub.state.turn !== null) await closeTurn(sub, run);
  await sub.commit();
  await settle(agent, sub);
  const { untrusted = [] } = sub.state;
  const last = sub.memory.getByPosition(-1)?.content ?? '';
  return {
    ok: false,
    output: `The sub-agent was interrupted. What it has done stays. The last of it: ${last}`,
    origin: { untrusted: [...untrusted], composed: true, addresses: [], private: sub.state.private ?? null },
  };
}

/** Creates the role of a sub-agent, as far as it is stored. */
async function restored(
  agent: Agent,
  name: string,
  options: SubagentsOptions,
): Promise<{ role: RoleZero; isStored: boolean }> {
  const role = createSubagent(agent, name, options);
  const stored = await loadSubagent(agent.context, name);
  if (stored !== null) {
    role.agent.restoreState(stored);
    await role.agent.restoreMemory(stored);
  }
  return { role, isStored: stored !== null };
}

/** Unique in the session, and the same when the command runs again. */
function nameOf({ name }: Agent, callId: string): string {
  const [turn = '', ...place] = callId.split('.');
  return `${name}>${[turn.slice(0, ID_LENGTH), ...place].join('.')}`;
}

/**
 * Returns why the sub-agent failed; null for a result. A spent budget is a result.
 *
 * @throws Suspension or the error while it can be resumed.
 */
function failureOf({ name, state }: Agent, outcome: Outcome | null, run: Run): RoleZeroError | null {
  if (outcome?.status === 'waiting') {
    const id = state.question?.id ?? '';
    throw new Suspension({ id, role: name, kind: 'approval', text: `Approval for ${name}` });
  }
  run.signal.throwIfAborted();
  if (outcome?.status !== 'failed') return null;
  if (outcome.error?.endsRun === true) throw outcome.error;
  return outcome.error;
}

/** Labels the result. No address in it counts as named by a source, because the model of the sub-agent wrote it. */
function report({ state }: Agent, context: ToolContext): void {
  for (const source of state.untrusted ?? []) context.untrusted?.(source, []);
  if (state.private !== undefined) context.private?.();
}

/** Adds what the sub-agent has used and done to its caller, and removes its rows, with the next commit of the caller. */
async function settle(agent: Agent, sub: Agent): Promise<void> {
  const steps = await storedSteps(agent.context, sub.name);
  const writes = await removals(agent, sub.name);
  const { usage: used, modelMs } = sub.state;
  const { usage } = agent.state;
  for (const measure of Object.keys(usage) as (keyof typeof usage)[]) usage[measure] += used[measure];
  agent.state.modelMs += modelMs;
  const turn = agent.turn();
  turn.usage.calls += used.calls;
  turn.usage.tokens += used.promptTokens + used.completionTokens;
  turn.usage.usd += used.costUsd;
  turn.usage.ms += modelMs;
  turn.trace.commands.push(...steps.flatMap(({ commands }) => commands));
  if (sub.state.reads !== undefined) agent.state.reads = sumOfReads(agent.state.reads ?? {}, sub.state.reads);
  agent.journal.add(writes);
}

/** Returns the reply of the sub-agent; without one, its last output. */
function resultOf({ state, memory }: Agent): string {
  const { status = 'failed', summary = '' } = state.lastResult ?? {};
  const last = state.turn?.userReply?.text ?? '';
  const result = [summary, last].find((text) => text !== '') ?? memory.getByPosition(-1)?.content ?? '';
  return status === 'done'
    ? result
    : `It reached its limit before it was done. The last of it: ${last || result}`;
}
