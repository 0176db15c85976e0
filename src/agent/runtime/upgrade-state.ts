import { defined } from '../../core/defined.js';
import { isRecord } from '../../core/json.js';
import { newTurn, type Stage, type Turn } from './turn.js';

/**
 * Upgrades a stored role state from version 1 to 2. Version 1 had one bag of fields for all stages, and the permissions of the user among
 * the answers. Permissions are not taken over: the user is asked again. The result is not checked yet.
 */
export function upgradeState(stored: Record<string, unknown>): Record<string, unknown> {
  const { reaction, state, untold, grants: _, ...rest } = stored;
  return {
    ...rest,
    version: 2,
    ...defined({
      actionIndex: state,
      unread: untold,
      turn: isRecord(reaction) ? upgradeTurn(reaction) : reaction,
    }),
  };
}

/** Moves what earlier releases stored of parts beside them into the data of the parts. */
export function upgradeParts(stored: Record<string, unknown>): Record<string, unknown> {
  const { sentNotes, recalled, sharedMessages, parts, sent, ...rest } = stored;
  const { files, page, ...status } = isRecord(sent) ? sent : {};
  const isOld = [sentNotes, recalled, sharedMessages, files, page].some((value) => value !== undefined);
  if (!isOld) return stored;
  const memories = { ...(isRecord(recalled) ? recalled : {}), ...defined({ stored: sharedMessages }) };
  return {
    ...rest,
    sent: status,
    parts: {
      ...(isRecord(sentNotes) ? { notes: sentNotes } : {}),
      ...(Object.keys(memories).length === 0 ? {} : { memories }),
      ...(files === undefined ? {} : { files: { upTo: files } }),
      ...(page === undefined ? {} : { tools: { Browser: page } }),
      ...(isRecord(parts) ? parts : {}),
    },
  };
}

/** Fields that are missing take their initial values; earlier releases did not store all of them. */
function upgradeTurn(old: Record<string, unknown>): Record<string, unknown> {
  const fresh = newTurn('', null, { name: 'classify' });
  const step = old['totalSteps'] ?? old['steps'] ?? 0;
  const replies: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(isRecord(old['replies']) ? old['replies'] : {}))
    replies[key] = { text, limit: key.startsWith('think:') && old['cut'] === true ? limitOf(old) : null };
  // The reply was chosen and not read yet. Where its question was stored as well, that one counts.
  const { commandReply } = old;
  const key = `think:${Number(step)}`;
  if (typeof commandReply === 'string' && !(key in replies))
    replies[key] = { text: commandReply, limit: old['cut'] === true ? limitOf(old) : null };
  return {
    ...fresh,
    id: old['id'],
    request: old['trigger'] ?? null,
    stage: stageOf(old),
    category: old['intent'] ?? null,
    step,
    limitFrom: Number(step) - Number(old['steps'] ?? step),
    usage: { ...fresh.usage, ...(isRecord(old['usage']) ? old['usage'] : {}) },
    userReply:
      old['replied'] === true ? { text: old['reply'] ?? '', step: old['repliedAt'] ?? -1 } : fresh.userReply,
    hasConsulted: old['conferred'] ?? false,
    lastOutput: old['outputs'] ?? '',
    replies,
    answers: answersOf(old['answers']),
    trace: old['trace'] ?? fresh.trace,
    ...defined({ offered: old['offered'], experience: old['experience'] }),
  } satisfies Partial<Record<keyof Turn, unknown>>;
}

function stageOf(old: Record<string, unknown>): Record<keyof Stage, unknown> & Record<string, unknown> {
  const ended = { kind: 'ended', summary: old['summary'] ?? '' };
  const ending = old['ended'] === true ? ended : old['paused'] === true ? { kind: 'paused' } : null;
  const { batch } = old;
  if (isRecord(batch)) {
    const { commands, results, intent, again, stopped } = batch;
    const attempt = typeof intent === 'string' ? { callId: intent, retries: again ?? 0 } : null;
    return { name: 'act', commands, results, attempt, isStopped: stopped, ending };
  }
  if (ending !== null) return { name: 'finish', ending };
  if (old['chosen'] === true) return { name: 'procedure', isActionChosen: true };
  if (typeof old['commandReply'] === 'string' || old['prepared'] === true)
    return { name: 'think', unreadableReplies: Number(old['unreadable'] ?? 0) };
  return { name: 'classify' };
}

function limitOf({ limit }: Record<string, unknown>): unknown {
  return limit ?? { tokens: 0, from: 'server', isEmpty: false };
}

/** Answers to questions of the model; permissions had keys with these prefixes. */
function answersOf(answers: unknown): Record<string, unknown> {
  const entries = Object.entries(isRecord(answers) ? answers : {});
  return Object.fromEntries(entries.filter(([key]) => !/^(approve|again|many|continue|budget):/.test(key)));
}
