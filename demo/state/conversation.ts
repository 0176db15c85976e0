import type { AgentEvent, Command, ErrorData, MessageData, StepTrace } from 'rolezero';
import { isRecord } from './is-record.js';

/** The purpose of a model call. */
type Purpose = AgentEvent<'thought-end'>['purpose'];

/** One command of a step. `waiting`: its result is unknown, because it has not run yet or was interrupted. */
export interface ShownCommand extends Command {
  /** Null when it comes from the stored conversation. */
  callId: string | null;
  state: 'waiting' | 'running' | 'ok' | 'failed';
  output: string;
  /** Null when no page was connected. */
  durationMs: number | null;
}

/**
 * One entry of the conversation. Entries are immutable; a change creates a new object. The id is that of its message;
 * null for entries from events alone, and for a running step.
 */
export type Entry = { id: string | null } & Shown;
type Shown =
  | { kind: 'request'; text: string }
  | { kind: 'step'; role: string; thought: string; commands: readonly ShownCommand[] }
  | { kind: 'reply'; role: string; text: string }
  | { kind: 'recalled'; count: number }
  | Notice;

/** `advice`: key of the advice; by default the code. */
export interface Notice {
  kind: 'notice';
  tone: 'info' | 'warning' | 'error';
  code: string;
  text: string;
  advice?: string;
}

/** Text that a model is streaming. */
export interface Live {
  role: string;
  purpose: Purpose;
  /** The text for the user. */
  text: string;
  /** The complete reply with its commands. */
  reply: string;
  reasoning: string;
}

export interface Conversation {
  entries: readonly Entry[];
  live: Live | null;
}

export const emptyConversation: Conversation = { entries: [], live: null };

/** Purposes with thoughts and commands; others are asides that are not part of the stored conversation. */
const STEPS: readonly Purpose[] = ['think', 'regenerate'];

const LIVE_FIELDS = {
  'reply-delta': 'reply',
  'thought-delta': 'text',
  'reasoning-delta': 'reasoning',
} as const;

/** The stored conversation with one role, as shown after a reload. */
export function fromMessages(messages: readonly MessageData[], role = 'Zero'): Conversation {
  return { entries: storedEntries(messages, role), live: null };
}

/** The newest messages and steps of a role. */
export interface Member {
  role: string;
  messages: readonly MessageData[];
  steps: readonly StepTrace[];
  /** There are older messages. */
  hasOlder: boolean;
}

/**
 * Merges the conversations of a team's roles by time, the one that receives user requests first. It begins where that
 * of each role is known.
 */
export function fromTeam(members: readonly Member[]): Conversation {
  let begin = -Infinity;
  const timed = members.flatMap(({ role, messages, steps, hasOlder }, index) => {
    const begun = new Map(steps.map(({ replyId, startedAt }) => [replyId, startedAt]));
    let next = Infinity; // An entry without a time belongs to the next one.
    const entries = storedEntries(messages, role)
      .toReversed()
      .map((entry) => {
        next = begun.get(entry.id ?? '') ?? next;
        return { at: next, entry };
      });
    if (hasOlder && next < Infinity) begin = Math.max(begin, next);
    // All roles receive the user's request.
    return entries.toReversed().filter(({ entry }) => index === 0 || entry.kind !== 'request');
  });
  return {
    entries: timed
      .filter(({ at }) => at >= begin)
      .sort((one, other) => (one.at === other.at ? 0 : one.at - other.at))
      .map(({ entry }) => entry),
    live: null,
  };
}

function storedEntries(messages: readonly MessageData[], role: string): Entry[] {
  const list: Entry[] = [];
  for (const message of messages) {
    const { commands, results, thought } = message.metadata;
    const open = list.findLastIndex(({ kind }) => kind === 'step');
    const before = list[open];
    const step = before?.kind === 'step' ? before : null;
    const add = (entry: Shown): unknown => list.push({ ...entry, id: message.id });
    if (message.causeBy === 'UserRequirement') {
      add({ kind: 'request', text: message.content });
    } else if (Array.isArray(commands)) {
      add({ kind: 'step', role, thought: textOf(thought), commands: commands.map(storedCommand) });
    } else if (Array.isArray(results) && step !== null) {
      list[open] = { ...step, commands: withResults(step.commands, results) };
    } else if (message.role === 'assistant' && (message.sentFrom === '' || message.sentFrom === role)) {
      // A reply without commands: a direct answer, or the report of an `end`; otherwise an unreadable reply.
      const isReport = step?.commands.some(({ state }) => state === 'waiting') === true;
      add(
        message.causeBy === 'QuickThink' || isReport
          ? { kind: 'reply', role, text: message.content }
          : { kind: 'step', role, thought: textOf(thought), commands: [] },
      );
    }
  }
  return list;
}

