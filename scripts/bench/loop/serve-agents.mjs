import { tool } from '@langchain/core/tools';
import { AIMessage } from '@langchain/core/messages';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { MemorySaver } from '@langchain/langgraph';
import { z } from 'zod';
import { serveLoops } from './contender.ts';

/** A model of LangChain that replies at once. */
class InstantModel extends BaseChatModel {
  constructor(next) {
    super({});
    this.next = next;
  }
  _llmType() {
    return 'instant';
  }
  bindTools() {
    return this;
  }
  async _generate() {
    const n = this.next();
    const message =
      n === null
        ? new AIMessage('Done.')
        : new AIMessage({ content: '', tool_calls: [{ id: `call-${n}`, name: 'add', args: { n } }] });
    return { generations: [{ text: '', message }] };
  }
}

const add = tool(async ({ n }) => `added ${n}`, {
  name: 'add',
  description: 'Adds a number to the sum.',
  schema: z.object({ n: z.number() }),
});

/** Runs agents of LangChain. `agentOf(model, tools, checkpointer)` creates one. */
export function serveAgents(agentOf) {
  const run = async (next, checkpointer) => {
    await agentOf(new InstantModel(next), [add], checkpointer).invoke(
      { messages: [{ role: 'user', content: 'Add the numbers.' }] },
      { recursionLimit: 1_000_000, configurable: { thread_id: 'bench' } },
    );
  };
  serveLoops({
    'not stored': (next) => run(next),
    'stored in memory': (next) => run(next, new MemorySaver()),
  });
}
