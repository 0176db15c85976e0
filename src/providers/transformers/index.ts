export { transformers, type TransformersModel } from './transformers.js';
export type { TextGeneration, TransformersLibrary } from './library.js';
export type { TransformersOptions } from './options.js';
