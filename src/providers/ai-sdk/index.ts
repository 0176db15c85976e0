export { fromAiSdk } from './ai-sdk.js';
