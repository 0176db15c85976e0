/** Standing notes that the model writes while it works. Imported by the worker file. */
export { notes } from './notes.js';