/** Applies an event to the conversation. */
export function applied(conversation: Conversation, event: AgentEvent): Conversation {
  const { entries, live } = conversation;
  const added = (entry: Shown): Conversation => ({ entries: [...entries, { ...entry, id: null }], live });
  switch (event.type) {
    case 'reply-delta':
    case 'thought-delta':
    case 'reasoning-delta': {
      const before =
        live?.purpose === event.purpose && live.role === event.role
          ? live
          : { role: event.role, purpose: event.purpose, text: '', reply: '', reasoning: '' };
      const field = LIVE_FIELDS[event.type];
      return { entries, live: { ...before, [field]: before[field] + event.text } };
    }
    case 'thought-end':
      return { entries: withThought(entries, event), live: null };
    case 'command-start':
      return {
        entries: withCommand(entries, event, (known) => ({ ...known, state: 'running', output: '' })),
        live,
      };
    case 'command-output-delta':
      return {
        entries: withCommand(entries, { ...event, name: '', args: {} }, (known) => ({
          ...known,
          output: known.output + event.text,
        })),
        live,
      };
    case 'command-end':
      return {
        entries: withCommand(entries, event, (known) => ({
          ...known,
          state: event.ok ? 'ok' : 'failed',
          output: event.output,
          durationMs: event.durationMs,
        })),
        live,
      };
    case 'step-end':
      return { entries: withId(entries, event.trace), live };
    case 'human-reply': // A reply by command is shown with the command.
      return isShownWithCommand(entries, event)
        ? conversation
        : added({ kind: 'reply', role: event.role, text: event.text });
    case 'memory-recalled':
      return added({ kind: 'recalled', count: event.ids.length });
    case 'warning':
      return added({ kind: 'notice', tone: 'warning', code: event.code, text: event.message });
    case 'run-end':
      return { entries: interrupted(withEnd(entries, event)), live: null };
    default:
      return conversation;
  }
}

/** Adds a request of the user to the conversation. */
export function asked(conversation: Conversation, text: string): Conversation {
  return { ...conversation, entries: [...conversation.entries, { id: null, kind: 'request', text }] };
}

/** True when results are missing: commands from before a reload whose results are not in the loaded part. */
export function hasGaps({ entries }: Conversation): boolean {
  return entries.some(
    (entry) => entry.kind === 'step' && entry.commands.some(({ state }) => state === 'waiting'),
  );
}

/** Adds missing results from the stored conversation. */
export function filled(conversation: Conversation, stored: Conversation): Conversation {
  const steps = new Map(stored.entries.map((entry) => [entry.id, entry]));
  const entries = conversation.entries.map((entry): Entry => {
    const known = steps.get(entry.id);
    if (entry.id === null || entry.kind !== 'step' || known?.kind !== 'step') return entry;
    if (!entry.commands.some(({ state }) => state === 'waiting')) return entry;
    const commands = entry.commands.map((command, index) => {
      const same = known.commands[index];
      return command.state === 'waiting' && same?.name === command.name
        ? { ...same, callId: command.callId }
        : command;
    });
    return { ...entry, commands };
  });
  return { ...conversation, entries };
}

/** Prepends older entries from a stored conversation. */
export function withOlder(conversation: Conversation, stored: Conversation): Conversation {
  const known = new Set(conversation.entries.map(({ id }) => id));
  const older = stored.entries.slice(
    0,
    Math.max(
      0,
      stored.entries.findIndex(({ id }) => known.has(id)),
    ),
  );
  return { ...conversation, entries: [...older, ...conversation.entries] };
}

/** The output of a command, without the sentence that names the command for the model. */
export function outputOf({ name, output }: ShownCommand): string {
  const prefix = `Command ${name} executed`;
  return output.startsWith(prefix) ? output.slice(prefix.length).replace(/^: ?/, '').trim() : output.trim();
}

