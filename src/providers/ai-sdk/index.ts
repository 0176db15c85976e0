export { fromAiSdk } from './ai-sdk.js';
export type { AiSdkCall, AiSdkModel, FromAiSdkOptions } from './options.js';
export type { TimeLimits } from '../openai/patience.js';
