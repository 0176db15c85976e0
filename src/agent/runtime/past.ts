import type { PastExperience, StepSituation } from '../../core/experience.js';
import { planStatus } from '../../plan/plan-status.js';
import type { Agent } from './agent.js';

/** Past experience for a step: an example, and a similar step from the pool. */
export interface Past {
  example: string;
  known: PastExperience | null;
}

/** Returns past experience for the next step. */
export async function pastOf(agent: Agent): Promise<Past> {
  const { experience } = agent;
  const known = experience === undefined ? null : await experience.recall(() => situationOf(agent));
  return { known, example: await agent.hooks.retrieveExperience() };
}

function situationOf(agent: Agent): StepSituation {
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