/** The commands of a streaming reply. A JSON reply is shown completely. */
export function commandsBeingWritten({ text, reply }: Live): string {
  const whole = reply.trimStart();
  const rest = whole.startsWith(text) ? whole.slice(text.length) : whole;
  return rest.trim().replace(/^```\w*\s*/, '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function storedCommand(stored: unknown): ShownCommand {
  const { name, args } = isRecord(stored) ? stored : {};
  return {
    callId: null,
    name: textOf(name),
    args: isRecord(args) ? (args as Command['args']) : {},
    state: 'waiting',
    output: '',
    durationMs: null,
  };
}

function withResults(commands: readonly ShownCommand[], results: readonly unknown[]): ShownCommand[] {
  return commands.map((command, index) => {
    const result = results[index];
    if (!isRecord(result)) return command;
    return { ...command, state: result['ok'] === true ? 'ok' : 'failed', output: textOf(result['output']) };
  });
}

function withThought(
  entries: readonly Entry[],
  { role, purpose, text }: AgentEvent<'thought-end'>,
): readonly Entry[] {
  if (!STEPS.includes(purpose)) return entries;
  const step: Entry = { id: null, kind: 'step', role, thought: text, commands: [] };
  const last = entries.at(-1);
  // A second reply to the same question replaces the first.
  const replaces = purpose === 'regenerate' && last?.kind === 'step' && last.commands.length === 0;
  return [...(replaces ? entries.slice(0, -1) : entries), step];
}

/** A completed step has the id of its reply. */
function withId(entries: readonly Entry[], { role, replyId }: StepTrace): readonly Entry[] {
  if (replyId === '' || entries.some(({ id }) => id === replyId)) return entries;
  const at = entries.findLastIndex(
    (entry) => entry.id === null && entry.kind === 'step' && entry.role === role,
  );
  const step = entries[at];
  return step === undefined ? entries : entries.with(at, { ...step, id: replyId });
}

/**
 * Updates the command of an event: the one with its call id, otherwise the same command still waiting, otherwise a
 * new one.
 */
function withCommand(
  entries: readonly Entry[],
  about: Command & { role: string; callId: string },
  change: (command: ShownCommand) => ShownCommand,
): readonly Entry[] {
  const at = entries.findLastIndex((entry) => entry.kind === 'step' && entry.role === about.role);
  const step = entries[at];
  if (step?.kind !== 'step')
    return [
      ...entries,
      { id: null, kind: 'step', role: about.role, thought: '', commands: [change(fresh(about))] },
    ];
  const same = ({ callId, name, args, state }: ShownCommand) =>
    callId === null &&
    state === 'waiting' &&
    name === about.name &&
    JSON.stringify(args) === JSON.stringify(about.args);
  let index = step.commands.findIndex(({ callId }) => callId === about.callId);
  if (index < 0) index = step.commands.findIndex(same);
  const commands = [...step.commands];
  const known = commands[index];
  if (known === undefined) commands.push(change(fresh(about)));
  else commands[index] = change({ ...known, callId: about.callId });
  return entries.with(at, { ...step, commands });
}

function fresh({ callId, name, args }: Command & { callId: string }): ShownCommand {
  return { callId, name, args, state: 'running', output: '', durationMs: null };
}

/** Returns whether a command of the role's newest step is this reply. Replies arrive with the end of their step. */
function isShownWithCommand(entries: readonly Entry[], { role, text }: AgentEvent<'human-reply'>): boolean {
  const step = entries.findLast((entry) => entry.kind === 'step' && entry.role === role);
  return step !== undefined && isReply(step, text);
}

/** Returns whether a command of the step sends the user this text. */
export function isReply(entry: Entry, text: string): boolean {
  if (entry.kind !== 'step') return false;
  return entry.commands.some(
    ({ name, args }) => name.endsWith('reply_to_human') && textOf(args['content']).trim() === text.trim(),
  );
}

/** Marks commands that a stopped run will repeat. */
function interrupted(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) =>
    entry.kind === 'step' && entry.commands.some(({ state }) => state === 'running')
      ? {
          ...entry,
          commands: entry.commands.map((command) =>
            command.state === 'running' ? { ...command, state: 'waiting' as const } : command,
          ),
        }
      : entry,
  );
}

function withEnd(entries: readonly Entry[], { status, error }: AgentEvent<'run-end'>): readonly Entry[] {
  if (status === 'failed' && error !== null)
    return [
      ...entries,
      {
        id: null,
        kind: 'notice',
        tone: 'error',
        code: error.code,
        text: error.message,
        advice: adviceOf(error),
      },
    ];
  if (status === 'exhausted')
    return [...entries, { id: null, kind: 'notice', tone: 'warning', code: 'exhausted', text: '' }];
  return entries;
}

/** The key of the advice for an error. The status of a model's server says more than the code. */
function adviceOf({ code, detail }: ErrorData): string {
  const status = detail?.['status'];
  if (status === 429) return 'rate-limit';
  if (code !== 'model-request') return code;
  if (status === 401 || status === 403) return 'model-key';
  if (status === 404) return 'model-path';
  return status === undefined ? 'model-broken' : code;
}

/** The error that ended the last run; null when it ended otherwise, or before this page was opened. */
export function failureIn({ entries }: Conversation): Notice | null {
  const last = entries.at(-1);
  return last?.kind === 'notice' && last.tone === 'error' ? last : null;
}
