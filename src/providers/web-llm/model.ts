/** A model that runs in the browser, and what it takes. */
export interface WebLLMModel {
  id: string;
  /** Megabytes of GPU memory it needs with its usual window; null where its list does not say. */
  vramMB: number | null;
  /** Tokens that prompt and reply share, unless asked for otherwise. */
  contextWindow: number;
  /** Features of WebGPU without which it does not run, such as `shader-f16`. */
  features: string[];
  /** The smallest `maxStorageBufferBindingSize` it runs with, in bytes; null where its list does not say. */
  bufferBytes: number | null;
  /** Small enough for phones and tablets, says its list. */
  lowResource: boolean;
}
