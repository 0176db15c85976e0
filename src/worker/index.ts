/** The library for workers: imported by the application's worker file. */
export { RoleZeroError, type ErrorCode } from '../core/error.js';
export type { AgentEvent } from '../core/events.js';
export type { ExperienceStore } from '../core/experience.js';
export type { Files } from '../core/files.js';
export type { Command, Question } from '../core/human.js';
export type { LongTermStore } from '../core/long-term.js';
export type { MessageData } from '../core/message.js';
export type {
  ChatChunk,
  ChatMessage,
  ChatModel,
  ChatRequest,
  Embedder,
  ToolCall,
  ToolSpec,
} from '../core/model.js';
export type { SessionStore, Storage } from '../core/store.js';
export { defineTool } from '../core/define-tool.js';
export type { Tool, ToolContext } from '../core/tool.js';
export { TeamLeader } from '../team/team-leader.js';
export { memoryExperiences } from '../experience/memory-store.js';
export { ExperiencePool } from '../experience/pool.js';
export { Engineer } from '../team/engineer.js';
export type { Outcome } from '../agent/runtime/outcome.js';
export type { AgentPart, PartAgent, PartFactory } from '../agent/runtime/part.js';
export type { Capabilities } from '../agent/policy/policy.js';
export type { PolicyRule } from '../agent/policy/policy.js';
export { ruleOfTwo } from '../agent/policy/rule-of-two.js';
export { longTermMemory } from '../parts/long-term/long-term.js';
export { PROMPTS, type Prompts } from '../agent/prompt/prompts.js';
export type { TeamRole } from '../agent/runtime/work.js';
export type { Step } from '../agent/runtime/hooks.js';
export { RoleZero } from '../agent/role-zero.js';
export type { Budget, RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
export { indexedDbExperiences, indexedDbStorage, memoryStorage } from '../storage/index.js';
export { ToolRecommender } from '../tools/recommend.js';
export type { Team } from '../session/team.js';
export type { PageSide } from './page-models.js';
export { serve } from './serve.js';
