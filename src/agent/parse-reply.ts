import { completeCommands } from './commands/complete-commands.js';
import { occursInResults, occursInUntrusted, QUOTED_WINDOW } from './commands/quoted-commands.js';
import { restoreEscapes } from './commands/restored-escapes.js';
import { readCalls } from './parse/calls.js';
import { EXPECTED, parseCommands, type ParsedReply } from './parse/commands.js';
import { fill } from './prompt/template.js';
import type { Agent } from './runtime/agent.js';
import { describeLimit, type OutputLimit } from './runtime/output-limit.js';
import type { StoredReply } from './runtime/turn.js';

/**
 * Reads a reply with what the role knows: its commands, the results in its memory, and the example in its prompt. Leaves out an incomplete
 * command and those after it, and restores backslashes; `notes` of the result say so.
 */
export function parseReply(agent: Agent, { text, limit, calls }: StoredReply): ParsedReply {
  const { registry, memory, settings, name } = agent;
  const meant = (written: string) =>
    registry.has(written) ? written : (registry.meant(written)?.name ?? null);
  if (calls !== undefined) {
    const nameOf = (written: string) => meant(agent.shownTools.native().commandOf(written)) ?? written;
    return withoutIncomplete(agent, readCalls(calls, nameOf), limit);
  }
  const { stage } = agent.turn();
  let others: readonly string[] | undefined; // long, and most replies ask for them once or not at all
  // Who remembers untrusted content has its sources.
  const isUntrusted = (block: string): boolean =>
    agent.state.untrusted !== undefined &&
    occursInUntrusted(block, memory.get(QUOTED_WINDOW), () => (others ??= untrustedTexts(agent)));
  const parsed = parseCommands(text, {
    commandName: meant,
    hasRead: (block) => occursInResults(block, memory.get(QUOTED_WINDOW)) || isUntrusted(block),
    hasReadUntrusted: isUntrusted,
    isAskedAgain: stage.name === 'think' && stage.unreadableReplies > 0,
    example: () => {
      const example = parseCommands(fill(settings.prompts.replyFormat, { name, exclusive: '' }));
      return example.ok ? example.commands : [];
    },
  });
  if (parsed.ok) return withoutIncomplete(agent, parsed, limit);
  if (limit !== null) return { ...parsed, error: cutOffAdvice(agent, limit), isReadable: true };
  const { hasSchema, hasTools } = agent.form;
  return hasSchema || hasTools ? { ...parsed, error: parsed.error.replace(EXPECTED, '').trim() } : parsed;
}

/** Returns untrusted texts in the prompt that are no messages, such as the view of a page, or the descriptions of foreign tools. */
function untrustedTexts({ parts }: Agent): string[] {
  return parts.flatMap((part) => part.untrusted?.() ?? []);
}

/** Returns how to write what is too long for one reply, as the end of a sentence. */
function inParts({ registry }: Agent): string {
  const [first, next] = [registry.forFile('write'), registry.forFile('append')];
  return first === undefined || next === undefined
    ? 'a long text in parts.'
    : `a long file in parts, the first with ${first}, the rest with ${next}.`;
}

function withoutIncomplete(
  agent: Agent,
  parsed: Extract<ParsedReply, { ok: true }>,
  limit: OutputLimit | null,
): ParsedReply {
  const { commands, advice } = completeCommands(parsed, agent.registry);
  const error = advice === null ? null : incompleteAdvice(agent, advice, limit);
  if (error !== null && commands.length === 0) return { ok: false, error, text: '', isReadable: true };
  const { commands: restored, notes } = restoreEscapes(commands);
  return {
    ...parsed,
    commands: restored,
    repaired: parsed.repaired || notes.length > 0,
    notes: error === null ? notes : [error, ...notes],
  };
}

/** Returns what a model reads about its incomplete commands. */
function incompleteAdvice(agent: Agent, advice: string, limit: OutputLimit | null): string {
  return limit === null
    ? `${advice} Send it again, whole. Write ${inParts(agent)}`
    : `${cutOffAdvice(agent, limit)} ${advice}`;
}

/** Returns advice for a model whose reply was cut off. */
function cutOffAdvice(agent: Agent, limit: OutputLimit): string {
  if (limit.from === 'repetition')
    return `Your reply ${describeLimit(limit)}. What was not complete was not run. Write it once, and less.`;
  const what = limit.tokens === 0 ? 'was cut off at its length limit' : describeLimit(limit);
  return limit.isEmpty
    ? `Your reply ${what}, so no command was run. Think less, and write less at a time: ${inParts(agent)}`
    : `Your reply ${what}; its last, incomplete command was not run. Write less at a time: ${inParts(agent)}`;
}
