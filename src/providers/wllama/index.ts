export { wllama } from './wllama.js';
