import { isRecord } from '../../base/json.js';

const MAX_QUERY = 500;

/** The query of `{"query": …}`; the original one when the reply is anything else. */
export function rewrittenQuery(reply: string, original: string): string {
  const value = firstJson(reply, /\{[^{}]*\}/g);
  const query = isRecord(value) ? value['query'] : null;
  return typeof query === 'string' && query.trim() !== '' ? query.trim().slice(0, MAX_QUERY) : original;
}

/**
 * Which of `count` results to use, best first. Numbers that name none are passed over; a reply without any that does leaves the
 * engine's order. An empty list means what it says.
 */
export function ranking(reply: string, count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  const value = firstJson(reply, /\[[^[\]]*\]/g);
  if (!Array.isArray(value)) return order;
  const chosen = (value as unknown[]).map((item) => (typeof item === 'string' ? Number(item) : item));
  const valid = chosen.filter((item): item is number => typeof item === 'number' && item in order);
  return valid.length === 0 && value.length > 0 ? order : [...new Set(valid)];
}

/** The first match that is JSON; undefined when none is. */
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
