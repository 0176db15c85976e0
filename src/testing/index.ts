/** Test helpers for roles and tools that need no worker, browser or model. */
export { commands } from './commands.js';
export {
  replay,
  type RecordedModelOptions,
  type RecordedModels,
  type Replay,
  type ReplayOptions,
} from './replay.js';
export { runRole, type RunRoleOptions, type RunRoleResult } from './run-role.js';
export { runTeam, type RunTeamOptions, type RunTeamResult } from './run-team.js';
export { scriptedModel, ScriptExhausted, type Script, type ScriptedModel } from './scripted-model.js';
