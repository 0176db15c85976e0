import { Agent } from '@earendil-works/pi-agent-core';
import { createAssistantMessageEventStream } from '@earendil-works/pi-ai';
import { num, obj } from '@earendil-works/pi-schema';
import { serveLoops } from './contender.ts';

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const model = {
  id: 'instant',
  name: 'instant',
  api: 'bench',
  provider: 'bench',
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost,
  contextWindow: 1_000_000,
  maxTokens: 4_096,
};
const add = {
  name: 'add',
  label: 'Add',
  description: 'Adds a number to the sum.',
  parameters: obj({ n: num() }),
  execute: async (_id, { n }) => ({ content: [{ type: 'text', text: `added ${n}` }], details: {} }),
};

function reply(n) {
  const stopReason = n === null ? 'stop' : 'toolUse';
  const message = {
    role: 'assistant',
    content: [
      n === null
        ? { type: 'text', text: 'Done.' }
        : { type: 'toolCall', id: `call-${n}`, name: 'add', arguments: { n } },
    ],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason,
    timestamp: Date.now(),
  };
  const stream = createAssistantMessageEventStream();
  stream.push({ type: 'start', partial: message });
  stream.push({ type: 'done', reason: stopReason, message });
  return stream;
}

serveLoops({
  'not stored': async (next) => {
    const agent = new Agent({
      initialState: { systemPrompt: 'Add the numbers.', model, tools: [add] },
      streamFn: () => reply(next()),
    });
    await agent.prompt('Add the numbers.');
    const { errorMessage } = agent.state;
    if (errorMessage) throw new Error(errorMessage);
  },
});
