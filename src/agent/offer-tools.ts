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
