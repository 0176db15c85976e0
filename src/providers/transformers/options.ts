import type { TransformersLibrary } from './library.js';

export interface TransformersOptions {
  /** `import * as library from '@huggingface/transformers'`: your application installs it. */
  library: TransformersLibrary;
  /** A model on the Hugging Face Hub with ONNX weights, or wherever `env` of the library points to. */
  model: string;
  /** For its `pipeline`: `{ dtype: 'q4f16', device: 'webgpu' }` for example. */
  options?: Readonly<Record<string, unknown>>;
  /** Tokens that prompt and reply share; default 4,096. */
  contextWindow?: number;
  /** Upper bound of a reply in tokens, for calls that name none or a higher one; default: a quarter of the window. */
  maxOutputTokens?: number;
  /** Whether a model that can think aloud does so before it answers; default false. */
  thinking?: boolean;
}
