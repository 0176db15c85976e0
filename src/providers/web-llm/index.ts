export { chooseModel, recommendModel } from './choose-model.js';
export type { Adapter, ChooseOptions, Recommendation } from './choose-model.js';
export { models } from './model-list.js';
export type { WebLLMModel } from './model.js';
export type { WebLLMOptions } from './options.js';
export { webLLM } from './web-llm.js';
export type { WebLLM } from './web-llm.js';
