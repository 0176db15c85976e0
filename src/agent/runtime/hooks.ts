import type { TaskData } from '../../core/events.js';
import type { Command } from '../../core/human.js';
import type { Run } from './outcome.js';

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
