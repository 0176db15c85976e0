import { isRecord } from '../base/json.js';
import type { Table } from '../base/store.js';

/** Keys of answers that allowed something, and told nothing else. */
const LEAVE = /^(approve|again|many|continue|budget):/;

/**
 * A record of an imported session without what a person is said to have allowed, undefined where nothing is left: a document may come from
 * anybody, and what is in it has not been said to us. Questions are open again; what was allowed for the session or the requirement, its
 * commands or what may be spent, is asked about anew.
 */
export function withoutLeave(table: Table, key: string, value: unknown): unknown {
  if (table === 'team' && key === 'budget') return undefined;
  if (!isPlain(value)) return value;
  if (table === 'questions') return without(value, 'answer');
  if (table !== 'roles') return value;
  const { reaction, ...state } = without(value, 'grants');
  if (!isRecord(reaction)) return 'reaction' in value ? { ...state, reaction } : state;
  const { answers, approvedAt: _, grant: __, ...rest } = without(reaction, 'grants');
  const others = isRecord(answers)
    ? Object.fromEntries(Object.entries(answers).filter(([key]) => !LEAVE.test(key)))
    : answers;
  return { ...state, reaction: { ...rest, ...(answers === undefined ? {} : { answers: others }) } };
}

/** Bytes, maps and the like are no such record, and stay what they are. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function without(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = value;
  return rest;
}
