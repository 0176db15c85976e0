export { transformers } from './transformers.js';
