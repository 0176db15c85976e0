import { isAbort, toRoleZeroError, type RoleZeroError } from '../base/error.js';
import type { RunStatus } from '../base/events.js';
import type { Question } from '../base/human.js';
import type { Message } from '../base/message.js';

/** What a reaction came to. `message` is what the role published, `error` why it failed or which budget is spent. */
export interface Outcome {
  status: RunStatus;
  summary: string;
  message: Message | null;
  error: RoleZeroError | null;
}

/** One stretch of work, stoppable from outside. */
export interface Run {
  readonly id: string;
  /** Reaches the model call, the tool and the question. */
  readonly signal: AbortSignal;
}

/** Thrown to leave a run whose question nobody answers now; the question stays open and the run can be resumed. */
export class Suspension extends Error {
  override readonly name = 'Suspension';
  constructor(readonly question: Question) {
    super(`Waiting for an answer: ${question.text}`);
  }
}

/** What an error that left a reaction makes of it: open questions, stops and spent budgets are no failures. */
export function outcomeOf(error: unknown, run: Run): Outcome {
  const none = { summary: '', message: null, error: null };
  if (error instanceof Suspension) return { ...none, status: 'waiting' };
  if (run.signal.aborted || isAbort(error)) return { ...none, status: 'stopped' };
  const fault = toRoleZeroError(error);
  if (fault.code === 'budget') return { ...none, status: 'exhausted', summary: fault.message, error: fault };
  return failed(fault);
}

/** What a fault makes of a reaction. */
export function failed(error: unknown): Outcome {
  return { status: 'failed', summary: '', message: null, error: toRoleZeroError(error) };
}
