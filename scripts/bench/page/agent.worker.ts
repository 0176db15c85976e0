import { RoleZero, serve, type ChatModel } from '../../../src/worker/index.js';

/** Configuration of the model of a page's agent. */
export interface AgentConfig {
  /** Number of deltas in its only reply; then it ends the run. Infinity: it streams until it is stopped. */
  deltas: number;
  /** Its replies come from the server of the page, as those of a hosted model. */
  isRemote?: true;
}

serve<AgentConfig>(
  ({ deltas, isRemote }) =>
    new RoleZero({
      model: isRemote ? remote() : talker(deltas),
      summarize: false,
      maxSteps: 4,
      language: 'English',
    }),
);

function talker(deltas: number): ChatModel {
  return {
    id: 'talker',
    contextWindow: 1_000_000,
    async *chat({ purpose }) {
      if (purpose === 'think') {
        for (let delta = 0; delta < deltas; delta++) {
          yield { type: 'text-delta', text: 'word ' };
          if (deltas === Infinity) await new Promise((resolve) => setTimeout(resolve, 1));
        }
        yield { type: 'text-delta', text: '[{"command_name": "end", "args": {}}]' };
      } else yield { type: 'text-delta', text: purpose === 'classify' ? 'Response Category: TASK' : 'Done.' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** A model behind HTTP. The server notes when the first byte of a request arrives. */
function remote(): ChatModel {
  return {
    id: 'remote',
    contextWindow: 1_000_000,
    async *chat({ messages, signal }) {
      const response = await fetch('/model', { method: 'POST', body: JSON.stringify(messages), signal });
      yield { type: 'text-delta', text: await response.text() };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}
