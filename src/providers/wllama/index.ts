export { readingSpeed } from '../local/processor-speed.js';
export { wllama } from './wllama.js';
