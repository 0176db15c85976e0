import type { Message } from '../../core/message.js';
import type { AgentRuntime } from './agent-runtime.js';
import type { Outcome, Run } from './outcome.js';

/** A role of a team: a `RoleZero`, or a `Role` that works in a fixed procedure. */
export interface TeamRole {
  readonly name: string;
  readonly profile: string;
  readonly goal: string;
  /** Its state, memory, and inbox. */
  readonly agent: AgentRuntime;
  /** Returns whether a message starts a turn. */
  concerns(message: Message): boolean;
  /** Resumes an interrupted turn, or starts one for the messages in the inbox; null when there was nothing to do. */
  work(run: Run): Promise<Outcome | null>;
}
