/** The library for workers: imported by the application's worker file. */
export { RoleZeroError, type ErrorCode } from '../base/error.js';
export type { AgentEvent, PlanData, RunStatus, StepTrace, TaskData, Usage } from '../base/events.js';
export type { Files, FileInfo } from '../base/files.js';
export type { Command, Question } from '../base/human.js';
export type { DeadLetter, Inspection, MessageReaction, MessageTrace } from '../base/inspection.js';
export type {
  LongTermStore,
  MemoryChange,
  MemoryExport,
  MemoryExportQuery,
  MemoryItem,
  MemoryListQuery,
  MemoryQuery,
  SessionMemory,
  StoredMemory,
} from '../base/long-term.js';
export { MessageQueue } from '../base/message-queue.js';
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
  type MessageData,
  type MessageInit,
} from '../base/message.js';
export type {
  Experience,
  ExperienceRetriever,
  ExperienceScore,
  ExperienceSource,
  ExperienceStore,
} from '../base/experience.js';
export type { ChatChunk, ChatMessage, ChatModel, ChatRequest, Embedder, Purpose } from '../base/model.js';
export type { SessionExport, SessionInfo, SessionStore, Storage } from '../base/store.js';
export { registerContentType, type StructuredContent } from '../base/structured-content.js';
export { defineTool, type Tool, type ToolContext, type ToolQuestion } from '../base/tool.js';
export { Environment, type EnvironmentOptions, type PublishOptions } from '../environment/environment.js';
export type { Chat } from '../environment/routing.js';
export { TeamLeader } from '../environment/team-leader.js';
export {
  formatExperiences,
  roleZeroContextBuilder,
  simpleContextBuilder,
  type ContextBuilder,
} from '../experience/context-builder.js';
export { expCache, type ExpCacheOptions } from '../experience/exp-cache.js';
export { memoryExperiences } from '../experience/memory-store.js';
export { isPerfect, type PerfectJudge } from '../experience/perfect-judge.js';
export { ExperiencePool, type ExperiencePoolOptions, type ExperienceQuery } from '../experience/pool.js';
export type { ExperienceExport } from '../experience/pool-document.js';
export { DummyExpRetriever, KeywordExpRetriever, SimpleExpRetriever } from '../experience/retrievers.js';
export { llmScorer, type ExperienceScorer } from '../experience/scorer.js';
export { roleZeroSerializer, simpleSerializer, type ExperienceSerializer } from '../experience/serializer.js';
export { LongTermMemory, type LongTermMemoryOptions } from '../memory/long-term-memory.js';
export { Memory } from '../memory/memory.js';
export { Plan } from '../plan/plan.js';
export { Planner, type PlannerOptions, type PlannerPorts } from '../plan/planner.js';
export type { Review, ReviewTrigger } from '../plan/review.js';
export { Task, type TaskResult } from '../plan/task.js';
export { taskType, taskTypeNames, type TaskType } from '../plan/task-types.js';
export { Engineer } from '../role/engineer.js';
export { parseCommands, type ParsedReply } from '../agent/parse/commands.js';
export { formatCommands } from '../role/commands.js';
export type { Outcome, Run } from '../role/outcome.js';
export type { Capabilities } from '../role/capabilities.js';
export type { Decision, Lifetime, PolicyRule } from '../role/policy.js';
export { ruleOfTwo, type Exposure, type Reach, type Verdict } from '../role/rule-of-two.js';
export { longTermMemory, type LongTermSource } from '../role/long-term.js';
export { readJsonReply } from '../agent/parse/reply.js';
export { PROMPT_VERSION, PROMPTS, type Prompts } from '../role/prompts/prompts.js';
export { PlanningRole, type PlanningRoleOptions } from '../role/planning-role.js';
export { ThinkingRole } from '../role/thinking-role.js';
export { prepareCommandPrompt, THINKING_COMMANDS, type ThinkingCommand } from '../role/thinking-commands.js';
export { Role } from '../role/role.js';
export type { TeamRole } from '../role/team-role.js';
export type { ReactMode, RoleOptions } from '../role/role-options.js';
export type { Step } from '../role/hooks.js';
export { FixedSopRole, type FixedSopRoleOptions } from '../role/fixed-sop-role.js';
export { RoleZero } from '../role/role-zero.js';
export type { RoleZeroSettings } from '../role/role-zero-settings.js';
export type { Budget, RoleZeroOptions } from '../role/role-zero-options.js';
export { indexedDbExperiences, indexedDbStorage, memoryStorage } from '../storage/index.js';
export { ToolRecommender, type RecommendRequest, type ToolRecommenderOptions } from '../tools/recommend.js';
export type { ToolList } from '../tools/read-tools.js';
export { ToolRegistry } from '../tools/registry.js';
export { resolveTools, type ResolvedTools } from '../tools/resolve-tools.js';
export type { SessionLimits, Team } from '../session/team.js';
export type { CreateRoles } from './make-team.js';
export type { PageSide } from './page-models.js';
export { serve, type ServeOptions } from './serve.js';
