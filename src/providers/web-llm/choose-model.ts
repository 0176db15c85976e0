import type { WebLLMModel } from './model.js';
import { suitableModels } from './suitable-models.js';

/** As much of a `GPUAdapter` as is needed to tell what it can run. */
export interface Adapter {
  readonly features: { has(feature: string): boolean };
  readonly limits: {
    readonly maxBufferSize: number;
    readonly maxStorageBufferBindingSize: number;
    readonly maxComputeWorkgroupStorageSize: number;
    readonly maxStorageBuffersPerShaderStage: number;
  };
  readonly info?: { readonly vendor?: string; readonly isFallbackAdapter?: boolean };
}

export interface ChooseOptions {
  /**
   * Megabytes of GPU memory the model may take. WebGPU does not tell how much there is, and a model that is too large loses the device.
   * Default 2000, which most machines of the last years have to spare; `chooseModel` goes by the size of the machine's memory.
   */
  memoryMB?: number;
  /** Choose among these, the ablest first. Default: a few of web-llm's own list which suit most; `models` gives all of them. */
  models?: readonly WebLLMModel[];
}

/** A model, or none, and why, in words for people. */
export interface Recommendation {
  model: WebLLMModel | null;
  reason: string;
}

const USUAL_MEMORY_MB = 2_000;

/**
 * Which model a WebGPU adapter can run, and why that one, or why none. Pure: nothing is asked of the browser.
 *
 * @example recommendModel(await navigator.gpu.requestAdapter())
 * // { model: { id: 'Qwen2.5-1.5B-Instruct-q4f16_1-MLC', … }, reason: 'Qwen2.5-1.5B-Instruct-q4f16_1-MLC is the ablest model that …' }
 */
export function recommendModel(adapter: Adapter | null, options: ChooseOptions = {}): Recommendation {
  const { memoryMB = USUAL_MEMORY_MB, models = suitableModels } = options;
  const obstacle = obstacleOf(adapter);
  if (obstacle !== null || adapter === null) return { model: null, reason: obstacle ?? NO_WEBGPU };
  if (adapter.info?.isFallbackAdapter === true)
    return {
      model: null,
      reason:
        'WebGPU is there but computed by the processor instead of a GPU, which takes many seconds for each word.',
    };
  const runnable = models.filter((model) => whyNot(model, adapter) === null);
  const model = runnable.find(({ vramMB }) => vramMB !== null && vramMB <= memoryMB);
  const halves = adapter.features.has('shader-f16')
    ? 'which computes with 16-bit numbers'
    : 'which cannot compute with 16-bit numbers';
  if (model !== undefined) {
    const needs = `needs ${gigabytes(model.vramMB ?? 0)} of the ${gigabytes(memoryMB)} of memory it may take`;
    return {
      model,
      reason: `${model.id} is the ablest model that this GPU, ${halves}, can run: it ${needs}.`,
    };
  }
  const smallest = runnable.at(-1);
  const missing =
    smallest === undefined
      ? (models.map((one) => whyNot(one, adapter)).find((why) => why !== null) ??
        'there is none to choose from')
      : `the smallest, ${smallest.id}, needs ${gigabytes(smallest.vramMB ?? 0)}, and ${gigabytes(memoryMB)} may be taken`;
  return { model: null, reason: `No model runs on this GPU, ${halves}: ${missing}.` };
}

/**
 * Asks the browser for its GPU and for the size of the machine's memory, and recommends a model for them. Works on pages and in workers.
 * Never throws: without WebGPU the reason says so.
 */
export async function chooseModel(options: ChooseOptions = {}): Promise<Recommendation> {
  const memory = Reflect.get(navigator, 'deviceMemory') as unknown;
  const memoryMB = options.memoryMB ?? memoryFor(typeof memory === 'number' ? memory : null);
  return recommendModel(await currentAdapter(), { ...options, memoryMB });
}

/** The adapter that web-llm will use; null where there is none. */
export async function currentAdapter(): Promise<Adapter | null> {
  const gpu = Reflect.get(navigator, 'gpu') as GPU | undefined;
  try {
    return (await gpu?.requestAdapter({ powerPreference: 'high-performance' })) ?? null;
  } catch {
    return null; // a browser that names WebGPU and refuses it
  }
}

/** Gigabytes of the machine's memory, as rounded as browsers tell it, to megabytes a model may take. */
export function memoryFor(deviceMemory: number | null): number {
  if (deviceMemory === null) return USUAL_MEMORY_MB;
  if (deviceMemory >= 16) return 2 * USUAL_MEMORY_MB;
  return deviceMemory >= 8 ? USUAL_MEMORY_MB : USUAL_MEMORY_MB / 2;
}

const NO_WEBGPU =
  'This browser offers no WebGPU: it is too old, the GPU is blocked, or hardware acceleration is turned off.';

/** Why no model at all runs on an adapter; null when some do. The limits are those web-llm asks each device for. */
export function obstacleOf(adapter: Adapter | null): string | null {
  if (adapter === null) return NO_WEBGPU;
  const needed: [keyof Adapter['limits'], number][] = [
    ['maxBufferSize', 256 * 2 ** 20],
    ['maxStorageBufferBindingSize', 128 * 2 ** 20],
    ['maxComputeWorkgroupStorageSize', 32 * 2 ** 10],
    ['maxStorageBuffersPerShaderStage', 10],
  ];
  const short = needed.filter(([limit, least]) => adapter.limits[limit] < least);
  if (short.length === 0) return null;
  const told = short.map(([limit, least]) => `${limit} is ${adapter.limits[limit]}, and ${least} is needed`);
  return `This GPU is too limited for language models: ${told.join('; ')}.`;
}

/** What an adapter lacks for a model; null when nothing. */
export function whyNot(model: WebLLMModel, adapter: Adapter): string | null {
  const missing = model.features.find((feature) => !adapter.features.has(feature));
  if (missing !== undefined) return `${model.id} needs the WebGPU feature ${missing}`;
  const { maxStorageBufferBindingSize: offered } = adapter.limits;
  // web-llm asks devices for 1 GiB, and for 128 MiB where that is not to be had.
  const granted = offered >= 2 ** 30 ? 2 ** 30 : 2 ** 27;
  if (model.bufferBytes !== null && model.bufferBytes > granted)
    return `${model.id} needs buffers of ${gigabytes(model.bufferBytes / 2 ** 20)}, and the GPU gives ${gigabytes(granted / 2 ** 20)}`;
  return null;
}

/** The next model to try when one does not fit the GPU's memory; null when there is no smaller one that runs on the adapter. */
export function nextSmaller(
  { vramMB: size }: WebLLMModel,
  adapter: Adapter | null,
  all: readonly WebLLMModel[],
): string | null {
  if (size === null) return null;
  const smaller = ({ vramMB }: WebLLMModel) => vramMB !== null && vramMB < size;
  const runs = (model: WebLLMModel) => adapter === null || whyNot(model, adapter) === null;
  const listed = suitableModels.filter(({ id }) => all.some((model) => model.id === id));
  const bySize = all.toSorted((a, b) => (b.vramMB ?? 0) - (a.vramMB ?? 0));
  return [...listed, ...bySize].find((model) => smaller(model) && runs(model))?.id ?? null;
}

function gigabytes(megabytes: number): string {
  return `${(megabytes / 1_000).toFixed(1)} GB`;
}
