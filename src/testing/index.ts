/** Tests for roles and tools without a worker, a browser or a model. */
export { commands } from './commands.js';
export { runRole, type RunRoleOptions, type RunRoleResult } from './run-role.js';
export { scriptedModel, ScriptExhausted, type Script, type ScriptedModel } from './scripted-model.js';
