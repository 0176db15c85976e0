import type { WebLLMModel } from './model.js';

/**
 * Instruct models of web-llm's list with a size suitable for browsers, most capable first, each for GPUs with and without 16-bit floats.
 * They are copied here so that pages that only choose a model need not load the 2 MB engine that contains the list.
 */
export const suitableModels: readonly WebLLMModel[] = [
  suitable('Qwen3-8B-q4f16_1-MLC', 5695.78, false),
  suitable('Qwen3-8B-q4f32_1-MLC', 6852.55, false),
  suitable('Qwen3-4B-q4f16_1-MLC', 3431.59),
  suitable('Qwen3-4B-q4f32_1-MLC', 4327.71),
  suitable('Qwen3-1.7B-q4f16_1-MLC', 2036.66),
  suitable('Qwen3-1.7B-q4f32_1-MLC', 2635.44),
  suitable('Qwen2.5-1.5B-Instruct-q4f16_1-MLC', 1629.75),
  suitable('Qwen2.5-1.5B-Instruct-q4f32_1-MLC', 1888.97),
  suitable('Llama-3.2-1B-Instruct-q4f16_1-MLC', 879.04),
  suitable('Llama-3.2-1B-Instruct-q4f32_1-MLC', 1128.82),
];

function suitable(id: string, vramMB: number, lowResource = true): WebLLMModel {
  const features = id.includes('f16') ? ['shader-f16'] : [];
  return { id, vramMB, contextWindow: 4096, features, bufferBytes: null, lowResource };
}
