/** The shell's worker as a file of its own. @throws SecurityError where this module comes from another origin, such as a CDN. */
export function threadFromFile(): Worker {
  // Vite, webpack, Parcel and Turbopack look for exactly this expression, and only once: see spawn.
  return new Worker(new URL('./shell-worker.js', import.meta.url), { type: 'module' });
}
