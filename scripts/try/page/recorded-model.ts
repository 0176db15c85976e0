import type { ChatChunk, ChatModel, ChatRequest, ToolCall } from 'rolezero/worker';
import { sameModel } from '../../../src/providers/same-model.js';
import type { RecordedCall } from '../../eval/task.js';

/** Sends each call to a path of the server of this script, also one that is stopped or fails. */
export function recordedModel(model: ChatModel, path: string): ChatModel {
  return {
    ...sameModel(model),
    async *chat(request) {
      const started = performance.now();
      const calls: ToolCall[] = [];
      const call: RecordedCall = { ...emptyCall(request) };
      try {
        for await (const chunk of model.chat(request)) {
          if (chunk.type === 'text-delta') call.reply += chunk.text;
          if (chunk.type === 'tool-call') add(calls, chunk);
          if (chunk.type === 'usage') {
            call.promptTokens += chunk.promptTokens;
            call.completionTokens += chunk.completionTokens;
          }
          yield chunk;
        }
        call.text = call.reply;
      } catch (error) {
        call.reply += `\n[${String(error)}]`;
        throw error;
      } finally {
        if (calls.length > 0) call.calls = calls;
        call.reply = withCalls(call.reply, calls);
        call.ms = Math.round(performance.now() - started);
        // Awaited, so that the calls arrive in order, and before the end of the run.
        await fetch(path, { method: 'POST', body: JSON.stringify(call) }).catch(() => null);
      }
    },
  };
}

function add(calls: ToolCall[], { index, id, name, args }: Extract<ChatChunk, { type: 'tool-call' }>): void {
  const known = calls[index];
  if (known === undefined) calls[index] = { id, name, args };
  else known.args += args;
}

/** Returns a text with the calls beside it, one a line. */
function withCalls(text: string, calls: readonly ToolCall[] = []): string {
  return [...(text === '' ? [] : [text]), ...calls.map(({ name, args }) => `→ ${name}(${args})`)].join('\n');
}

function emptyCall({ purpose, messages }: ChatRequest): RecordedCall {
  return {
    purpose,
    messages: messages.map(({ role, content, toolCalls }) => ({
      role,
      content: withCalls(typeof content === 'string' ? content : JSON.stringify(content), toolCalls),
    })),
    reply: '',
    promptTokens: 0,
    completionTokens: 0,
    ms: 0,
  };
}
