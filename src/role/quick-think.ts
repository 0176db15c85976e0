import { isRecord } from '../base/json.js';
import { parseCommands } from '../agent/parse/commands.js';
import { withoutEnvelope } from './envelope.js';
import { readJsonReply } from '../agent/parse/reply.js';

/** Category of a request. */
export type Category = 'QUICK' | 'SEARCH' | 'TASK' | 'AMBIGUOUS';

const FIELD = /response\s+category\W*(QUICK|SEARCH|TASK|AMBIGUOUS)\b/gi;
const WORD = /\b(QUICK|SEARCH|TASK|AMBIGUOUS)\b/gi;

/** Returns the category in the `Response Category:` field, or the last category in the text, or `TASK`. */
export function parseCategory(reply: string): Category {
  const named = [...reply.matchAll(FIELD)].at(-1) ?? [...reply.matchAll(WORD)].at(-1);
  return (named?.[1]?.toUpperCase() as Category | undefined) ?? 'TASK';
}

/** Returns a direct answer without the routing envelope that models copy; empty when the reply contains commands. */
export function quickAnswer(reply: string): string {
  const text = withoutEnvelope(reply).trim();
  return text.includes('command_name') ? '' : text;
}

/**
 * Returns the `answer` in the first reply of the merged call plan; null when it has none, or has commands.
 */
export function answerInReply(reply: string): string | null {
  const parsed = parseCommands(reply);
  if (parsed.ok && parsed.commands.length > 0) return null;
  const read = readJsonReply(reply);
  if (!read.ok || !isRecord(read.value)) return null;
  const { answer } = read.value;
  return typeof answer === 'string' && answer.trim() !== '' ? answer.trim() : null;
}
