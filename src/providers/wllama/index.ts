export { readingSpeed } from '../local/progress.js';
export { wllama } from './wllama.js';
