export { chooseModel, recommendModel } from '../choose-model.js';
export type { WebLLMModel } from '../choose-model.js';
