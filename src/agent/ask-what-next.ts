import { RoleZeroError } from '../core/error.js';
import { RunCommand, UserMessage } from '../core/message.js';
import { fill } from './prompt/template.js';
import type { Agent } from './runtime/agent.js';
import { askUser, asksToStop } from './runtime/ask-user.js';
import type { Turn } from './runtime/turn.js';

/** After this many steps in a row without any success, the user is asked. */
const MAX_FAILED_STEPS = 5;

/** What the user wants. */
interface WhatNext {
  stops: boolean;
  /** Free text for the model; empty to try again. */
  advice: string;
}

/**
 * Asks the user how to continue when a model makes no progress: try again, choose another model, or stop.
 *
 * @param key Unique in the step.
 * @returns Null when no user is connected.
 * @throws RoleZeroError `model-request` when the user chooses another model; the run can then be resumed.
 */
export async function askWhatNext(agent: Agent, key: string, text: string): Promise<WhatNext | null> {
  const { tryAgain, anotherModel, stopWork } = agent.settings.prompts;
  const options = [tryAgain, anotherModel, stopWork];
  const answer = await askUser(agent, agent.run, key, { kind: 'question', text, options });
  if (answer === null) return null;
  const turn = agent.turn();
  delete turn.failedSteps;
  if (answer === anotherModel) {
    turn.replies = {}; // the other model is asked itself
    Reflect.deleteProperty(turn.answers, key);
    throw new RoleZeroError(
      'model-request',
      `${agent.model.id} could not do this work. Choose another model, then resume: no work is lost.`,
      { kind: 'another-model', model: agent.model.id, retryable: false },
    );
  }
  return { stops: asksToStop(answer, stopWork), advice: answer === tryAgain ? '' : answer };
}

/** Returns whether several steps in a row had no success. */
export function makesNoProgress({ failedSteps = 0 }: Pick<Turn, 'failedSteps'>): boolean {
  return failedSteps >= MAX_FAILED_STEPS;
}

/** Returns whether the work continues without progress: the user decides. */
export async function mayContinue(agent: Agent): Promise<boolean> {
  const turn = agent.turn();
  const { failedSteps = 0, step } = turn;
  const text = fill(agent.settings.prompts.noProgress, { steps: String(failedSteps) });
  const next = await askWhatNext(agent, `no-progress:${step}`, text);
  agent.enter('thinking');
  delete turn.failedSteps;
  if (next === null)
    agent.state.notes.push(`None of your last ${failedSteps} steps had any success. Do something else.`);
  else if (next.advice !== '' && !next.stops)
    agent.remember(
      agent.newMessage(UserMessage, { content: `Human response: ${next.advice}`, causeBy: RunCommand }),
    );
  return next?.stops !== true;
}
