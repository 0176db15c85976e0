import type { StepSituation } from '../../core/experience.js';
import { planStatus } from '../../plan/plan-status.js';
import type { Agent } from './agent.js';
import type { Recalled, StepResult } from './part.js';

/** What is known about a step before the model is asked. */
export interface Past extends Required<Recalled> {
  /** An example for the prompt; empty for none. */
  example: string;
}

/** Returns what the parts of an agent know about the next step. The first known reply is used. */
export async function pastOf(agent: Agent): Promise<Past> {
  const known: Recalled[] = [];
  for (const part of agent.parts) {
    const recalled = part.recall === undefined ? null : await part.recall(() => stepSituation(agent));
    if (recalled !== null) known.push(recalled);
  }
  return {
    reply: known.find(({ reply }) => reply !== null)?.reply ?? null,
    advice: known.flatMap(({ advice }) => (advice === '' ? [] : [advice])).join('\n\n'),
    markTaken: () => {
      for (const each of known) each.markTaken?.();
    },
    example: await agent.hooks.retrieveExperience(),
  };
}

/** Notifies the parts of an agent what became of the reply of a step. */
export async function notifyOfResult(agent: Agent, result: StepResult): Promise<void> {
  for (const part of agent.parts) if (part.onStepResult !== undefined) await part.onStepResult(result);
}

function stepSituation(agent: Agent): StepSituation {
  const { plan } = agent.goals;
  const { planStatus: status, currentTask } = planStatus(plan);
  return {
    tag: `${agent.kind}.think`,
    system: agent.hooks.systemPrompt({ run: agent.run, number: agent.turn().step }),
    goal: plan.goal,
    planStatus: status,
    currentTask,
    language: agent.settings.language ?? '',
    news: agent.unread(),
  };
}
