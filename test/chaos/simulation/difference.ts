/** The time stands in prompts, of which only the hash is kept; the turns tell whether they were the same. */
const TIMES = new Set(['createdAt', 'startedAt', 'durationMs', 'at', 'updatedAt', 'promptHash']);
const ID = /[0-9a-f]{32}/g;

/**
 * Where two histories ended differently, or null. Times may differ, ids as long as each stands for the same one everywhere, and so may
 * what only an interruption makes a role ask.
 */
export function difference(expected: unknown, found: unknown): string | null {
  return differing(expected, found, '', new Map());
}

function differing(
  expected: unknown,
  found: unknown,
  place: string,
  ids: Map<string, string>,
): string | null {
  if (typeof expected === 'string' && typeof found === 'string')
    return sameText(expected, found, ids) ? null : told(place, expected, found);
  if (typeof expected !== 'object' || typeof found !== 'object' || expected === null || found === null)
    return expected === found ? null : told(place, expected, found);
  const own = parts(expected, place);
  const other = parts(found, place);
  if (own.length !== other.length) return told(place, expected, found);
  for (const [index, [key, value]] of own.entries()) {
    const [otherKey, otherValue] = other[index] ?? ['', undefined];
    if (!sameText(key, otherKey, ids)) return told(place, expected, found);
    const difference = differing(value, otherValue, `${place}.${key}`, ids);
    if (difference !== null) return difference;
  }
  return null;
}

function parts(value: object, place: string): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  const isAnswers = place.endsWith('.answers');
  return Object.entries(value).filter(
    ([key, part]) => part !== undefined && !TIMES.has(key) && !(isAnswers && key.startsWith('again:')),
  );
}

function sameText(expected: string, found: string, ids: Map<string, string>): boolean {
  if (expected === found) return true; // ids are random: two histories never share one
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

function told(place: string, expected: unknown, found: unknown): string {
  return `${place}: ${short(expected)} became ${short(found)}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
