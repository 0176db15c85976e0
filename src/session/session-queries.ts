import { RoleZeroError } from '../core/error.js';
import type { StepTrace, Usage } from '../core/events.js';
import { messageFromRecord, type MessageData, type MessageQuery } from '../core/message.js';
import type { KeyRange, SessionStore, Table } from '../core/store.js';
import { readRowKey, rowKey } from '../agent/runtime/journal.js';
import type { TeamRole } from '../agent/runtime/work.js';
import type { Account, Budget, Grant } from '../agent/policy/budget.js';

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
export async function storedSteps(store: SessionStore, role: string, last?: number): Promise<StepTrace[]> {
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
