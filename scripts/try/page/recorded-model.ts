import type { ChatModel, ChatRequest } from 'rolezero/worker';
import { sameModel } from '../../../src/providers/same-model.js';
import type { RecordedCall } from '../../eval/task.js';

/** Sends each call to a path of the server of this script, also one that is stopped or fails. */
export function recordedModel(model: ChatModel, path: string): ChatModel {
  return {
    ...sameModel(model),
    async *chat(request) {
      const started = performance.now();
      const call: RecordedCall = { ...emptyCall(request) };
      try {
        for await (const chunk of model.chat(request)) {
          if (chunk.type === 'text-delta') call.reply += chunk.text;
          if (chunk.type === 'usage') {
            call.promptTokens += chunk.promptTokens;
            call.completionTokens += chunk.completionTokens;
          }
          yield chunk;
        }
      } catch (error) {
        call.reply += `\n[${String(error)}]`;
        throw error;
      } finally {
        call.ms = Math.round(performance.now() - started);
        // Awaited, so that the calls arrive in order, and before the end of the run.
        await fetch(path, { method: 'POST', body: JSON.stringify(call) }).catch(() => null);
      }
    },
  };
}

function emptyCall({ purpose, messages }: ChatRequest): RecordedCall {
  return {
    purpose,
    messages: messages.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : JSON.stringify(content),
    })),
    reply: '',
    promptTokens: 0,
    completionTokens: 0,
    ms: 0,
  };
}
