import type { DecoderRow, Device, GpuResult } from '../../../scripts/bench/gpu-report.js';
import { transformersEmbedder } from '../../../src/embedders/transformers/index.js';
import { transformers } from '../../../src/providers/transformers/index.js';
import { libraryWith } from '../../tiny-chain/served-library.js';
import {
  decoderFiles,
  encoderFiles,
  MINI_LM,
  QWEN_05B,
  QWEN_15B,
  SMALL,
  TINY_ENCODER,
  type DecoderShape,
  type EncoderShape,
} from './random-models.js';

type TransformersModel = ReturnType<typeof transformers>;

/** What the page asks for. */
export interface GpuTask {
  /** Largest model to run. `tiny` tries the benchmark itself, also on an emulated GPU. */
  largest: 'tiny' | '0.5B' | '1.5B';
}

async function run({ largest }: GpuTask): Promise<GpuResult> {
  const adapter = await describeAdapter();
  const encoder = await (largest === 'tiny' ? encoders(TINY_ENCODER, 4) : encoders(MINI_LM, 32));
  const [onGpu, onCpu] = [await reply('webgpu'), await reply('wasm')];
  const dtype = adapter.features.includes('shader-f16') ? 'q4f16' : 'q4';
  const decoders: DecoderRow[] = [];
  if (largest === 'tiny') {
    decoders.push(await decoder('tiny', SMALL, 'webgpu', dtype, [50, 300], 32));
  } else {
    decoders.push(await decoder('0.5B', QWEN_05B, 'webgpu', dtype, [100, 1_000, 3_000], 128));
    decoders.push(await decoder('0.5B', QWEN_05B, 'wasm', 'q4', [100], 16));
  }
  if (largest === '1.5B')
    decoders.push(await decoder('1.5B', QWEN_15B, 'webgpu', dtype, [100, 1_000, 3_000], 128));
  return { adapter, encoder, sameReply: onGpu === onCpu && onGpu.length > 16, decoders };
}

async function describeAdapter(): Promise<GpuResult['adapter']> {
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error('This browser offers no GPU to pages.');
  const { vendor, architecture, device, description } = adapter.info;
  const { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize } = adapter.limits;
  const limits = { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize };
  return { vendor, architecture, device, description, ...limits, features: [...adapter.features].toSorted() };
}

const words = 'the agent reads a page and writes what it found into a file of notes '.split(' ');

/** A text of so many bytes. */
function text(bytes: number, seed: number): string {
  let all = '';
  for (let at = seed; all.length < bytes; at = (at * 7 + 3) % 97) all += `${words[at % words.length]} `;
  return all.slice(0, bytes);
}

async function encoders(shape: EncoderShape, count: number): Promise<GpuResult['encoder']> {
  const name = 'random/mini-lm';
  const library = libraryWith(name, encoderFiles(shape));
  const texts = Array.from({ length: count }, (_, at) => text(128, at));
  const of = async (device: Device) => {
    const extract = await library.pipeline('feature-extraction', name, { device, dtype: 'fp32' });
    const pipeline = extract as unknown as Parameters<typeof transformersEmbedder>[0]['pipeline'];
    const embedder = transformersEmbedder({ model: name, dimensions: shape.width, pipeline });
    const vectors = await embedder.embed(texts); // Compiles the kernels.
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const from = performance.now();
      await embedder.embed(texts);
      times.push((performance.now() - from) / texts.length);
    }
    await extract.dispose();
    return { vectors, time: Math.min(...times) };
  };
  const [gpu, cpu] = [await of('webgpu'), await of('wasm')];
  let difference = 0;
  for (const [row, vector] of gpu.vectors.entries())
    for (const [at, number] of vector.entries())
      difference = Math.max(difference, Math.abs(number - (cpu.vectors[row]?.[at] ?? NaN)));
  return { webgpu: gpu.time, wasm: cpu.time, difference };
}

async function reply(device: Device): Promise<string> {
  const name = 'random/small';
  const library = libraryWith(name, decoderFiles(SMALL, 'q4'));
  const model = transformers({ library, model: name, options: { device, dtype: 'q4' } });
  const said = await say(model, text(300, 5), 48);
  await model.unload();
  return said.text;
}

async function say(model: TransformersModel, prompt: string, maxOutputTokens: number) {
  const from = performance.now();
  let all = '';
  let tokens = 0;
  let promptTokens = 0;
  const messages = [{ role: 'user' as const, content: prompt }];
  const { signal } = new AbortController();
  const request = { purpose: 'think', messages, temperature: 0, maxOutputTokens, signal } as const;
  for await (const chunk of model.chat(request)) {
    if (chunk.type === 'text-delta') all += chunk.text;
    if (chunk.type === 'usage') {
      tokens = chunk.completionTokens;
      promptTokens = chunk.promptTokens;
    }
  }
  return { text: all, tokens, promptTokens, seconds: (performance.now() - from) / 1000 };
}

async function decoder(
  name: string,
  shape: DecoderShape,
  device: Device,
  dtype: 'q4' | 'q4f16',
  lengths: readonly number[],
  tokens: number,
): Promise<DecoderRow> {
  const model = `random/${name}-${device}`;
  const files = decoderFiles(shape, dtype);
  const library = libraryWith(model, files);
  const loaded = transformers({ library, model, options: { device, dtype } });
  const from = performance.now();
  await loaded.countTokens('a');
  const load = (performance.now() - from) / 1000;
  files.clear();
  await say(loaded, text(50, 1), 4); // Compiles the kernels.
  const prompts: DecoderRow['prompts'] = [];
  let tokensPerSecond = 0;
  for (const length of lengths) {
    await say(loaded, text(length, 2), 1);
    const first = await say(loaded, text(length, 3), 1);
    const whole = await say(loaded, text(length, 3), tokens);
    prompts.push({ tokens: first.promptTokens, firstToken: first.seconds });
    tokensPerSecond = (whole.tokens - 1) / (whole.seconds - first.seconds);
    console.log(name, device, length, first.seconds, whole.seconds);
  }
  await loaded.unload();
  return { model: name, device, dtype, load, prompts, tokensPerSecond };
}

addEventListener('message', ({ data }: MessageEvent<GpuTask>) => {
  run(data).then(
    (result) => postMessage({ result }),
    (error: unknown) => postMessage({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});
