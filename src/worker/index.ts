/** The library for workers: imported by the application's worker file. */
export { RoleZeroError, type ErrorCode } from '../core/error.js';
export type { AgentEvent, PlanData, RunStatus, StepTrace, TaskData, Usage } from '../core/events.js';
export type { Files, FileInfo } from '../core/files.js';
export type { Command, Question } from '../core/human.js';
export type { DeadLetter, Inspection, MessageReaction, MessageTrace } from '../core/inspection.js';
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
} from '../core/long-term.js';
export { MessageQueue } from '../metagpt/message-queue.js';
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
} from '../core/message.js';
export type {
  Experience,
  ExperienceRetriever,
  ExperienceScore,
  ExperienceSource,
  ExperienceStore,
} from '../core/experience.js';
export type { ChatChunk, ChatMessage, ChatModel, ChatRequest, Embedder, Purpose } from '../core/model.js';
export type { SessionExport, SessionInfo, SessionStore, Storage } from '../core/store.js';
export { registerContentType, type StructuredContent } from '../core/structured-content.js';
export { defineTool, type Tool, type ToolContext, type ToolQuestion } from '../core/tool.js';
export { Environment, type EnvironmentOptions, type PublishOptions } from '../team/environment.js';
export type { Chat } from '../team/routing.js';
export { TeamLeader } from '../team/team-leader.js';
export {
  formatExperiences,
  roleZeroContextBuilder,
  simpleContextBuilder,
  type ContextBuilder,
} from '../experience/context-builder.js';
export { expCache, type ExpCacheOptions } from '../metagpt/exp-cache.js';
export { memoryExperiences } from '../experience/memory-store.js';
export { isPerfect, type PerfectJudge } from '../experience/perfect-judge.js';
export { ExperiencePool, type ExperiencePoolOptions, type ExperienceQuery } from '../experience/pool.js';
export type { ExperienceExport } from '../experience/pool-document.js';
export { DummyExpRetriever, KeywordExpRetriever, SimpleExpRetriever } from '../metagpt/retrievers.js';
export { llmScorer, type ExperienceScorer } from '../metagpt/scorer.js';
export { roleZeroSerializer, simpleSerializer, type ExperienceSerializer } from '../experience/serializer.js';
export { LongTermMemory, type LongTermMemoryOptions } from '../memory/long-term-memory.js';
export { Memory } from '../memory/memory.js';
export { Plan } from '../plan/plan.js';
export { Planner, type PlannerOptions, type PlannerPorts } from '../metagpt/planner.js';
export type { Review, ReviewTrigger } from '../metagpt/review.js';
export { Task, type TaskResult } from '../plan/task.js';
export { taskType, taskTypeNames, type TaskType } from '../metagpt/task-types.js';
export { Engineer } from '../agent/engineer.js';
export { parseCommands, type ParsedReply } from '../agent/parse/commands.js';
export { formatCommands } from '../agent/commands/format-commands.js';
export type { Outcome, Run } from '../agent/runtime/outcome.js';
export type { Capabilities } from '../agent/policy/capabilities.js';
export type { Decision, Lifetime, PolicyRule } from '../agent/policy/policy.js';
export { ruleOfTwo, type Exposure, type Reach, type Verdict } from '../agent/policy/rule-of-two.js';
export { longTermMemory, type LongTermSource } from '../agent/runtime/long-term.js';
export { readJsonReply } from '../agent/parse/reply.js';
export { PROMPT_VERSION, PROMPTS, type Prompts } from '../agent/prompt/prompts.js';
export { PlanningRole, type PlanningRoleOptions } from '../metagpt/planning-role.js';
export { ThinkingRole } from '../metagpt/thinking-role.js';
export {
  prepareCommandPrompt,
  THINKING_COMMANDS,
  type ThinkingCommand,
} from '../metagpt/thinking-commands.js';
export { Role } from '../metagpt/role.js';
export type { TeamRole } from '../agent/runtime/team-role.js';
export type { ReactMode, RoleOptions } from '../agent/runtime/role-options.js';
export type { Step } from '../agent/runtime/hooks.js';
export { FixedSopRole, type FixedSopRoleOptions } from '../metagpt/fixed-sop-role.js';
export { RoleZero } from '../agent/role-zero.js';
export type { RoleZeroSettings } from '../agent/runtime/role-zero-settings.js';
export type { Budget, RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
export { indexedDbExperiences, indexedDbStorage, memoryStorage } from '../storage/index.js';
export { ToolRecommender, type RecommendRequest, type ToolRecommenderOptions } from '../tools/recommend.js';
export type { ToolList } from '../tools/read-tools.js';
export { ToolRegistry } from '../tools/registry.js';
export { resolveTools, type ResolvedTools } from '../tools/resolve-tools.js';
export type { SessionLimits, Team } from '../session/team.js';
export type { CreateRoles } from './make-team.js';
export type { PageSide } from './page-models.js';
export { serve, type ServeOptions } from './serve.js';
