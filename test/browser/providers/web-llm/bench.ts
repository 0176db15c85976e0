import { inject, onTestFinished, vi } from 'vitest';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest } from '../../../../src/core/model.js';
import { webLLM } from '../../../../src/providers/web-llm/index.js';
import { ask, collect } from '../../../fault-server/collect.js';
import { saying } from '../../../tiny-model/model-files.js';
import { tinyModel } from '../../../tiny-model/tiny-model.js';

type WebLLM = ReturnType<typeof webLLM>;
type WebLLMOptions = Exclude<Parameters<typeof webLLM>[0], string>;

/** Returns a model that no other test uses. It is unloaded at the end of the test. */
export function fresh(options: Partial<WebLLMOptions> = {}): WebLLM {
  const { model, appConfig } = tinyModel(inject('modelServer'));
  return ended(webLLM({ model, appConfig, ...options }));
}

/** Unloads the model at the end of the test. */
export function ended(model: WebLLM): WebLLM {
  onTestFinished(() => model.unload());
  return model;
}

export const user = (content: string): ChatMessage => ({ role: 'user', content });
export const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

/** Returns a request that the model answers with this reply. */
export const askFor = (reply: string, more: Partial<ChatRequest> = {}) =>
  ask({ messages: [user(saying(reply))], ...more });

export const kinds = (chunks: readonly ChatChunk[]) => chunks.map(({ type }) => type);
export const progress = (chunks: readonly ChatChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'progress' ? [chunk.text] : []));

/** Returns the prompt tokens of a call, and how many of them were cached. */
export async function tokens(
  model: ChatModel,
  messages: ChatMessage[],
): Promise<{ prompt: number; held: number }> {
  const { chunks, error } = await collect(model, ask({ messages }));
  const usage = chunks.find((chunk) => chunk.type === 'usage');
  if (usage === undefined || error !== null) throw error ?? new Error('Nothing was counted.');
  return { prompt: usage.promptTokens, held: usage.cachedPromptTokens ?? 0 };
}

/** Returns a list that collects the GPU devices requested from now on, so that they can be destroyed. */
export function devices(): GPUDevice[] {
  const made: GPUDevice[] = [];
  const request = GPUAdapter.prototype.requestDevice;
  vi.spyOn(GPUAdapter.prototype, 'requestDevice').mockImplementation(async function (
    this: GPUAdapter,
    ...options
  ) {
    const device = await request.apply(this, options);
    made.push(device);
    return device;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return made;
}
