import { chat, maxIterations, toolDefinition } from '@tanstack/ai';
import { z } from 'zod';
import { serveLoops } from './contender.ts';

const add = toolDefinition({
  name: 'add',
  description: 'Adds a number to the sum.',
  inputSchema: z.object({ n: z.number() }),
}).server(async ({ n }) => `added ${n}`);

const adapterOf = (next) => ({
  kind: 'text',
  name: 'bench',
  model: 'instant',
  async *chatStream({ runId = 'run', threadId = 'thread' } = {}) {
    const n = next();
    const event = (type, rest) => ({ type, timestamp: Date.now(), model: 'instant', ...rest });
    yield event('RUN_STARTED', { runId, threadId });
    if (n === null) {
      const messageId = 'last';
      yield event('TEXT_MESSAGE_START', { messageId, role: 'assistant' });
      yield event('TEXT_MESSAGE_CONTENT', { messageId, delta: 'Done.' });
      yield event('TEXT_MESSAGE_END', { messageId });
    } else {
      const toolCallId = `call-${n}`;
      yield event('TOOL_CALL_START', { toolCallId, toolCallName: 'add', toolName: 'add', index: 0 });
      yield event('TOOL_CALL_ARGS', { toolCallId, delta: JSON.stringify({ n }) });
      yield event('TOOL_CALL_END', { toolCallId });
    }
    yield event('RUN_FINISHED', { runId, threadId, finishReason: n === null ? 'stop' : 'tool_calls' });
  },
  structuredOutput() {
    throw new Error('Structured output is not supported.');
  },
});

serveLoops({
  'not stored': async (next) => {
    const stream = chat({
      adapter: adapterOf(next),
      messages: [{ role: 'user', content: 'Add the numbers.' }],
      tools: [add],
      agentLoopStrategy: maxIterations(1_000_000),
    });
    for await (const chunk of stream) if (chunk.type === 'RUN_ERROR') throw new Error(JSON.stringify(chunk));
  },
});
