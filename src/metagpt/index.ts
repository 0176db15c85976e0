/** Names for parity with MetaGPT: its other roles, the planner, its messages, and the parts of its experience pool. */
export {
  Action,
  AIMessage,
  Message,
  MESSAGE_TO_ALL,
  MESSAGE_TO_NONE,
  MESSAGE_TO_SELF,
  QUICK_THINK,
  RunCommand,
  SystemMessage,
  UserMessage,
  UserRequirement,
} from '../core/message.js';
export { registerContentType } from '../core/structured-content.js';
export { formatExperiences, roleZeroContextBuilder, simpleContextBuilder } from '../experience/texts.js';
export { isPerfect } from '../experience/experience.js';
export { roleZeroSerializer, simpleSerializer } from '../experience/texts.js';
export { formatCommands } from '../agent/commands/format-commands.js';
export { parseCommands } from '../agent/parse/commands.js';
export { readJsonReply } from '../agent/parse/reply.js';
export type { RoleOptions } from './role.js';
export { Memory } from '../memory/memory.js';
export { Plan } from '../plan/plan.js';
export { Task } from '../plan/task.js';
export { Environment } from '../team/environment.js';
export { ToolRegistry } from '../tools/registry.js';
export { DataAnalyst } from './data-analyst.js';
export { expCache } from './exp-cache.js';
export { FixedSopRole } from './fixed-sop-role.js';
export { MessageQueue } from './message-queue.js';
export { Planner } from './planner.js';
export { PlanningRole, type PlanningRoleOptions } from './planning-role.js';
export { DummyExpRetriever, KeywordExpRetriever, SimpleExpRetriever } from './retrievers.js';
export { Role } from './role.js';
export { roleZeroOptions } from './role-zero-options.js';
export { llmScorer } from './scorer.js';
export { taskType, taskTypeNames } from './task-types.js';
export { prepareCommandPrompt, THINKING_COMMANDS } from './thinking-role.js';
export { ThinkingRole } from './thinking-role.js';
