import { RoleZeroError } from '../../src/core/error.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../../src/core/model.js';

/** A request with one question. */
export function ask(more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    purpose: 'think',
    messages: [{ role: 'user', content: 'Hi' }],
    signal: new AbortController().signal,
    ...more,
  };
}

/** All that a call yields, and the error that ends it, if one does. The texts of adjacent deltas of one kind are joined. */
export async function collect(
  model: ChatModel,
  request: ChatRequest = ask(),
): Promise<{ chunks: ChatChunk[]; error: RoleZeroError | null }> {
  const chunks: ChatChunk[] = [];
  try {
    for await (const chunk of model.chat(request)) {
      const last = chunks.at(-1);
      if (isDelta(chunk) && last?.type === chunk.type) {
        chunks[chunks.length - 1] = { type: chunk.type, text: last.text + chunk.text };
      } else {
        chunks.push(chunk);
      }
    }
    return { chunks, error: null };
  } catch (error) {
    if (error instanceof RoleZeroError) return { chunks, error };
    throw error;
  }
}

/** The text of a reply that must come without error. */
export async function textOf(model: ChatModel, request: ChatRequest = ask()): Promise<string> {
  const { chunks, error } = await collect(model, request);
  if (error !== null) throw error;
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('');
}

function isDelta(chunk: ChatChunk): chunk is Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }> {
  return chunk.type === 'text-delta' || chunk.type === 'reasoning-delta';
}
