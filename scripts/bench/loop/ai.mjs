import { isStepCount, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';
import { serveLoops } from './contender.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const add = tool({
  description: 'Adds a number to the sum.',
  inputSchema: z.object({ n: z.number() }),
  execute: async ({ n }) => `added ${n}`,
});

const modelOf = (next) => ({
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'instant',
  supportedUrls: {},
  doGenerate: async () => {
    const n = next();
    return {
      content: [
        n === null
          ? { type: 'text', text: 'Done.' }
          : { type: 'tool-call', toolCallId: `call-${n}`, toolName: 'add', input: JSON.stringify({ n }) },
      ],
      finishReason: { unified: n === null ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    };
  },
});

serveLoops({
  'not stored': async (next) => {
    const agent = new ToolLoopAgent({
      model: modelOf(next),
      tools: { add },
      stopWhen: isStepCount(1_000_000),
    });
    await agent.generate({ prompt: 'Add the numbers.' });
  },
});
