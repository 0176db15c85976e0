import type { SessionExport } from '../../../src/core/store.js';
import type { MixedClient } from './world.js';

export type Snapshot = Record<string, unknown>;

/** Returns everything that a client shows of a session at rest. Shared memories have no order that is the same for all sessions. */
export async function snapshotOf(client: MixedClient, roles: readonly string[]): Promise<Snapshot> {
  const { files, notes, memory } = client;
  const ofRoles = async (read: (role: string) => Promise<unknown>): Promise<unknown[]> =>
    Promise.all(roles.map(read));
  const [all, history, notesNow, memories, inspection, usage, messages, plans, steps] = await Promise.all([
    files.readAll(),
    files.history(),
    notes.list(),
    memory.list({ limit: 100_000 }),
    client.inspect(),
    client.usage(),
    ofRoles((role) => client.messages(role)),
    ofRoles((role) => client.plan(role)),
    ofRoles((role) => client.steps(role)),
  ]);
  return {
    messages,
    plans,
    steps,
    usage,
    inspection,
    files: all.map(({ content, ...info }) => ({ ...info, bytes: content && String(content) })),
    history,
    notes: notesNow,
    memories: memories.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    waiting: client.waiting,
    resumable: client.resumable,
    lastRun: client.lastRun && { ...client.lastRun, error: null },
  };
}

/** Returns where two values differ, or null. `undefined` equals an absent property. */
export function differs(one: unknown, other: unknown, place = ''): string | null {
  if (Object.is(one, other)) return null;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return `${place}: ${short(one)} became ${short(other)}`;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length)
    return `${place}: ${one.length} became ${other.length} entries, ${short(one.at(-1))} became ${short(other.at(-1))}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differs(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
      `${place}.${key}`,
    );
    if (found !== null) return found;
  }
  return null;
}

/** The parts of a document that must be the same in a copy. */
export function contentOf({ records, random, createdAt, version }: SessionExport): unknown {
  return {
    records: Object.fromEntries(records.map(({ table, key, value }) => [`${table} ${key}`, value])),
    random,
    createdAt,
    version,
  };
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
