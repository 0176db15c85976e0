export { wllama, type WllamaModel } from './wllama.js';
export type {
  CompletionCall,
  CompletionChunk,
  DownloadOptions,
  LoadOptions,
  WllamaEngine,
} from './engine.js';
export type { WllamaOptions } from './options.js';
