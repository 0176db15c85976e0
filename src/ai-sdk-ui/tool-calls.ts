import type { SessionPart, SessionUIMessage } from './ui-message.js';

/** A tool part whose output is still to come. */
export interface OpenToolCall {
  toolCallId: string;
  toolName: string;
  /** The role that calls it; empty when it is not known. */
  role: string;
  /** The user has denied it. */
  isDenied: boolean;
  /** The output that the user gave; undefined for none. */
  answer: unknown;
}

/**
 * The tool parts of a response by the calls of the session. A part may be older than its call: the call of a command begins after its
 * approval, and that of a restored message is not known.
 */
export class ToolCalls {
  readonly #byCall = new Map<string, OpenToolCall>();
  #open: OpenToolCall[];

  /** @param open parts of the response that a stream continues, oldest first */
  constructor(open: readonly OpenToolCall[] = []) {
    this.#open = [...open];
  }

  /** Adds a part without a call. */
  add(toolCallId: string, toolName: string, role: string): OpenToolCall {
    const added = { toolCallId, toolName, role, isDenied: false, answer: undefined };
    this.#open.push(added);
    return added;
  }

  /** Returns the part of a call, or a waiting one of the same command; null when there is none. */
  of(callId: string, toolName: string, role: string): OpenToolCall | null {
    const known = this.#byCall.get(callId);
    if (known !== undefined) return known;
    const bound = new Set(this.#byCall.values());
    const waiting = this.#open.find((each) => isOf(each, toolName, role) && !bound.has(each));
    if (waiting !== undefined) this.#byCall.set(callId, waiting);
    return waiting ?? null;
  }

  /** Adds the part of a call. */
  begin(callId: string, toolName: string, role: string): OpenToolCall {
    const added = this.add(callId, toolName, role);
    this.#byCall.set(callId, added);
    return added;
  }

  /** Returns the newest open part of a command; null when there is none. */
  newest(toolName: string, role: string): OpenToolCall | null {
    return this.#open.findLast((each) => isOf(each, toolName, role)) ?? null;
  }

  end(call: OpenToolCall): void {
    this.#open = this.#open.filter((each) => each !== call);
  }

  /** Removes and returns all parts of a role without an output. */
  endAll(role: string): OpenToolCall[] {
    const ended = this.#open.filter((each) => isOf(each, each.toolName, role));
    this.#open = this.#open.filter((each) => !ended.includes(each));
    return ended;
  }
}

function isOf(call: OpenToolCall, toolName: string, role: string): boolean {
  return call.toolName === toolName && (call.role === role || call.role === '');
}

export type ToolPart = Extract<SessionPart, { type: 'dynamic-tool' }>;

export function isToolPart(part: SessionPart): part is ToolPart {
  return part.type === 'dynamic-tool';
}

/** Returns the open tool parts of a message, as the user has left them. */
export function openCallsOf({ parts }: SessionUIMessage): OpenToolCall[] {
  return parts.filter(isToolPart).flatMap((part) => {
    const { toolCallId, toolName, state, approval, providerExecuted } = part;
    const role = partRole(part);
    // Only the user gives outputs to parts that are not executed here.
    const isAnswered = state === 'output-available' && providerExecuted !== true;
    const isOpen = ['input-available', 'approval-requested', 'approval-responded'].includes(state);
    const isDenied = approval?.approved === false;
    return isOpen || isAnswered
      ? [{ toolCallId, toolName, role, isDenied, answer: isAnswered ? part.output : undefined }]
      : [];
  });
}

function partRole(part: ToolPart): string {
  const metadata = 'callProviderMetadata' in part ? part.callProviderMetadata : undefined;
  const role = metadata?.['rolezero']?.['role'];
  return typeof role === 'string' ? role : '';
}

/** Returns the text of an output: a string, or any JSON value. */
export function outputText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
