/** What happens between two steps: the application chooses settings (`prepareStep`) or stops the work (`stopWhen`), and the user is asked what
 * next when the model makes no progress.
 */
import { checkOptions } from '../core/check-options.js';
import { checkModel } from '../core/check-model.js';
import { describe, RoleZeroError } from '../core/error.js';
import { resultsIn, RunCommand, UserMessage } from '../core/message.js';
import { doesWork } from '../core/role-command-names.js';
import { checkRequestSettings, requestSettings } from '../core/request-settings.js';
import { groupOf } from '../core/tool.js';
import type { Agent } from './runtime/agent.js';
import type { RoleZeroOptions, StepFacts, StepSettings } from './runtime/role-zero-options.js';
import { fill } from './prompt/template.js';
import { askUser, asksToStop } from './runtime/ask-user.js';
import type { Turn } from './runtime/turn.js';

/** Returns whether a condition of the application ends the work. Before the first step, none does. */
export async function isStopped(agent: Agent): Promise<boolean> {
  if (agent.turn().step === 0) return false;
  const facts = stepFacts(agent);
  for (const condition of agent.settings.stopWhen)
    if (await callOption(agent, 'stopWhen', () => condition(facts))) return true;
  return false;
}

/** Returns the settings that the application chooses for the next step; empty for none. */
export async function chosenSettings(
  agent: Agent,
  choose: NonNullable<RoleZeroOptions['prepareStep']>,
): Promise<StepSettings> {
  await agent.context.whole?.(); // the facts contain all messages
  const chosen = await callOption(agent, 'prepareStep', () => choose(stepFacts(agent)));
  if (chosen) checkStep(chosen);
  return chosen ?? {};
}

/** Sets the settings of the next step. An instruction is given once: a resumed step has it already. */
export function enterStep(agent: Agent, step: StepSettings, isResumed: boolean): void {
  const turn = agent.turn();
  const requested = requestSettings(turn.request?.metadata);
  agent.step = step;
  const tools = step.tools ?? requested.tools;
  agent.shownTools.ofStep = tools === undefined ? null : namesOf(agent, tools);
  if (isResumed) return;
  const instructions = [turn.step === 0 ? requested.instruction : undefined, step.instruction];
  for (const text of instructions) if (text !== undefined) agent.state.notes.push(text);
}

function checkStep(step: StepSettings): void {
  const { model, ...settings } = step;
  checkOptions('prepareStep()', step, {
    model: true,
    instruction: true,
    tools: true,
    reasoning: true,
    temperature: true,
  });
  checkRequestSettings('prepareStep()', settings);
  if (model !== undefined) checkModel(model, 'model');
}

/** Returns the names of the tools that the model is shown. */
function namesOf({ registry }: Agent, wanted: readonly string[]): readonly string[] {
  const unknown = wanted.filter(
    (each) => !registry.tools.some(({ name }) => name === each || groupOf(name) === each),
  );
  if (unknown.length > 0)
    throw new RoleZeroError(
      'invalid',
      `\`tools\` of a step names what no tool or group is called: ${unknown.join(', ')}.`,
      {
        unknown,
      },
    );
  // Without its own commands, the model can neither answer nor end.
  return registry.names.filter(
    (name) => !doesWork(name) || wanted.includes(name) || wanted.includes(groupOf(name)),
  );
}

function stepFacts(agent: Agent): StepFacts {
  const { request, step } = agent.turn();
  const messages = agent.memory.get();
  const last = step === 0 ? undefined : messages.findLast(({ causeBy }) => causeBy === RunCommand.id);
  const commands = (resultsIn(last) ?? []).map(({ name, ok, output }) => ({
    name: String(name),
    ok: ok === true,
    output: String(output),
  }));
  return {
    step,
    request: request?.content ?? '',
    messages: messages.map((message) => message.toData()),
    commands,
  };
}

/** Calls a function of the application. @throws RoleZeroError `invalid` naming the option whose function failed. */
async function callOption<Value>(
  { name }: Agent,
  option: string,
  call: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw new RoleZeroError(
      'invalid',
      `\`${option}\` of the role ${name} failed: ${describe(error)}`,
      { option },
      error,
    );
  }
}

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
