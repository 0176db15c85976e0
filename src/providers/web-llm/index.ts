export { chooseModel, recommendModel } from './choose-model.js';
export { models } from './model-list.js';
export type { WebLLMModel } from './choose-model.js';
export { webLLM } from './web-llm.js';
