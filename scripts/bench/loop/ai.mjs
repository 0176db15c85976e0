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
    return { content: [n === null ? { type: 'text', text: 'Done.' } : callOf(n)], ...endOf(n), warnings: [] };
  },
  doStream: async () => {
    const n = next();
    const parts =
      n === null
        ? [
            { type: 'text-start', id: '0' },
            { type: 'text-delta', id: '0', delta: 'Done.' },
            { type: 'text-end', id: '0' },
          ]
        : [callOf(n)];
    const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', ...endOf(n) }];
    return { stream: streamOf(chunks) };
  },
});

const callOf = (n) => ({
  type: 'tool-call',
  toolCallId: `call-${n}`,
  toolName: 'add',
  input: JSON.stringify({ n }),
});

const endOf = (n) => ({
  finishReason: { unified: n === null ? 'stop' : 'tool-calls', raw: undefined },
  usage,
});

const streamOf = (chunks) =>
  new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

const agentOf = (next) =>
  new ToolLoopAgent({ model: modelOf(next), tools: { add }, stopWhen: isStepCount(1_000_000) });

serveLoops({
  'not stored': async (next) => {
    await agentOf(next).generate({ prompt: 'Add the numbers.' });
  },
  'not stored, streamed': async (next) => {
    const { fullStream } = await agentOf(next).stream({ prompt: 'Add the numbers.' });
    for await (const part of fullStream) if (part.type === 'error') throw part.error;
  },
});
