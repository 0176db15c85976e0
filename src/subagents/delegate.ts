/** One task of a sub-agent, from its start or the middle to its result. */
import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { StepTrace } from '../core/events.js';
import { RunCommand, UserMessage } from '../core/message.js';
import { requestedTemperature } from '../core/request-settings.js';
import type { KeyRange, Table, Write } from '../core/store.js';
import { isToolSource, type ToolSource } from '../core/tool-source.js';
import type { ToolContext, Tool } from '../core/tool.js';
import { closeTurn, type InterruptedResult } from '../agent/commands/close-turn.js';
import type { Caller } from '../agent/commands/tool-call.js';
import { approvalsKey } from '../agent/policy/approvals.js';
import { NO_GRANT, type Budget, type Spending } from '../agent/policy/budget.js';
import { sumOfReads } from '../agent/policy/reads.js';
import { RoleZero } from '../agent/role-zero.js';
import type { Agent } from '../agent/runtime/agent.js';
import type { RoleContext } from '../agent/runtime/context.js';
import { Suspension, type Outcome, type Run } from '../agent/runtime/outcome.js';
import { addSources, type MemorySnapshot, type RoleSnapshot } from '../agent/runtime/state.js';
import { resolveTools } from '../tools/resolve-tools.js';
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
  const name = subagentName(agent, context.callId);
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
    if (sub.isBusy) failure = subagentFailure(sub, await role.work(run), run);
  } finally {
    labelResult(sub, context);
  }
  await addToCaller(agent, sub);
  if (failure !== null) throw failure;
  return subagentResult(sub);
}

/**
 * Ends a sub-agent whose caller has given up its turn. What it did stays, and its commands, labels and usage pass to the caller. Returns
 * null when it had not started.
 */
