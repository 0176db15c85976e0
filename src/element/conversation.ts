import { defined } from '../core/defined.js';
import type { ErrorData } from '../core/error.js';
import type { AgentEvent, StepTrace } from '../core/events.js';
import type { Command } from '../core/human.js';
import type { Purpose } from '../core/model.js';
import type { QueuedRequest } from '../core/queue.js';
import { doesWork } from '../core/role-command-names.js';
import { shownRequest, type ShownRequest } from './shown-request.js';
import { tellingArgument } from './writing.js';

/** One command of a step. `waiting`: its result is unknown, because it has not run yet or was interrupted. */
export interface ShownCommand extends Command {
  /** Null when it comes from the stored conversation. */
  callId: string | null;
  state: 'waiting' | 'running' | 'ok' | 'failed';
  /** Its most telling argument, such as a path; empty for a command without one. */
  about: string;
  /** Without the sentence that names the command for the model. */
  output: string;
  /** Null when no page was connected. */
  durationMs: number | null;
}

/**
 * One entry of the conversation. Entries are immutable; a change creates a new object. The id is that of its message;
 * null for entries from events alone, and for a running step.
 */
export type Entry = { id: string | null } & EntryContent;
/** What an entry shows. */
export type EntryContent =
  | ShownRequest
  | { kind: 'step'; role: string; thought: string; commands: readonly ShownCommand[] }
  | { kind: 'reply'; role: string; text: string }
  | { kind: 'recalled'; count: number }
  | Notice;

