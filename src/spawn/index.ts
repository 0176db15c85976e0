/** The agent in a ready-made worker: no worker file to write. */
export { spawn } from './spawn.js';
export type { SpawnOptions } from './settings.js';
