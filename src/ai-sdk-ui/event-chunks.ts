import type { AgentEvent } from '../core/events.js';
import type { Question } from '../core/human.js';
import type { Purpose } from '../core/model.js';
import type { ClientRunResult } from '../client/run.js';
import { ToolCalls, type OpenToolCall } from './tool-calls.js';
import { ASK_USER, asksUser, HIDDEN, type SessionChunk } from './ui-message.js';

/** Purposes whose words are text for the user. */
const TEXT_PURPOSES: ReadonlySet<Purpose> = new Set<Purpose>(['quick', 'report']);
/** Purposes whose words are thoughts between commands. */
const THOUGHT_PURPOSES: ReadonlySet<Purpose> = new Set<Purpose>(['think', 'regenerate']);

const FINISH_REASONS = {
  done: 'stop',
  waiting: 'tool-calls',
  exhausted: 'length',
  stopped: 'other',
  failed: 'error',
} as const;

/** How a run ended. */
interface RunEnd extends Pick<ClientRunResult, 'status' | 'summary'> {
  error: { message: string } | null;
  output?: unknown;
}

/** Translates the events of a run to the chunks of one response. */
export class EventChunks {
  readonly #text = new TextParts();
  readonly #tools: ToolCalls;
  #isInStep: boolean;

  /** @param open tool parts of the response that it continues, without an output; null for a new response */
  constructor(open: readonly OpenToolCall[] | null = null) {
    this.#tools = new ToolCalls(open ?? []);
    this.#isInStep = open !== null; // parts of the step that was interrupted are its last ones
  }

  /** Returns the chunks of an event. */
  push(event: AgentEvent): SessionChunk[] {
    switch (event.type) {
      case 'call-start':
      case 'call-retry': // what a stream has sent cannot be taken back: the next attempt is another part
        return this.#text.close(event.role);
      case 'thought-delta':
        return this.#words(event, event.text);
      case 'reasoning-delta':
        return this.#step(this.#text.delta('reasoning', event.role, event.text));
      case 'thought-end':
        return this.#endOfWords(event);
      case 'human-reply':
        return this.#step(this.#text.whole(event.role, event.text));
      case 'command-start':
        return this.#begin(event);
      case 'command-end':
        return this.#end(event);
      case 'human-question':
        return this.#ask(event.question);
      case 'approval-request':
        return this.#requestApproval(event.question);
      case 'step-end':
        return this.#endStep(event.role);
      default:
        return dataChunks(event);
    }
  }

  /** Returns the last chunks of a response. An error ends it without a `finish`. */
  finish({ status, summary, error, output }: RunEnd): SessionChunk[] {
    const chunks: SessionChunk[] = this.#text.close();
    if (status === 'done' && !this.#text.hasText && summary !== '')
      chunks.push(...this.#step(this.#text.whole('', summary)));
    if (output !== undefined) chunks.push({ type: 'data-output', data: output });
    if (status === 'stopped') return [...chunks, { type: 'abort' }];
    if (status === 'failed')
      return [...chunks, { type: 'error', errorText: error?.message ?? 'The run failed.' }];
    if (status !== 'waiting') chunks.push(...this.#endStep(''));
    return [...chunks, { type: 'finish', finishReason: FINISH_REASONS[status], messageMetadata: { status } }];
  }

  #words({ role, purpose }: { role: string; purpose: Purpose }, words: string): SessionChunk[] {
    if (TEXT_PURPOSES.has(purpose)) return this.#step(this.#text.delta('text', role, words));
    return THOUGHT_PURPOSES.has(purpose) ? this.#step(this.#text.delta('reasoning', role, words)) : [];
  }

  /** Ends the words of a call. They may come without deltas, from the experience pool. */
  #endOfWords(event: Extract<AgentEvent, { type: 'thought-end' }>): SessionChunk[] {
    const isNew = !this.#text.isOpen(event.role) && event.text !== this.#text.last;
    return [...(isNew ? this.#words(event, event.text) : []), ...this.#text.close(event.role)];
  }

  #begin({ role, callId, name, args }: AgentEvent<'command-start'>): SessionChunk[] {
    if (this.#tools.of(callId, name, role) !== null || HIDDEN.has(name)) return [];
    return this.#input(this.#tools.begin(callId, name, role), args);
  }

  #end(event: AgentEvent<'command-end'>): SessionChunk[] {
    const { callId, name, ok, output, role } = event;
    let call = this.#tools.of(callId, name, role);
    if (call === null && (HIDDEN.has(name) || asksUser(name))) return []; // the question is in an earlier message
    const chunks: SessionChunk[] = [];
    if (call === null) {
      call = this.#tools.begin(callId, name, role);
      chunks.push(...this.#input(call, event.args));
    }
    this.#tools.end(call);
    const { toolCallId } = call;
    if (call.isDenied) return [...chunks, { type: 'tool-output-denied', toolCallId }];
    return [...chunks, ok ? outputChunk(call, output) : errorChunk(call, output)];
  }

  #ask(question: Question): SessionChunk[] {
    const { id, role, text, options } = question;
    const asked = this.#tools.newest(ASK_USER, role);
    if (asked !== null) return [questionChunk(question, asked.toolCallId)];
    // Asked by the library, such as whether to continue at a limit.
    const call = this.#tools.add(id, ASK_USER, role);
    const input = options === undefined ? { question: text } : { question: text, options };
    return [...this.#input(call, input), questionChunk(question, id)];
  }

  #requestApproval(question: Question): SessionChunk[] {
    const { id, role, command = { name: 'command', args: {} } } = question;
    const known = this.#tools.newest(command.name, role);
    const call = known ?? this.#tools.add(id, command.name, role);
    const { toolCallId } = call;
    return [
      ...(known === null ? this.#input(call, command.args) : []),
      questionChunk(question, toolCallId),
      { type: 'tool-approval-request', approvalId: id, toolCallId },
    ];
  }

  #input({ toolCallId, toolName, role }: OpenToolCall, input: unknown): SessionChunk[] {
    const providerMetadata = { rolezero: { role } };
    return this.#step([
      ...this.#text.close(),
      {
        type: 'tool-input-available',
        dynamic: true,
        toolCallId,
        toolName,
        input,
        providerMetadata,
        ...executed(toolName),
      },
    ]);
  }

