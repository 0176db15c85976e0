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

/** A model that runs in the browser, with its requirements. */
export interface WebLLMModel {
  id: string;
  /** GPU memory in megabytes that it needs with its default window; null when its list does not specify it. */
  vramMB: number | null;
  /** Default context window in tokens, shared by prompt and reply. */
  contextWindow: number;
  /** Required WebGPU features, such as `shader-f16`. */
  features: string[];
  /** Minimum `maxStorageBufferBindingSize` in bytes; null when its list does not specify it. */
  bufferBytes: number | null;
  /** True when its list marks it as small enough for phones and tablets. */
  lowResource: boolean;
}

/** The part of `GPUAdapter` that determines which models can run. */
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
   * Maximum GPU memory of the model in megabytes. WebGPU does not report the available memory, and a model that is too large loses the
   * device. Most recent machines can spare the default. `chooseModel` derives its default from the size of the machine's memory.
   * @default 2_000
   */
  memoryMB?: number;
  /**
   * Models to choose from, most capable first. By default, a few of web-llm's models that suit most users; `models` returns all of them.
   */
  models?: readonly WebLLMModel[];
}

/** A model or null, and the reason as text for users. */
export interface Recommendation {
  model: WebLLMModel | null;
  reason: string;
}

const USUAL_MEMORY_MB = 2_000;

/**
 * Recommends a model that a WebGPU adapter can run, with the reason. Returns null as the model when none can run. A pure function that does
 * not access the browser.
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
        'WebGPU is available but runs on the processor instead of a GPU, which takes many seconds for each word.',
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
      reason: `${model.id} is the most capable model that this GPU, ${halves}, can run: it ${needs}.`,
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
 * Recommends a model for the browser's GPU and the size of the machine's memory. Works on pages and in workers. Never rejects: without
 * WebGPU, the reason states it.
 */
export async function chooseModel(options: ChooseOptions = {}): Promise<Recommendation> {
  const memory = Reflect.get(navigator, 'deviceMemory') as unknown;
  const memoryMB = options.memoryMB ?? memoryFor(typeof memory === 'number' ? memory : null);
  return recommendModel(await currentAdapter(), { ...options, memoryMB });
}

/** Returns the adapter that web-llm will use, or null when there is none. */
export async function currentAdapter(): Promise<Adapter | null> {
  const gpu = Reflect.get(navigator, 'gpu') as GPU | undefined;
  try {
    return (await gpu?.requestAdapter({ powerPreference: 'high-performance' })) ?? null;
  } catch {
    return null; // some browsers expose WebGPU but reject the request
  }
}

/** Returns the megabytes that a model may use. `deviceMemory` is the machine's memory in gigabytes, as rounded by browsers. */
export function memoryFor(deviceMemory: number | null): number {
  if (deviceMemory === null) return USUAL_MEMORY_MB;
  if (deviceMemory >= 16) return 2 * USUAL_MEMORY_MB;
  return deviceMemory >= 8 ? USUAL_MEMORY_MB : USUAL_MEMORY_MB / 2;
}

const NO_WEBGPU =
  'This browser offers no WebGPU: it is too old, the GPU is blocked, or hardware acceleration is turned off.';

/** Returns why no model can run on an adapter, or null when some can. The limits are those that web-llm requests from every device. */
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
  const shortfalls = short.map(
    ([limit, least]) => `${limit} is ${adapter.limits[limit]}, and ${least} is needed`,
  );
  return `This GPU is too limited for language models: ${shortfalls.join('; ')}.`;
}

/** Returns what an adapter lacks for a model, or null when it can run. */
export function whyNot(model: WebLLMModel, adapter: Adapter): string | null {
  const missing = model.features.find((feature) => !adapter.features.has(feature));
  if (missing !== undefined) return `${model.id} needs the WebGPU feature ${missing}`;
  const { maxStorageBufferBindingSize: offered } = adapter.limits;
  // web-llm requests 1 GiB from the device, and 128 MiB where 1 GiB is not available.
  const granted = offered >= 2 ** 30 ? 2 ** 30 : 2 ** 27;
  if (model.bufferBytes !== null && model.bufferBytes > granted)
    return `${model.id} needs buffers of ${gigabytes(model.bufferBytes / 2 ** 20)}, and the GPU gives ${gigabytes(granted / 2 ** 20)}`;
  return null;
}

/**
 * Returns the id of the next smaller model that runs on the adapter, for when one does not fit into GPU memory. Returns null when there is
 * none.
 */
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
