import type { ChatModel } from '../../core/model.js';
import type { MessageData } from '../../core/message.js';
import type { RequestSettings } from '../../core/request-settings.js';

/** What is known before a step. */
export interface StepFacts {
  /** Number of completed steps of the request. */
  step: number;
  /** The request. */
  request: string;
  /** What the role remembers, oldest first. */
  messages: readonly MessageData[];
  /** The commands of the step before, with their results. */
  commands: readonly { name: string; ok: boolean; output: string }[];
}

/** Settings of one step, in place of those of the request and of the role. */
export interface StepSettings extends Omit<RequestSettings, 'maxSteps'> {
  /** The model that is asked. */
  model?: ChatModel;
}

/** Chooses settings for the next step, before the model is asked. */
export type PrepareStep = (
  facts: StepFacts,
) => StepSettings | undefined | void | Promise<StepSettings | undefined | void>;

/** Returns whether the work ends before the next step. */
export type StopCondition = (facts: StepFacts) => boolean | Promise<boolean>;
