import { RoleZeroError } from '../core/error.js';
import type { StepTrace, Usage, RunResult, TaskData } from '../core/events.js';
import { messageFromRecord, type MessageData, type MessageQuery, QUICK_THINK } from '../core/message.js';
import type { KeyRange, SessionStore, Table } from '../core/store.js';
import type { Account, Budget, Grant } from '../agent/policy/budget.js';
import { readRowKey, rowKey } from '../agent/runtime/journal.js';
import type { Outcome } from '../agent/runtime/outcome.js';
import type { TeamRole } from '../agent/runtime/work.js';

/** Returns what a role remembers, in order. @throws RoleZeroError `not-found` when the message `before` is not among it. */
export function rememberedMessages({ agent }: TeamRole, { last, before }: MessageQuery): MessageData[] {
  const all = agent.memory.storage;
  const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
  if (end < 0) throw new RoleZeroError('not-found', `There is no stored message ${before}.`, { before });
  return all.slice(last === undefined ? 0 : Math.max(0, end - last), end).map((message) => message.toData());
}

/** Reads the newest stored messages of a role. Returns null when the range of keys contains rows of another role, too. */
export async function newestMessages(
  store: SessionStore,
  role: string,
  last: number,
): Promise<MessageData[] | null> {
  const { own, hasOthers } = await loadRoleRows(store, 'messages', role, last);
  if (hasOthers) return null;
  return own.slice(Math.max(0, own.length - last)).map(({ value }) => messageFromRecord(value).toData());
}

/** Reads the stored steps of a role, oldest first; with `last`, the newest of them. */
export async function loadSteps(store: SessionStore, role: string, last?: number): Promise<StepTrace[]> {
  const newest = await loadRoleRows(store, 'steps', role, last);
  const { own } = newest.hasOthers ? await loadRoleRows(store, 'steps', role) : newest;
  return own
    .slice(last === undefined ? 0 : Math.max(0, own.length - last))
    .map(({ value }) => value as StepTrace);
}

/** Returns the model calls, tokens, and cost of all roles together. */
export function totalUsage(roles: readonly TeamRole[]): Usage {
  const total: Usage = {
    calls: 0,
    promptTokens: 0,
    completionTokens: 0,
    cachedPromptTokens: 0,
    costUsd: 0,
  };
  for (const { agent } of roles) {
    for (const key of Object.keys(total) as (keyof Usage)[]) total[key] += agent.state.usage[key];
  }
  return total;
}

/**
 * Reads the newest `last` rows in the key range of a role. A role name may contain another role's name, so the range may contain rows of
 * others.
 */
async function loadRoleRows(store: SessionStore, table: Table, role: string, last?: number) {
  const range: KeyRange = { from: rowKey(role, 0), before: `${role}/~` }; // sorts after all digits
  const rows = await store.load(table, range, last);
  const own = rows.filter(({ key }) => readRowKey(key).owner === role);
  return { own, hasOthers: own.length < rows.length };
}

/** Returns the budget of a session with what its roles have spent. `decide` stores what the user allows beyond it. */
export function sessionAccount(
  budget: Budget,
  grant: Grant,
  roles: readonly TeamRole[],
  decide: (grant: Grant) => void,
): Account {
  const { calls, promptTokens, completionTokens, costUsd } = totalUsage(roles);
  const ms = roles.reduce((sum, role) => sum + role.agent.state.modelMs, 0);
  return {
    whose: 'session',
    budget,
    spent: { calls, tokens: promptTokens + completionTokens, usd: costUsd, ms },
    grant,
    advice: 'Raise the budget of the team, then resume.',
    decide,
  };
}

/** Maximum number of tasks in a summary, and of characters of each. */
const MAX_TASKS = 10;
const MAX_INSTRUCTION = 200;

/**
 * Returns the result of the last run, or null before the first run. It is derived from the roles alone, so that it is the same after a
 * reload. In a team the summary names unfinished tasks, unless the result is for somebody other than the user. A run that ended before other roles finished their tasks is not `done`.
 *
 * @param asked the role that the user addressed
 * @param result result of the last turn; default: how it was interrupted, else the result of the asked role
 */
export function runResult(
  roles: readonly TeamRole[],
  asked: TeamRole,
  result = lastOf(roles, asked),
): RunResult | null {
  if (result === null || roles.length === 1 || asked.agent.state.senders !== undefined) return result;
  const answeredAtOnce = asked.agent.memory.getByPosition(-1)?.causeBy === QUICK_THINK;
  const left = asked.agent.state.plan.tasks.filter((task) => !task.isFinished);
  if (left.length === 0 || answeredAtOnce) return result;
  const handedOn = left.some((task) => task.assignee !== asked.name);
  return {
    ...result,
    status: result.status === 'done' && handedOn ? 'exhausted' : result.status,
    summary: [result.summary, unfinished(left)].filter((part) => part !== '').join('\n\n'),
  };
}

/** Returns the result of a run after its last turn. `outcome` is null when no role had work. */
export function resultAfter(outcome: Outcome | null, roles: readonly TeamRole[], asked: TeamRole): RunResult {
  const nothing: RunResult = { status: 'done', summary: '', error: null };
  if (outcome === null) return (roles.length === 1 ? null : runResult(roles, asked)) ?? nothing;
  const { message: _, ...rest } = outcome;
  const { status } = rest;
  const own: RunResult = { ...rest, error: rest.error?.toData() ?? null };
  const result = runResult(roles, asked, roles.length === 1 || status === 'failed' ? own : undefined) ?? own;
  // The text of a question is for the user, not for another sender.
  const isForOthers = asked.agent.state.senders !== undefined;
  return isForOthers && result.status === 'waiting' ? { ...result, summary: '' } : result;
}

/** Returns null while work is in progress that was not interrupted: a worker that was killed could not record it. */
function lastOf(roles: readonly TeamRole[], asked: TeamRole): RunResult | null {
  const busy = roles.filter((role) => role.agent.isBusy);
  if (busy.length === 0) return asked.agent.state.lastResult;
  const results = busy.flatMap(({ agent }) => (agent.isResumable ? (agent.state.lastResult ?? []) : []));
  return results.find(({ status }) => status !== 'waiting') ?? results[0] ?? null; // the run ends with the first failure
}

function unfinished(tasks: readonly TaskData[]): string {
  const named = tasks.slice(0, MAX_TASKS).map(({ taskId, assignee, instruction }) => {
    const short =
      instruction.length > MAX_INSTRUCTION ? `${instruction.slice(0, MAX_INSTRUCTION)}…` : instruction;
    return `task ${taskId} (${assignee}): ${short}`;
  });
  const more = tasks.length > MAX_TASKS ? `; and ${tasks.length - MAX_TASKS} more` : '';
  return `Not finished: ${named.join('; ')}${more}. The work can be continued.`;
}
