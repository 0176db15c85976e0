import { isRecord } from '../../core/json.js';

const MAX_QUERY = 500;

/** Returns the query of `{"query": …}`, or the original query for any other reply. */
export function rewrittenQuery(reply: string, original: string): string {
  const value = firstJson(reply, /\{[^{}]*\}/g);
  const query = isRecord(value) ? value['query'] : null;
  return typeof query === 'string' && query.trim() !== '' ? query.trim().slice(0, MAX_QUERY) : original;
}

/**
 * Returns which of `count` results to use, best first. Ignores invalid numbers. A reply without any valid number retains the engine's
 * order. An empty list selects no results.
 */
export function ranking(reply: string, count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  const value = firstJson(reply, /\[[^[\]]*\]/g);
  if (!Array.isArray(value)) return order;
  const chosen = (value as unknown[]).map((item) => (typeof item === 'string' ? Number(item) : item));
  const valid = chosen.filter((item): item is number => typeof item === 'number' && item in order);
  return valid.length === 0 && value.length > 0 ? order : [...new Set(valid)];
}

/** Returns the first match that is valid JSON, or undefined. */
function firstJson(text: string, pattern: RegExp): unknown {
  for (const [candidate] of text.matchAll(pattern)) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      continue;
    }
  }
  return undefined;
}
