import type { TransformersLibrary } from './library.js';

export interface TransformersOptions {
  /** `import * as library from '@huggingface/transformers'`; your application installs it. */
  library: TransformersLibrary;
  /** Model with ONNX weights on the Hugging Face Hub, or at the location set in the library's `env`. */
  model: string;
  /** Options of its `pipeline`, such as `{ dtype: 'q4f16', device: 'webgpu' }`. */
  options?: Readonly<Record<string, unknown>>;
  /**
   * Context window in tokens, shared by prompt and reply.
   * @default 4_096
   */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. By default, a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Allows the model to think before it answers.
   * @default false
   */
  thinking?: boolean;
}
