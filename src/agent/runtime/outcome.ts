import { isAbort, RoleZeroError, toRoleZeroError } from '../../core/error.js';
import type { RunStatus } from '../../core/events.js';
import type { Question } from '../../core/human.js';
import type { JsonValue } from '../../core/json.js';
import type { Message } from '../../core/message.js';

/** Outcome of a turn: `message` is what the role published, `error` why it failed or which budget is spent, `output` its typed answer. */
export interface Outcome {
  status: RunStatus;
  summary: string;
  message: Message | null;
  error: RoleZeroError | null;
  output?: JsonValue;
  /** See `RunResult`. */
  failedCommands?: number;
}

/** A run, which can be stopped from outside. */
export interface Run {
  readonly id: string;
  /** Passed to model calls, tools, and questions. */
  readonly signal: AbortSignal;
}

/** Thrown to end a run whose question has no answer yet. The question stays open and the run can be resumed. */
export class Suspension extends Error {
  override readonly name = 'Suspension';
  constructor(readonly question: Question) {
    super(`Waiting for ${question.kind === 'approval' ? 'an approval' : 'an answer'}: ${question.text}`);
  }
}

/** The reason with which a session that is closed aborts its run. The user did not stop that run: it can be resumed as after a crash. */
export function sessionLeft(): RoleZeroError {
  return new RoleZeroError('aborted', 'The session was closed.', { closed: true });
}

export function isSessionLeft(reason: unknown): boolean {
  return reason instanceof RoleZeroError && reason.detail['closed'] === true;
}

/** Returns the outcome of a turn that ended with an error. Open questions, stops, and spent budgets are not failures. */
export function outcomeOf(error: unknown, run: Run): Outcome {
  const none = { summary: '', message: null, error: null };
  if (error instanceof Suspension) return { ...none, status: 'waiting', summary: error.message };
  if (run.signal.aborted || isAbort(error)) return { ...none, status: 'stopped' };
  const fault = toRoleZeroError(error);
  if (fault.code === 'budget') return { ...none, status: 'exhausted', summary: fault.message, error: fault };
  return failed(fault);
}

/** Returns the outcome of a failed turn. */
export function failed(error: unknown): Outcome {
  return { status: 'failed', summary: '', message: null, error: toRoleZeroError(error) };
}