/** A warning, or the error that ended a run. `advice`: key of the advice; by default the code. */
export interface Notice {
  kind: 'notice';
  tone: 'warning' | 'error';
  code: string;
  text: string;
  advice?: string;
  /** Commands whose effects outside the session remain after going back. */
  commands?: readonly string[];
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

/** Messages and work, oldest first, and what the model streams now. */
export interface Conversation {
  entries: readonly Entry[];
  live: Live | null;
}

export const emptyConversation: Conversation = { entries: [], live: null };

/** Purposes with thoughts and commands; others are asides that are not part of the stored conversation. */
const STEP_PURPOSES: readonly Purpose[] = ['think', 'regenerate'];

const LIVE_FIELDS = {
  'reply-delta': 'reply',
  'thought-delta': 'text',
  'reasoning-delta': 'reasoning',
} as const;

/** Applies an event to the conversation. */
export function applied(conversation: Conversation, event: AgentEvent): Conversation {
  const { entries, live } = conversation;
  const added = (entry: EntryContent): Conversation => ({
    entries: [...entries, { ...entry, id: null }],
    live,
  });
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
    case 'call-retry': // the next attempt says everything again
      return live?.role === event.role ? { entries, live: null } : conversation;
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
          output: commandOutput(event.name, event.output),
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
export function withRequest(
  conversation: Conversation,
  content: string,
  id: string | null = null,
): Conversation {
  return { ...conversation, entries: [...conversation.entries, { id, ...shownRequest(content) }] };
}

/** Returns the output of a command without the sentence that names the command for the model. */
export function commandOutput(name: string, output: string): string {
  const prefix = `Command ${name} executed`;
  return output.startsWith(prefix) ? output.slice(prefix.length).replace(/^: ?/, '').trim() : output.trim();
}

export function messageText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function withThought(
  entries: readonly Entry[],
  { role, purpose, text }: AgentEvent<'thought-end'>,
): readonly Entry[] {
  if (!STEP_PURPOSES.includes(purpose)) return entries;
  const step: Entry = { id: null, kind: 'step', role, thought: text, commands: [] };
  const last = entries.at(-1);
  // A second reply to the same question replaces the first.
  const replaces = purpose === 'regenerate' && last?.kind === 'step' && last.commands.length === 0;
  return [...(replaces ? entries.slice(0, -1) : entries), step];
}

/** A completed step has the id of its reply. When it was read from the store meanwhile, it is shown once. */
function withId(entries: readonly Entry[], { role, replyId }: StepTrace): readonly Entry[] {
  const at = entries.findLastIndex((entry) => entry.kind === 'step' && entry.role === role);
  const step = entries[at];
  if (replyId === '' || step === undefined || step.id !== null) return entries;
  const isStored = entries.some(({ id }) => id === replyId);
  return isStored ? entries.toSpliced(at, 1) : entries.with(at, { ...step, id: replyId });
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
  const at = entries.findLastIndex((entry) => isStepOf(entry, about.role));
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
  return entries.with(at, { ...step, role: about.role, commands });
}

/** The role of a stored step is empty while its name is not known: before the first step has ended, it is the only one. */
function isStepOf(entry: Entry, role: string): boolean {
  return entry.kind === 'step' && (entry.role === role || entry.role === '');
}

function fresh({ callId, name, args }: Command & { callId: string }): ShownCommand {
  return { callId, name, args, about: tellingArgument(args), state: 'running', output: '', durationMs: null };
}

/** Returns whether a command of the role's newest step is this reply. Replies arrive with the end of their step. */
function isShownWithCommand(entries: readonly Entry[], { role, text }: AgentEvent<'human-reply'>): boolean {
  const step = entries.findLast((entry) => isStepOf(entry, role));
  return step !== undefined && isReply(step, text);
}

/** Returns the number of commands that failed in the last step that worked on the same request, up to this entry. */
export function failedCommands(entries: readonly Entry[], at: number): number {
  for (let index = at; index >= 0; index--) {
    const entry = entries[index];
    if (entry?.kind === 'request') return 0;
    if (entry?.kind !== 'step' || !entry.commands.some(({ name }) => doesWork(name))) continue;
    return entry.commands.filter(({ state }) => state === 'failed').length;
  }
  return 0;
}

/** Returns whether a command of the step sends the user this text. */
export function isReply(entry: Entry, text: string): boolean {
  if (entry.kind !== 'step') return false;
  return entry.commands.some(
    ({ name, args }) =>
      name.endsWith('reply_to_human') && messageText(args['content']).trim() === text.trim(),
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

/** The key of the advice for an error. The status of a model's server, and the kind of an error, say more than the code. */
function adviceOf({ code, detail }: ErrorData): string {
  const status = detail?.['status'];
  if (status === 429) return 'rate-limit';
  if (code !== 'model-request') return code;
  const kind = detail?.['kind'];
  if (kind === 'another-model' || kind === 'content-filter') return kind;
  if (status === 401 || status === 403) return 'model-key';
  if (status === 404) return 'model-path';
  return status === undefined ? 'model-broken' : code;
}

/**
 * Returns the entries after a change of the requests that wait. One that is read moves to the end: the next step follows it.
 *
 * @param queued the requests that wait now
 */
export function withQueue(
  entries: readonly Entry[],
  change: AgentEvent<'queue-changed'>['change'],
  messageIds: readonly string[],
  queued: readonly QueuedRequest[],
): readonly Entry[] {
  const ids = new Set(messageIds);
  const isMeant = ({ id }: Entry): boolean => id !== null && ids.has(id);
  const others = entries.filter((entry) => !isMeant(entry));
  const meant = entries.filter(isMeant);
  switch (change) {
    case 'waiting': {
      const added = queued.filter(
        ({ messageId }) => ids.has(messageId) && !meant.some(({ id }) => id === messageId),
      );
      const filesOf = new Map(queued.map(({ messageId, files }) => [messageId, files]));
      const known = entries.map((entry): Entry => {
        const files = isMeant(entry) ? filesOf.get(entry.id ?? '') : undefined;
        return entry.kind === 'request' && files !== undefined ? { ...entry, files } : entry;
      });
      return [
        ...known,
        ...added.map(({ messageId, content, files }): Entry => {
          return { id: messageId, ...shownRequest(content), ...defined({ files }) };
        }),
      ];
    }
    case 'revised':
      return entries.map((entry) => {
        const text = queued.find(({ messageId }) => isMeant(entry) && messageId === entry.id)?.content;
        return entry.kind === 'request' && text !== undefined ? { ...entry, text } : entry;
      });
    case 'withdrawn':
      return others;
    case 'read':
      return [...others, ...meant];
  }
}
