/** The rows of a sub-agent: the same as those of a role, under a name of its own, and only until its result is stored. */
import type { StepTrace } from '../core/events.js';
import type { KeyRange, Table, Write } from '../core/store.js';
import { approvalsKey } from '../agent/policy/approvals.js';
import type { Agent } from '../agent/runtime/agent.js';
import type { RoleContext } from '../agent/runtime/context.js';
import type { MemorySnapshot, RoleSnapshot } from '../agent/runtime/state.js';

type Stored = Pick<RoleContext, 'load' | 'read'>;
type Row = { key: string; value: unknown };

/** Tables with rows `<role>/<…>`. */
const TABLES = ['tools', 'messages', 'turns', 'steps', 'inbox'] as const satisfies readonly Table[];

/** Returns what is stored of a sub-agent; null when nothing is. */
export async function loadSubagent(
  context: Stored,
  name: string,
): Promise<(RoleSnapshot & MemorySnapshot) | null> {
  const [state] = (await context.read?.('roles', [name])) ?? [];
  if (state === undefined) return null;
  const [approvals] = (await context.read?.('approvals', [approvalsKey(name)])) ?? [];
  const [tools, inbox, messages, turns] = await Promise.all(
    (['tools', 'inbox', 'messages', 'turns'] as const).map((table) => rowsOf(context, table, name)),
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
export async function storedSteps(context: Stored, name: string): Promise<StepTrace[]> {
  return (await rowsOf(context, 'steps', name)).map(({ value }) => value as StepTrace);
}

/** Returns the writes that remove a sub-agent, and those of its caller that were given up before their end. */
export async function removals({ name, context }: Agent, sub: string): Promise<Write[]> {
  const roles = context.bus?.members.map((member) => member.name) ?? [];
  const stored = (await context.load?.('roles', { from: `${name}>`, before: `${name}?` })) ?? [];
  const names = new Set([sub, ...stored.map(({ key }) => key).filter((key) => !roles.includes(key))]);
  const writes = await Promise.all([...names].map((each) => removalsOf(context, each)));
  return writes.flat();
}

async function removalsOf(context: Stored, name: string): Promise<Write[]> {
  const rows = await Promise.all(
    TABLES.map(async (table) =>
      (await rowsOf(context, table, name)).map(({ key }): Write => ({ table, key, value: undefined })),
    ),
  );
  return [
    { table: 'roles', key: name, value: undefined },
    { table: 'approvals', key: approvalsKey(name), value: undefined },
    ...rows.flat(),
  ];
}

async function rowsOf({ load }: Stored, table: Table, name: string): Promise<Row[]> {
  const range: KeyRange = { from: `${name}/`, before: `${name}0` }; // `0` comes after `/`
  return (await load?.(table, range)) ?? [];
}
