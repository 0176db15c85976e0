export { openaiBaseURLs } from './base-url.js';
export { openai } from './openai.js';
export type { OpenAIOptions } from './options.js';
export type { FaultKind } from './errors.js';
export type { TimeLimits } from './patience.js';
