import { RoleZeroError } from '../../core/error.js';
import type { ChatModel } from '../../core/model.js';
import type { AgentRuntime, Player } from './agent-runtime.js';
import { askUser } from './ask-user.js';

/** The user in place of a model: reads prompts of any length, and text only. It is asked through `playedByUser`. */
const USER: ChatModel = {
  id: 'user',
  contextWindow: Infinity,
  chat() {
    throw new RoleZeroError('internal', 'A user who plays a role is asked through the session.', {});
  },
};

/**
 * A user who plays a role: questions to the model go to the user, and the replies cost nothing. The question is stored, so the user may
 * answer after a reload.
 */
export const playedByUser: Player = {
  model: USER,
  async ask(agent: AgentRuntime, run, { key, text }) {
    const question = typeof text === 'string' ? text : text(true).content;
    const answer = await askUser(agent, run, `play:${key}`, { kind: 'question', text: question });
    if (answer !== null)
      return { text: answer, cut: false, limit: null, promptHash: '', left: null, usage: null };
    throw new RoleZeroError('invalid', `${agent.name} is played by a user, and no user is connected.`, {
      role: agent.name,
    });
  },
};
