/** What the application decides before a step: the options `prepareStep` and `stopWhen`, and the settings of the request. */
import { checkOptions } from '../core/check-options.js';
import { checkModel } from '../core/check-model.js';
import { describe, RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import { RunCommand } from '../core/message.js';
import { doesWork } from '../core/role-command-names.js';
import { checkRequestSettings, requestSettings } from '../core/request-settings.js';
import { groupOf } from '../core/tool.js';
import type { Agent } from './runtime/agent.js';
import type { RoleZeroOptions, StepFacts, StepSettings } from './runtime/role-zero-options.js';

/** Returns whether a condition of the application ends the work. Before the first step, none does. */
export async function isStopped(agent: Agent): Promise<boolean> {
  if (agent.turn().step === 0) return false;
  const facts = stepFacts(agent);
  for (const condition of agent.settings.stopWhen)
    if (await called(agent, 'stopWhen', () => condition(facts))) return true;
  return false;
}

/** Returns the settings that the application chooses for the next step; empty for none. */
export async function chosenSettings(
  agent: Agent,
  choose: NonNullable<RoleZeroOptions['prepareStep']>,
): Promise<StepSettings> {
  await agent.context.whole?.(); // the facts contain all messages
  const chosen = await called(agent, 'prepareStep', () => choose(stepFacts(agent)));
  if (chosen) check(chosen);
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

function check(step: StepSettings): void {
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
  const results: unknown = last?.metadata['results'];
  const commands = (Array.isArray(results) ? results : []).filter(isRecord).map(({ name, ok, output }) => ({
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
async function called<Value>(
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
