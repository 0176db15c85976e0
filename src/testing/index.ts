/** Test helpers for roles and tools that need no worker, browser or model. */
export { commands } from './commands.js';
export { replay } from './replay.js';
export { runRole } from './run-role.js';
export { runTeam } from './run-team.js';
export { scriptedModel, type Script } from './scripted-model.js';
