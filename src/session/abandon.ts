import type { Write } from '../core/store.js';
import type { AgentRuntime } from '../agent/runtime/agent-runtime.js';

/**
 * Gives up an interrupted turn: the next work of the agent closes it (`AgentBehavior.closeTurn`) before anything else. The session removes
 * its question, with an answer to it. Returns the writes to store.
 */
export function abandon(agent: AgentRuntime): Write[] {
  const { question, turn } = agent.state;
  if (turn === null && question === null) return [];
  agent.state.question = null;
  if (turn !== null) {
    turn.isGivenUp = true;
    agent.state.lastResult = null;
  }
  agent.state.actionIndex = -1;
  if (agent.state.phase !== 'idle') agent.enter('idle');
  return agent.stateWrites();
}
