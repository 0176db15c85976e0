import { tool } from '@langchain/core/tools';
import { AIMessage } from '@langchain/core/messages';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import { serveLoops } from './contender.ts';

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

async function run(next, checkpointer) {
  const agent = createReactAgent({ llm: new InstantModel(next), tools: [add], checkpointer });
  await agent.invoke(
    { messages: [{ role: 'user', content: 'Add the numbers.' }] },
    { recursionLimit: 1_000_000, configurable: { thread_id: 'bench' } },
  );
}

serveLoops({
  'not stored': (next) => run(next),
  'stored in memory': (next) => run(next, new MemorySaver()),
});
