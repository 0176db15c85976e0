/** Test helpers for roles and tools that need no worker, browser or model. */
export { replay } from './replay.js';
export { runRole, runTeam } from './run-role.js';
export { commands, scriptedModel, type Script } from './scripted-model.js';
