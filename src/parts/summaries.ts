import { isAbort, RoleZeroError, toRoleZeroError } from '../core/error.js';
import { withoutThinking } from '../agent/parse/thinking.js';
import { fill } from '../agent/prompt/template.js';
import { CHARACTERS_PER_TOKEN } from '../agent/prompt/token-count.js';
import type { AgentPart, PartAgent } from '../agent/runtime/part.js';

/** Words per token, chosen so that a summary of this many words fits into its tokens in most languages. */
const WORDS_PER_TOKEN = 0.6;

/** Lets the model summarize messages that leave the conversation. Errors of the budget are thrown. */
export function summaries(agent: PartAgent): AgentPart {
  return {
    name: 'summaries',
    async summarize({ messages, tokens, ask }) {
      const { prompts } = agent.settings;
      const words = String(Math.floor(tokens * WORDS_PER_TOKEN));
      const lines = () =>
        messages.map(({ role, content }) => `${role === 'user' ? 'They' : 'You'}: ${content}`).join('\n\n');
      try {
        const reply = await ask((isApart) =>
          isApart
            ? fill(prompts.compact, { conversation: lines(), words })
            : fill(prompts.compactHere, { words }),
        );
        const summary = withoutThinking(reply).trim();
        if (summary === '')
          throw new RoleZeroError('model-request', 'The model returned an empty reply.', {});
        return summary.slice(0, tokens * CHARACTERS_PER_TOKEN * 2);
      } catch (error) {
        if (isAbort(error) || toRoleZeroError(error).code === 'budget') throw error;
        agent.warn(
          'Could not summarize the messages that leave the conversation; continuing without a summary.',
          error,
        );
        return null;
      }
    },
  };
}
