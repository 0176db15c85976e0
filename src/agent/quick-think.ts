import { isRecord } from '../core/json.js';
import { parseCommands } from './parse/commands.js';
import type { Agent } from './runtime/agent.js';
import { converse, isDirect } from './runtime/converse.js';
import { withoutEnvelope } from '../core/envelope.js';
import { doesWork } from '../core/role-command-names.js';
import { readJsonReply } from './parse/reply.js';
import { withoutThinking } from './parse/thinking.js';
import { requestCategory, type Category } from './prompt/request-category.js';

const FIELD = /response\s+category\W*(QUICK|SEARCH|TASK|AMBIGUOUS)\b/gi;
const WORD = /\b(QUICK|SEARCH|TASK|AMBIGUOUS)\b/gi;

/** Returns the category in the `Response Category:` field, or the last category in the text, or `TASK`. */
export function parseCategory(reply: string): Category {
  const named = [...reply.matchAll(FIELD)].at(-1) ?? [...reply.matchAll(WORD)].at(-1);
  return (named?.[1]?.toUpperCase() as Category | undefined) ?? 'TASK';
}

/** Returns a direct answer without the routing envelope that models copy; empty when the reply contains commands: the request needs work. */
function quickAnswer(reply: string): string {
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

/** Words of a reply that announces work, or only says what kind of request it is. */
const ANNOUNCES =
  /\bresponse category\b|\b(?:I['’]ll|I will|let me|I['’]m going to|I am going to)\b|我将|我会|让我/i;
/** Minimum characters of an answer in prose; shorter replies are remarks such as "ok". */
const MIN_ANSWER = 6;

/**
 * Returns a reply in prose that names no command and announces no work: the answer to a request for which nothing has to be done. Null for any
 * other reply.
 */
export function answerInProse(agent: Agent, reply: string): string | null {
  const text = withoutEnvelope(withoutThinking(reply)).trim();
  const hasCommand = ['command_name', ...agent.registry.names.filter((name) => name.includes('.'))].some(
    (name) => text.includes(name),
  );
  return text.length < MIN_ANSWER || hasCommand || ANNOUNCES.test(text) || /^[[{]/.test(text) ? null : text;
}

/** Returns whether the role has commands that any request may need. Only the model can tell whether a question needs one of them. */
function hasOtherCommands({ registry }: Agent): boolean {
  return registry.tools.some(({ name, hints }) => doesWork(name) && hints?.neededFor === undefined);
}

function canSearch({ registry }: Agent): boolean {
  return registry.tools.some(({ hints }) => hints?.neededFor === 'search');
}

/** Returns a direct answer to a request that needs no work, or null. */
export async function quickThink(agent: Agent): Promise<string | null> {
  const turn = agent.turn();
  const { prompts } = agent.settings;
  if (turn.category === null) {
    // In the merged call plan a rule decides, or else the first reply of the work itself.
    const isMerged = agent.settings.callPlan === 'merged';
    const request = withoutEnvelope(turn.request?.content ?? '');
    const byRule = isMerged ? requestCategory(request, canSearch(agent)) : null;
    if (isMerged && byRule === null) return null;
    if (isMerged && byRule !== 'TASK' && hasOtherCommands(agent)) return null;
    agent.enter('classifying');
    const ask = () =>
      converse(agent, { purpose: 'classify', key: 'classify', request: () => prompts.classify });
    turn.category = byRule ?? parseCategory(await ask());
  }
  if (turn.category === 'TASK' || isDirect(agent)) return null;
  // A role with a search tool searches as part of its work.
  if (turn.category === 'SEARCH' && canSearch(agent)) return null;
  const reply = await converse(agent, { purpose: 'quick', key: 'quick', request: () => prompts.quickAnswer });
  // Some servers ignore that no command may be called here: the words beside a call are a thought, no answer.
  const answer = turn.replies['quick']?.calls === undefined ? quickAnswer(reply) : '';
  if (answer !== '') return answer;
  turn.category = 'TASK';
  return null;
}
