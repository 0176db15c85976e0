/** Sub-agents: a command that gives a task to a fresh role with a window of its own. Imported by the worker file. */
export { subagents } from './subagents.js';
