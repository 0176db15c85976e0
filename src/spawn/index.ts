/** The agent in a ready-made worker: no worker file to write. */
export { spawn } from './spawn.js';
export type { ModelSettings, PageModelSettings, RoleSettings, SpawnOptions } from './settings.js';