export async function closeDelegation(
  { agent, run }: Caller,
  { callId, options }: { callId: string; options: SubagentsOptions },
): Promise<InterruptedResult | null> {
  const { role, isStored } = await restored(agent, subagentName(agent, callId), options);
  if (!isStored) return null;
  const { agent: sub } = role;
  if (sub.state.turn !== null) await closeTurn(sub, run);
  await sub.commit();
  await addToCaller(agent, sub);
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
function subagentName({ name }: Agent, callId: string): string {
  const [turn = '', ...place] = callId.split('.');
  return `${name}>${[turn.slice(0, ID_LENGTH), ...place].join('.')}`;
}

/**
 * Returns why the sub-agent failed; null for a result. A spent budget is a result.
 *
 * @throws Suspension or the error while it can be resumed.
 */
function subagentFailure({ name, state }: Agent, outcome: Outcome | null, run: Run): RoleZeroError | null {
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
function labelResult({ state }: Agent, context: ToolContext): void {
  for (const source of state.untrusted ?? []) context.untrusted?.(source, []);
  if (state.private !== undefined) context.private?.();
}

/** Adds what the sub-agent has used and done to its caller, and removes its rows, with the next commit of the caller. */
async function addToCaller(agent: Agent, sub: Agent): Promise<void> {
  const steps = await loadSteps(agent.context, sub.name);
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
function subagentResult({ state, memory }: Agent): string {
  const { status = 'failed', summary = '' } = state.lastResult ?? {};
  const last = state.turn?.userReply?.text ?? '';
  const result = [summary, last].find((text) => text !== '') ?? memory.getByPosition(-1)?.content ?? '';
  return status === 'done'
    ? result
    : `It reached its limit before it was done. The last of it: ${last || result}`;
}

const SUBAGENT = 'Subagent.run';
const DEFAULT_STEPS = 20;

const INSTRUCTION = `- You are a sub-agent: another agent gave you the task, and receives nothing but your result. No user can answer you.
- Do this task alone, with as few steps as it takes. What you cannot find out or may not do, say so in the result.
- When you are done, send the result with RoleZero.reply_to_human: everything the task asks for, and the paths of files that you wrote. Then use end.`;

/** Creates the role of a sub-agent: with rules, capabilities and language of its caller, and never with more tools or a larger budget. */
function createSubagent(agent: Agent, name: string, options: SubagentsOptions): RoleZero {
  const { settings, state } = agent;
  const { prompts, rules, capabilities, callPlan, preset } = settings;
  const { model = agent.model, steps = DEFAULT_STEPS, budget = {}, instruction } = options;
  const role = new RoleZero({
    name,
    profile: 'Sub-agent',
    goal: 'do the task that another agent gave you',
    model,
    tools: subagentTools(agent, options.tools),
    instruction: [
      prompts.roleInstruction,
      INSTRUCTION,
      ...(instruction === undefined ? [] : [instruction]),
    ].join('\n'),
    prompts,
    callPlan,
    preset,
    policy: rules,
    maxSteps: steps,
    budget: smallerBudget(budget, remainingBudget(agent)),
    ...defined({
      capabilities: capabilities ?? undefined,
      language: state.respondLanguage === '' ? undefined : state.respondLanguage,
      temperature: requestedTemperature(agent.turn().request?.metadata) ?? settings.temperature,
    }),
  });
  role.agent.caller = agent;
  role.agent.attach(subagentContext(agent, role.agent));
  return role;
}

/** The context of the caller, without its team. */
function subagentContext({ context }: Agent, sub: Agent): RoleContext {
  const { recorded: _, ...shared } = context;
  return {
    ...shared,
    bus: null,
    onlyApprovals: true,
    account: (store) => {
      const account = context.account?.(store) ?? null;
      return account && { ...account, spent: addSpending(account.spent, sub.turn().usage) };
    },
  };
}

/** @throws RoleZeroError `invalid` for a name of a tool that the caller does not have. */
function subagentTools({ name, given }: Agent, wanted: readonly string[] | undefined): (Tool | ToolSource)[] {
  const all = (given as readonly unknown[]).flat(Infinity) as (Tool | ToolSource)[];
  const sources = all.filter(isToolSource);
  const tools = all.filter((tool): tool is Tool => !isToolSource(tool) && tool.name !== SUBAGENT);
  if (wanted === undefined) return [...tools, ...sources];
  const chosen = sources.filter(({ group }) => wanted.includes(group));
  const groups = new Set(chosen.map(({ group }) => group));
  const found = resolveTools(
    tools,
    wanted.filter((entry) => !groups.has(entry)),
  );
  if (found.unknown.length > 0)
    throw new RoleZeroError(
      'invalid',
      `\`tools\` of subagents() names ${found.unknown.join(', ')}, which ${name} does not have.`,
      { unknown: found.unknown },
    );
  return [...found.tools, ...chosen];
}

/** Returns what is left of the budget of the current turn. */
function remainingBudget(agent: Agent): Budget {
  const { approvals } = agent;
  const { budget } = agent.fixed;
  const { rounds } = approvals.budget ?? NO_GRANT;
  const spent = agent.turn().usage;
  return mapBudget(budget ?? {}, (limit, measure) => Math.max(0, limit * rounds - spent[measure]));
}

function smallerBudget(one: Budget, other: Budget): Budget {
  return { ...one, ...mapBudget(other, (limit, measure) => Math.min(limit, one[measure] ?? Infinity)) };
}

function addSpending(one: Spending, other: Spending): Spending {
  return { ...one, ...mapBudget(one, (amount, measure) => amount + other[measure]) };
}

function mapBudget(budget: Budget, change: (limit: number, measure: keyof Budget) => number): Budget {
  const measures = Object.keys(budget) as (keyof Budget)[];
  return Object.fromEntries(
    measures.map((measure) => [measure, change(budget[measure] ?? Infinity, measure)]),
  );
}

type RowSource = Pick<RoleContext, 'load' | 'read'>;
type StoredRow = { key: string; value: unknown };

/** Tables with rows `<role>/<…>`. */
const ROLE_TABLES = ['tools', 'messages', 'turns', 'steps', 'inbox'] as const satisfies readonly Table[];

/** Returns what is stored of a sub-agent; null when nothing is. */
async function loadSubagent(
  context: RowSource,
  name: string,
): Promise<(RoleSnapshot & MemorySnapshot) | null> {
  const [state] = (await context.read?.('roles', [name])) ?? [];
  if (state === undefined) return null;
  const [approvals] = (await context.read?.('approvals', [approvalsKey(name)])) ?? [];
  const [tools, inbox, messages, turns] = await Promise.all(
    (['tools', 'inbox', 'messages', 'turns'] as const).map((table) => loadRoleRows(context, table, name)),
  );
  return {
    state: state.value,
    approvals: approvals?.value,
    tools: tools ?? [],
    inbox: inbox ?? [],
    messages: messages ?? [],
    turns: turns ?? [],
  };
}

/** Returns the records of the steps of a sub-agent. */
async function loadSteps(context: RowSource, name: string): Promise<StepTrace[]> {
  return (await loadRoleRows(context, 'steps', name)).map(({ value }) => value as StepTrace);
}

/** Returns the writes that remove a sub-agent, and those of its caller that were given up before their end. */
async function removals({ name, context }: Agent, sub: string): Promise<Write[]> {
  const roles = context.bus?.members.map((member) => member.name) ?? [];
  const stored = (await context.load?.('roles', { from: `${name}>`, before: `${name}?` })) ?? [];
  const names = new Set([sub, ...stored.map(({ key }) => key).filter((key) => !roles.includes(key))]);
  const writes = await Promise.all([...names].map((each) => removalsOf(context, each)));
  return writes.flat();
}

async function removalsOf(context: RowSource, name: string): Promise<Write[]> {
  const rows = await Promise.all(
    ROLE_TABLES.map(async (table) =>
      (await loadRoleRows(context, table, name)).map(({ key }): Write => ({ table, key, value: undefined })),
    ),
  );
  return [
    { table: 'roles', key: name, value: undefined },
    { table: 'approvals', key: approvalsKey(name), value: undefined },
    ...rows.flat(),
  ];
}

async function loadRoleRows({ load }: RowSource, table: Table, name: string): Promise<StoredRow[]> {
  const range: KeyRange = { from: `${name}/`, before: `${name}0` }; // `0` comes after `/`
  return (await load?.(table, range)) ?? [];
}
