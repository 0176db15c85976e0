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