  /** Puts the start of a step before chunks that need one. */
  #step(chunks: SessionChunk[]): SessionChunk[] {
    if (this.#isInStep || chunks.length === 0) return chunks;
    this.#isInStep = true;
    return [{ type: 'start-step' }, ...chunks];
  }

  /** Ends a step. Parts that ran before an interruption have their output in the stored messages only. */
  #endStep(role: string): SessionChunk[] {
    const left = this.#tools.endAll(role).map((call) => outputChunk(call, ''));
    const end: SessionChunk[] = this.#isInStep ? [{ type: 'finish-step' }] : [];
    this.#isInStep = false;
    return [...this.#text.close(), ...left, ...end];
  }
}

/** Ends parts of a response whose question is no longer open. Otherwise `sendAutomaticallyWhen` would send them again and again. */
export function closed(open: readonly OpenToolCall[]): SessionChunk[] {
  return open.map((call) =>
    call.answer === undefined ? errorChunk(call, 'This is no longer open.') : outputChunk(call, ''),
  );
}

/** The part is executed now, also one that the user has answered: an answer must not be sent again. */
function outputChunk({ toolCallId, answer }: OpenToolCall, output: string): SessionChunk {
  return { type: 'tool-output-available', toolCallId, output: answer ?? output, providerExecuted: true };
}

function errorChunk({ toolCallId }: OpenToolCall, errorText: string): SessionChunk {
  return { type: 'tool-output-error', toolCallId, errorText, providerExecuted: true };
}

/** Only a question to the user is not executed here: `addToolOutput` answers it. */
export function executed(toolName: string): { providerExecuted?: boolean } {
  return asksUser(toolName) ? {} : { providerExecuted: true };
}

function questionChunk(
  question: Question,
  toolCallId: string,
): Extract<SessionChunk, { type: 'data-question' }> {
  return { type: 'data-question', id: question.id, data: { ...question, toolCallId } };
}

/** Returns the data part of an event; an empty list for events that have none. */
function dataChunks(event: AgentEvent): SessionChunk[] {
  switch (event.type) {
    case 'plan-changed':
      if (event.plan.tasks.length === 0) return []; // only its goal is known, which is the request
      return [{ type: 'data-plan', id: event.role, data: { ...event.plan, role: event.role } }];
    case 'file-changed': {
      const { path, change, by } = event;
      return [{ type: 'data-file', id: path, data: { path, change, by } }];
    }
    case 'page-changed': {
      const { role, url, title } = event;
      return [{ type: 'data-page', id: role, data: { role, url, title } }];
    }
    case 'warning': {
      const { code, message } = event;
      return [{ type: 'data-warning', data: { code, message }, transient: true }];
    }
    default:
      return [];
  }
}

type Kind = 'text' | 'reasoning';

/** The part that is being written. */
interface OpenPart {
  kind: Kind;
  id: string;
  role: string;
}

/** The text and reasoning parts of one response, one at a time. */
class TextParts {
  #open: OpenPart | null = null;
  #count = 0;
  #last = '';
  #hasText = false;

  /** The words of the last part. */
  get last(): string {
    return this.#last;
  }
  /** The response has a text part. */
  get hasText(): boolean {
    return this.#hasText;
  }

  isOpen(role: string): boolean {
    return this.#open?.role === role;
  }

  /** Adds words; begins a part when the open one is of another kind or role. */
  delta(kind: Kind, role: string, words: string): SessionChunk[] {
    if (words === '') return [];
    const chunks: SessionChunk[] = [];
    if (this.#open?.kind !== kind || this.#open.role !== role) {
      chunks.push(...this.close());
      this.#open = { kind, role, id: `${kind}-${++this.#count}` };
      this.#last = '';
      this.#hasText ||= kind === 'text';
      const { id } = this.#open;
      chunks.push({ type: `${kind}-start`, id, providerMetadata: { rolezero: { role } } });
    }
    this.#last += words;
    return [...chunks, { type: `${kind}-delta`, id: this.#open.id, delta: words }];
  }

  /** Adds a whole text, unless its words have just been written. */
  whole(role: string, text: string): SessionChunk[] {
    if (this.#hasText && this.#last.trim() === text.trim()) return this.close();
    return [...this.close(), ...this.delta('text', role, text), ...this.close()];
  }

  /** Ends the open part, if there is one of that role. */
  close(role = this.#open?.role): SessionChunk[] {
    const open = this.#open;
    if (open === null || open.role !== role) return [];
    this.#open = null;
    return [{ type: `${open.kind}-end`, id: open.id }];
  }
}
