import { RoleZero, serve, type ChatModel } from '../../../src/worker/index.js';

/** Configuration of the model of a page's agent. */
export interface AgentConfig {
  /** Number of deltas in its only reply; then it ends the run. Infinity: it streams until it is stopped. */
  deltas: number;
  /** Its replies come from the server of the page, as those of a hosted model. */
  isRemote?: true;
  /** It thinks aloud, slowly: each word is the time at which it is given, in ms since 1970. */
  givesTimes?: true;
}

serve<AgentConfig>(
  ({ deltas, isRemote, givesTimes }) =>
    new RoleZero({
      model: isRemote ? remote() : givesTimes ? timed() : talker(deltas),
      summarize: false,
      maxSteps: 4,
      language: 'English',
    }),
);

/** A word of four letters and a space. They differ: a reply that repeats itself is ended. */
function wordOf(number: number): string {
  return `${(Math.imul(number + 1, 0x9e37_79b1) >>> 8).toString(36).padStart(4, 'a').slice(0, 4)} `;
}

/** Words of a slow thought. */
const TIMED_WORDS = 100;

function talker(deltas: number): ChatModel {
  return {
    id: 'talker',
    contextWindow: 1_000_000,
    async *chat({ purpose }) {
      if (purpose === 'think') {
        for (let delta = 0; delta < deltas; delta++) {
          yield { type: 'text-delta', text: wordOf(delta) };
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

/** A model that streams as fast as a hosted one. */
function timed(): ChatModel {
  return {
    id: 'timed',
    contextWindow: 1_000_000,
    async *chat({ purpose }) {
      if (purpose === 'think') {
        for (let word = 0; word < TIMED_WORDS; word++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          yield { type: 'text-delta', text: ` ${(performance.timeOrigin + performance.now()).toFixed(2)}` };
        }
        yield { type: 'text-delta', text: '\n[{"command_name": "end", "args": {}}]' };
      } else yield { type: 'text-delta', text: purpose === 'classify' ? 'Response Category: TASK' : 'Done.' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}
