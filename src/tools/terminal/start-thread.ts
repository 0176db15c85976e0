/**
 * Starts the shell's worker from its own file.
 *
 * @throws SecurityError if this module comes from another origin, such as a CDN.
 */
export function threadFromFile(): Worker {
  // Vite, webpack, Parcel and Turbopack search for exactly this expression, and only once: see spawn.
  return new Worker(new URL('./shell-worker.js', import.meta.url), { type: 'module' });
}
