import type { TaskData } from '../../core/events.js';
import type { Command } from '../../core/human.js';
import type { Message } from '../../core/message.js';
import type { Outcome, Run } from './outcome.js';
import type { Stage } from './turn.js';

/** The current step, for subclasses that override a hook. */
export interface Step {
  run: Run;
  /** Completed steps of the turn. */
  number: number;
}

/**
 * What a subclass of `RoleZero` can change about a turn. Each hook is a protected method of `RoleZero` with the same name; its doc comment
 * states the default.
 */
export interface Hooks {
  /** Returns one line that describes the role. Must be the same in every step. */
  prefix(): string;
  /** Returns the system prompt. Must be the same in every step of a turn. */
  systemPrompt(step: Step): string;
  /** Returns the description of the commands for the system prompt. Must be the same in every step of a turn. */
  commandList(): string;
  /** Returns the state of the tools for the status block. */
  currentState(): string;
  /** Returns examples for the prompt. */
  retrieveExperience(): Promise<string>;
  /** Returns whether the request is a new goal, and not a message about the current one. */
  bringsGoal(): boolean;
  /** Returns whether the work is finished, so that no `end` command is needed. */
  isFulfilled(): boolean;
  /** Called before the model is asked for the commands of a step. */
  beforeThinking(): void;
  /** Returns the commands of a reply that are run. */
  accepted(commands: readonly Command[]): readonly Command[];
  /** Runs the command `end`. Returns the summary. */
  end(): Promise<string>;
  /** Called when a task is finished. Changes of the role are committed together with it. */
  onTaskFinished(task: TaskData): void;
  /** Called after `onTaskFinished` for the last open task. */
  onPlanFinished(): void;
}

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
