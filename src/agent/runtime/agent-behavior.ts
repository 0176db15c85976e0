import type { Message } from '../../core/message.js';
import type { Outcome, Run } from './outcome.js';
import type { Stage } from './turn.js';

/** What the class of a role adds to its agent. */
export interface AgentBehavior {
  /** Where a turn begins. */
  firstStage(): Stage;
  /** Works on the current turn, from its stored stage to its end. */
  react(run: Run): Promise<Outcome>;
  /** Lets a model on this machine read the start of the next prompt. */
  prepare?(signal: AbortSignal): Promise<void>;
  /** Ends a turn that was given up: what its last reply did and did not do becomes part of the conversation. */
  closeTurn(run: Run): Promise<void>;
  /** Returns whether a message starts a turn. */
  concerns(message: Message): boolean;
  /** Sends a message with the next commit. Returns the names of its recipients. */
  publish(message: Message | null): string[];
  /** A failed turn forgets its request and observes it again when it is resumed. Otherwise, it continues where it failed. */
  readonly observesAgain: boolean;
}
