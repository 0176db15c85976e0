/** The answers of a user to an approval request, as text: they are stored and sent like any answer. */
import { isRecord, type JsonValue } from '../../core/json.js';
import { LIFETIMES, type Lifetime } from './policy.js';

/** What the user decided. */
export type PermissionAnswer =
  | {
      isYes: true;
      /** Undefined: as long as is offered. */ lifetime?: Lifetime;
      args?: Record<string, JsonValue>;
    }
  | { isYes: false; reason: string };

/** Begins an answer with other arguments. */
const EDITED = 'edited ';
/** Maximum characters of a reason that the model reads. */
const MAX_REASON = 2_000;

/**
 * Reads an answer: `yes`, `once`, `run`, or `session`; `edited {…}` with other arguments, for once; everything else is a no, and a reason
 * unless it says only `no`.
 */
export function readAnswer(answer: string): PermissionAnswer {
  const text = answer.trim();
  const word = text.toLowerCase();
  if (word === 'yes') return { isYes: true };
  const lifetime = LIFETIMES.find((each) => each === word);
  if (lifetime !== undefined) return { isYes: true, lifetime };
  if (text.startsWith(EDITED)) {
    const args = argumentsIn(text.slice(EDITED.length));
    return args === null ? { isYes: false, reason: '' } : { isYes: true, lifetime: 'once', args };
  }
  const reason = text.replace(/^no(?![\p{L}\p{N}])[\s:,.!-]*/iu, '').slice(0, MAX_REASON);
  return { isYes: false, reason };
}

function argumentsIn(text: string): Record<string, JsonValue> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as Record<string, JsonValue>) : null;
  } catch {
    return null;
  }
}
