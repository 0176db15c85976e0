import { isRecord } from '../base/json.js';
import { parseCommands } from '../agent/parse/commands.js';
import { withoutEnvelope } from './envelope.js';
import { readJsonReply } from '../agent/parse/reply.js';

/** What kind of request a message is (spec 6.6). */
export type Category = 'QUICK' | 'SEARCH' | 'TASK' | 'AMBIGUOUS';

const FIELD = /response\s+category\W*(QUICK|SEARCH|TASK|AMBIGUOUS)\b/gi;
const WORD = /\b(QUICK|SEARCH|TASK|AMBIGUOUS)\b/gi;

/** The `Response Category:` field in any case, else the last category named, else TASK. */
export function parseCategory(reply: string): Category {
  const named = [...reply.matchAll(FIELD)].at(-1) ?? [...reply.matchAll(WORD)].at(-1);
  return (named?.[1]?.toUpperCase() as Category | undefined) ?? 'TASK';
}

/** A direct answer without the routing envelope models like to copy; empty when it turned out to be commands after all. */
export function quickAnswer(reply: string): string {
  const text = withoutEnvelope(reply).trim();
  return text.includes('command_name') ? '' : text;
}

/**
 * What the first reply of the merged plan says when it needs no commands: its `answer`; null when there is none or the reply has
 * commands after all.
 */
export function answerInReply(reply: string): string | null {
  const parsed = parseCommands(reply);
  if (parsed.ok && parsed.commands.length > 0) return null;
  const read = readJsonReply(reply);
  if (!read.ok || !isRecord(read.value)) return null;
  const { answer } = read.value;
  return typeof answer === 'string' && answer.trim() !== '' ? answer.trim() : null;
}
