import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import { memoryFor, nextSmaller, obstacleOf } from '../../../../src/providers/web-llm/choose-model.js';
import { models, recommendModel, webLLM } from '../../../../src/providers/web-llm/index.js';
import type { Adapter } from '../../../../src/providers/web-llm/choose-model.js';
import { suitableModels } from '../../../../src/providers/web-llm/choose-model.js';

const GIB = 2 ** 30;

function adapter({ f16 = true, ...limits }: { f16?: boolean } & Partial<Adapter['limits']> = {}): Adapter {
  return {
    features: new Set(f16 ? ['shader-f16'] : []),
    limits: {
      maxBufferSize: GIB,
      maxStorageBufferBindingSize: GIB,
      maxComputeWorkgroupStorageSize: 32_768,
      maxStorageBuffersPerShaderStage: 10,
      ...limits,
    },
  };
}

const chosen = (...given: Parameters<typeof recommendModel>) => recommendModel(...given).model?.id ?? null;

test('lists the models as web-llm describes them', () => {
  const listed = models().filter(({ id }) => suitableModels.some((model) => model.id === id));
  expect(listed.toSorted(byId)).toEqual([...suitableModels].toSorted(byId));
  expect(listed).toHaveLength(10);
});

test('lists what each model needs, without embedding models', () => {
  expect(models().length).toBeGreaterThan(100);
  expect(models().filter(({ id }) => id.includes('embed'))).toEqual([]);
  expect(models().find(({ id }) => id === 'gemma-4-E2B-it-q4f32_1-MLC')).toEqual({
    id: 'gemma-4-E2B-it-q4f32_1-MLC',
    vramMB: 3862.72,
    contextWindow: 4096,
    features: [],
    bufferBytes: 201_326_592,
    lowResource: false,
  });
});

test('selects the largest model that fits into memory, with 16-bit numbers where the GPU supports them', () => {
  expect(chosen(adapter())).toBe('Qwen2.5-1.5B-Instruct-q4f16_1-MLC');
  expect(chosen(adapter({ f16: false }))).toBe('Qwen2.5-1.5B-Instruct-q4f32_1-MLC');
  expect(chosen(adapter(), { memoryMB: 4_000 })).toBe('Qwen3-4B-q4f16_1-MLC');
  expect(chosen(adapter(), { memoryMB: 2_200 })).toBe('Qwen3-1.7B-q4f16_1-MLC');
  expect(chosen(adapter(), { memoryMB: 1_000 })).toBe('Llama-3.2-1B-Instruct-q4f16_1-MLC');
  expect(
    chosen(adapter(), { memoryMB: 1_000, models: models().filter(({ id }) => /SmolLM2/.test(id)) }),
  ).toBe('SmolLM2-360M-Instruct-q0f16-MLC');
});

test('explains the choice', () => {
  expect(recommendModel(adapter()).reason).toBe(
    'Qwen2.5-1.5B-Instruct-q4f16_1-MLC is the most capable model that this GPU, which computes with 16-bit numbers, can run: it needs 1.6 GB of the 2.0 GB of memory it may take.',
  );
  expect(recommendModel(adapter({ f16: false }), { memoryMB: 500 })).toEqual({
    model: null,
    reason:
      'No model runs on this GPU, which cannot compute with 16-bit numbers: the smallest, Llama-3.2-1B-Instruct-q4f32_1-MLC, needs 1.1 GB, and 0.5 GB may be taken.',
  });
  expect(recommendModel(null).reason).toBe(
    'This browser offers no WebGPU: it is too old, the GPU is blocked, or hardware acceleration is turned off.',
  );
  expect(recommendModel({ ...adapter(), info: { isFallbackAdapter: true } })).toEqual({
    model: null,
    reason:
      'WebGPU is available but runs on the processor instead of a GPU, which takes many seconds for each word.',
  });
  expect(recommendModel(adapter({ maxStorageBuffersPerShaderStage: 8 })).reason).toBe(
    'This GPU is too limited for language models: maxStorageBuffersPerShaderStage is 8, and 10 is needed.',
  );
});

test('does not choose a model that needs larger buffers than the GPU allows', () => {
  const gemma = models().filter(({ id }) => id.startsWith('gemma-2b-it-q4f32_1'));
  expect(chosen(adapter(), { models: gemma })).toBe('gemma-2b-it-q4f32_1-MLC');
  expect(
    recommendModel(adapter({ maxStorageBufferBindingSize: GIB - 4 }), { models: gemma }).reason,
  ).toContain('gemma-2b-it-q4f32_1-MLC needs buffers of 0.3 GB, and the GPU gives 0.1 GB');
  expect(obstacleOf(adapter({ maxStorageBufferBindingSize: GIB - 4 }))).toBe(null);
});

test('estimates memory from what the browser reports', () => {
  expect([null, 2, 4, 8, 16, 32].map(memoryFor)).toEqual([2_000, 1_000, 1_000, 2_000, 4_000, 4_000]);
});

test('suggests the next smaller model, until there is none', () => {
  const next = (id: string, on: Adapter | null = adapter()) => {
    const model = models().find((one) => one.id === id);
    return model === undefined ? undefined : nextSmaller(model, on, models());
  };
  expect(next('Llama-3.1-8B-Instruct-q4f16_1-MLC')).toBe('Qwen3-4B-q4f16_1-MLC');
  expect(next('Qwen3-4B-q4f16_1-MLC')).toBe('Qwen3-1.7B-q4f16_1-MLC');
  expect(next('Qwen3-4B-q4f16_1-MLC', adapter({ f16: false }))).toBe('Qwen3-1.7B-q4f32_1-MLC');
  expect(next('Llama-3.2-1B-Instruct-q4f16_1-MLC')).toBe('SmolLM2-360M-Instruct-q0f16-MLC');
  expect(next('SmolLM2-135M-Instruct-q0f16-MLC')).toBe(null);
});

test('rejects unknown models and impossible limits', () => {
  expect(() => webLLM('Qwen3-2B')).toThrow(
    expect.objectContaining({
      code: 'invalid',
      message: expect.stringContaining('It has Qwen3-0.6B-q4f16_1-MLC, ') as string,
    }),
  );
  for (const wrong of [{ contextWindow: 0 }, { contextWindow: 1.5 }, { maxOutputTokens: -1 }])
    expect(() => webLLM({ model: 'Qwen3-1.7B-q4f16_1-MLC', ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
});

test('takes name and sizes of its model', () => {
  const record = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === 'Qwen3-1.7B-q4f16_1-MLC');
  if (record === undefined) throw new Error('The README names this model.');
  expect(webLLM('Qwen3-1.7B-q4f16_1-MLC')).toMatchObject({
    id: 'web-llm/Qwen3-1.7B-q4f16_1-MLC',
    contextWindow: 4_096,
    maxOutputTokens: 1_024,
    supports: { jsonSchema: true, images: false, seed: true },
  });
  const slid = { ...record, overrides: { context_window_size: -1, sliding_window_size: 2_048 } };
  expect(webLLM({ model: record.model_id, appConfig: { model_list: [slid] } }).contextWindow).toBe(2_048);
  expect(webLLM({ model: record.model_id, contextWindow: 8_192 }).contextWindow).toBe(8_192);
});

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
