import { RoleZeroError } from '../core/error.js';
import type { StepTrace, Usage } from '../core/events.js';
import { messageFromRecord, type MessageData, type MessageQuery } from '../core/message.js';
import type { SessionSpace } from '../core/space.js';
import type { KeyRange, SessionStore } from '../core/store.js';
import { readRowKey, rowKey } from '../agent/runtime/journal.js';
import type { TeamRole } from '../agent/runtime/team-role.js';

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
  const rows = await store.load('messages', rowsOf(role), last);
  const own = rows.filter(({ key }) => readRowKey(key).owner === role);
  if (own.length < rows.length) return null; // a role name may contain another role's name
  return own
    .slice(own.length - Math.min(last, own.length))
    .map(({ value }) => messageFromRecord(value).toData());
}

/** Reads the stored steps of a role, oldest first; with `last`, the newest of them. */
export async function storedSteps(
  store: SessionStore,
  role: string,
  last: number | undefined,
): Promise<StepTrace[]> {
  const ownOf = (rows: Awaited<ReturnType<SessionStore['load']>>): StepTrace[] =>
    rows.filter(({ key }) => readRowKey(key).owner === role).map(({ value }) => value as StepTrace);
  const rows = await store.load('steps', rowsOf(role), last);
  const own = ownOf(rows);
  const all = own.length < rows.length ? ownOf(await store.load('steps', rowsOf(role))) : own; // a role name may contain another role's name
  return last === undefined ? all : all.slice(Math.max(0, all.length - last));
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

/** Returns the size of the older memories of all roles that could be removed. */
export function freeableMemories(roles: readonly TeamRole[]): SessionSpace['memories'] {
  const memories: SessionSpace['memories'] = { count: 0, characters: 0, oldest: null, pinned: 0 };
  for (const { agent } of roles) {
    const longTermMemory = agent.longTerm;
    if (longTermMemory === null) continue;
    const { count, characters, oldest, pinned } = longTermMemory.freeable;
    memories.count += count;
    memories.characters += characters;
    memories.pinned += pinned;
    if (oldest !== null) memories.oldest = Math.min(memories.oldest ?? oldest, oldest);
  }
  return memories;
}

/** Returns the key range of a role's rows. */
function rowsOf(name: string): KeyRange {
  return { from: rowKey(name, 0), before: `${name}/~` }; // sorts after all digits
}
