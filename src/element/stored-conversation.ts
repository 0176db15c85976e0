import { RoleZeroError } from '../core/error.js';
import type { StepTrace } from '../core/events.js';
import type { Command } from '../core/human.js';
import { isRecord } from '../core/json.js';
import type { MessageData } from '../core/message.js';
import type { ClientSession } from '../client/session.js';
import {
  commandOutput,
  messageText,
  type Conversation,
  type Entry,
  type EntryContent,
  type ShownCommand,
} from './conversation.js';
import { shownRequest } from './shown-request.js';
import { tellingArgument } from './writing.js';

/** The newest messages and steps of a role. The role is empty while its name is not known: it is the only one. */
export interface StoredMember {
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
export function fromTeam(members: readonly StoredMember[]): Conversation {
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
    const add = (entry: EntryContent): unknown => list.push({ ...entry, id: message.id });
    if (message.causeBy === 'UserRequirement') {
      add(shownRequest(message.content));
    } else if (Array.isArray(commands)) {
      add({ kind: 'step', role, thought: messageText(thought), commands: commands.map(storedCommand) });
    } else if (Array.isArray(results) && step !== null) {
      list[open] = { ...step, commands: withResults(step.commands, results) };
    } else if (
      message.role === 'assistant' &&
      (role === '' || message.sentFrom === '' || message.sentFrom === role)
    ) {
      // A reply without commands: a direct answer, or the report of an `end`; otherwise an unreadable reply.
      const isReport = step?.commands.some(({ state }) => state === 'waiting') === true;
      add(
        message.causeBy === 'QuickThink' || isReport
          ? { kind: 'reply', role, text: message.content }
          : { kind: 'step', role, thought: messageText(thought), commands: [] },
      );
    }
  }
  return list;
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
    const commands = entry.commands.flatMap((command, index) => {
      if (command.state !== 'waiting') return command;
      const same = known.commands[index];
      if (same === undefined) return []; // The step has ended without it.
      return same.name === command.name ? { ...same, callId: command.callId } : command;
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

function storedCommand(stored: unknown): ShownCommand {
  const { name, args } = isRecord(stored) ? stored : {};
  const known = isRecord(args) ? (args as Command['args']) : {};
  return {
    callId: null,
    name: messageText(name),
    args: known,
    about: tellingArgument(known),
    state: 'waiting',
    output: '',
    durationMs: null,
  };
}

/** Commands after one that failed have no result: they did not run. */
function withResults(commands: readonly ShownCommand[], results: readonly unknown[]): ShownCommand[] {
  return commands.slice(0, results.length).map((command, index) => {
    const result = results[index];
    if (!isRecord(result)) return command;
    return {
      ...command,
      state: result['ok'] === true ? 'ok' : 'failed',
      output: commandOutput(command.name, messageText(result['output'])),
    };
  });
}

/** Number of messages that are read at a time. */
const PAGE_SIZE = 100;

/**
 * The stored messages and steps of a role, page by page from the newest: first the messages of its window, then those of its long-term
 * memory. Steps are read with their messages.
 */
export class StoredMessages implements StoredMember {
  messages: readonly MessageData[] = [];
  steps: readonly StepTrace[] = [];
  hasOlder = true;
  /** Number of the newest memories that were read; 0 while there are messages in the window. */
  #memories = 0;

  constructor(
    private readonly session: ClientSession,
    /** Null: the role that receives the requests. */
    private readonly name: string | null,
  ) {}

  /** Empty while it is not known. */
  get role(): string {
    return this.name ?? this.steps[0]?.role ?? '';
  }

  /** Adds the next page before the known messages; the first one is the newest. `known`: number of steps that are known by now. */
  async readOlder(known = 0): Promise<void> {
    const steps = this.session.steps({ ...this.#query, last: known + this.messages.length + PAGE_SIZE });
    steps.catch(() => {}); // Reported below.
    const older = await this.#inWindow();
    this.messages = [...older, ...this.messages];
    if (older.length < PAGE_SIZE)
      this.messages = [...(await this.#remembered(PAGE_SIZE - older.length)), ...this.messages];
    this.steps = await steps;
  }

  get #query(): { role?: string } {
    return this.name === null ? {} : { role: this.name };
  }

  async #inWindow(): Promise<readonly MessageData[]> {
    if (this.#memories > 0) return [];
    const [first] = this.messages;
    const before = first === undefined ? {} : { before: first.id };
    try {
      return await this.session.messages({ ...this.#query, last: PAGE_SIZE, ...before });
    } catch (error) {
      if (error instanceof RoleZeroError && error.code === 'not-found' && first !== undefined) return []; // It is a memory by now.
      throw error;
    }
  }

  /** Reads at least `wanted` memories, unless there are fewer. Messages of the window may be among them. */
  async #remembered(wanted: number): Promise<readonly MessageData[]> {
    const known = new Set(this.messages.map(({ id }) => id));
    for (;;) {
      this.#memories += wanted;
      const items = await this.session.memory.list({ ...this.#query, limit: this.#memories });
      this.hasOlder = items.length === this.#memories;
      const older = items.map(({ message }) => message).filter(({ id }) => !known.has(id));
      if (older.length > 0 || !this.hasOlder) return older;
    }
  }
}
