/** The time is part of prompts, which are stored as hashes; the turns show whether they were the same. */
const TIMES = new Set(['createdAt', 'startedAt', 'durationMs', 'at', 'updatedAt', 'promptHash']);
const ID = /[0-9a-f]{32}/g;

/**
 * Returns where two final states differ, or null. Times may differ, and ids as long as they map one to one, and
 * requests that a role sends only after an interruption.
 */
export function difference(expected: unknown, found: unknown): string | null {
  const differs = differing(expected, found, '', new Map());
  return differs && `${differs.place}: ${short(differs.expected)} became ${short(differs.found)}`;
}

/** Returns where two values differ, with both values. */
interface Differs {
  place: string;
  expected: unknown;
  found: unknown;
}

/** `name` describes the kind of value. */
function differing(
  expected: unknown,
  found: unknown,
  name: string,
  ids: Map<string, string>,
): Differs | null {
  if (expected === found && typeof expected !== 'object') return null; // Ids are random: two runs never share one.
  const differs: Differs = { place: '', expected, found };
  if (typeof expected === 'string' && typeof found === 'string')
    return sameText(expected, found, ids) ? null : differs;
  if (typeof expected !== 'object' || typeof found !== 'object' || expected === null || found === null)
    return expected === found ? null : differs;
  if (Array.isArray(expected) || Array.isArray(found)) {
    if (!Array.isArray(expected) || !Array.isArray(found) || expected.length !== found.length) return differs;
    for (let at = 0; at < expected.length; at++) {
      const within = differing(expected[at], found[at], '', ids);
      if (within !== null) return { ...within, place: `.${at}${within.place}` };
    }
    return null;
  }
  const own = namesOf(expected, name);
  const other = namesOf(found, name);
  if (own.length !== other.length) return differs;
  for (let at = 0; at < own.length; at++) {
    const key = own[at] ?? '';
    const otherKey = other[at] ?? '';
    if (key !== otherKey && !sameText(key, otherKey, ids)) return differs;
    const within = differing(
      (expected as Record<string, unknown>)[key],
      (found as Record<string, unknown>)[otherKey],
      key,
      ids,
    );
    if (within !== null) return { ...within, place: `.${key}${within.place}` };
  }
  return null;
}

/** Names of the compared values. */
function namesOf(value: object, name: string): string[] {
  const part = value as Record<string, unknown>;
  return Object.keys(value).filter(
    (key) => part[key] !== undefined && !TIMES.has(key) && !(name === 'answers' && key.startsWith('again:')),
  );
}

function sameText(expected: string, found: string, ids: Map<string, string>): boolean {
  if (expected.length !== found.length) return false;
  const own = expected.match(ID);
  const other = found.match(ID);
  if (own === null || other === null || own.length !== other.length) return false;
  for (const [index, id] of own.entries()) {
    const known = ids.get(id);
    if (known === undefined) ids.set(id, other[index] ?? '');
    else if (known !== other[index]) return false;
  }
  return expected.replace(ID, '#') === found.replace(ID, '#');
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
