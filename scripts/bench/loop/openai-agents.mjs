import { Agent, MemorySession, run, setTracingDisabled, tool, Usage } from '@openai/agents-core';
import { z } from 'zod';
import { serveLoops } from './contender.ts';

setTracingDisabled(true);
const add = tool({
  name: 'add',
  description: 'Adds a number to the sum.',
  parameters: z.object({ n: z.number() }),
  execute: async ({ n }) => `added ${n}`,
});

const modelOf = (next) => ({
  async getResponse() {
    const n = next();
    const output =
      n === null
        ? {
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Done.' }],
          }
        : {
            type: 'function_call',
            callId: `call-${n}`,
            name: 'add',
            status: 'completed',
            arguments: JSON.stringify({ n }),
          };
    return { usage: new Usage(), output: [output] };
  },
  getStreamedResponse() {
    throw new Error('Streaming is not supported.');
  },
});

async function work(next, session) {
  const agent = new Agent({
    name: 'Bench',
    instructions: 'Add the numbers.',
    model: modelOf(next),
    tools: [add],
  });
  await run(agent, 'Add the numbers.', {
    maxTurns: 1_000_000,
    ...(session === undefined ? {} : { session }),
  });
}

serveLoops({
  'not stored': (next) => work(next),
  'stored in memory': (next) => work(next, new MemorySession()),
});
