import type { Agent } from './runtime/agent.js';
import { withoutEnvelope } from '../core/envelope.js';

/** Chooses the tools that the model is shown for the request, once per turn. All tools may still be used. */
export async function offerTools(agent: Agent): Promise<void> {
  const turn = agent.turn();
  if (agent.recommender === undefined || turn.offered !== undefined) return;
  try {
    const context = withoutEnvelope(turn.request?.content ?? '');
    turn.offered = (await agent.recommender.recommend({ context })).map(({ name }) => name);
  } catch (error) {
    agent.warn('Could not choose the matching tools; offering all of them.', error);
  }
}

/** Lets the parts prepare a step. Returns null when none of them does. */
export function prepareParts(agent: Agent): Promise<void> | null {
  for (const part of agent.parts) if (part.beforeStep !== undefined) return prepareAll(agent);
  return null;
}

/** When the parts have changed the tools, those for the request are chosen again. */
async function prepareAll(agent: Agent): Promise<void> {
  const { version } = agent.registry;
  for (const part of agent.parts) if (part.beforeStep !== undefined) await part.beforeStep(agent.run.signal);
  const turn = agent.turn();
  if (agent.registry.version === version || turn.offered === undefined) return;
  delete turn.offered;
  await offerTools(agent);
}
