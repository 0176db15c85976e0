/**
 * Starts the worker of the TypeScript runtime from its own file.
 *
 * @throws SecurityError if this module comes from another origin, such as a CDN.
 */
export function workerFromFile(): Worker {
  // Bundlers search for exactly this expression, and only once: see spawn.
  return new Worker(new URL('./typescript-worker.js', import.meta.url), { type: 'module' });
}
