export { openaiBaseURLs } from './base-url.js';
export { openai } from './openai.js';
export { readLimits } from './read-limits.js';
