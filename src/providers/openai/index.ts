export { openaiBaseURLs } from './base-url.js';
export { openai } from './openai.js';
export { readLimits } from './read-limits.js';
export type { KnownModel } from './catalogue.js';
export type { OpenAIOptions, WindowOption } from './options.js';
export type { FaultKind } from './errors.js';
export type { TimeLimits } from './patience.js';
