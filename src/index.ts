/** Everything people see: imported by the page. */
export { activityOf } from './core/activity.js';
export { RoleZeroError, type ErrorCode, type ErrorData } from './core/error.js';
export type {
  AgentEvent,
  ApprovalRequestEvent,
  AuditEntry,
  CallStartEvent,
  CommandEndEvent,
  CommandOutputDeltaEvent,
  CommandStartEvent,
  FileChangedEvent,
  HumanQuestionEvent,
  HumanReplyEvent,
  MemoryRecalledEvent,
  ModelProgressEvent,
  PageChangedEvent,
  Permission,
  Phase,
  PhaseEvent,
  PlanChangedEvent,
  PlanData,
  ReasoningDeltaEvent,
  ReplyDeltaEvent,
  RunEndEvent,
  RunStartEvent,
  RunStatus,
  SessionHeldEvent,
  StepEndEvent,
  StepQuery,
  StepTrace,
  StoragePersistenceEvent,
  TaskData,
  ThoughtDeltaEvent,
  ThoughtEndEvent,
  Usage,
  UsageEvent,
  WarningEvent,
} from './core/events.js';
export type {
  FileAfter,
  FileChangeEvent,
  FileDifference,
  FileHistoryEntry,
  FileInfo,
  FileInput,
  FileOutput,
  SessionFiles,
  UndoResult,
  WriteAllOptions,
} from './core/files.js';
export type { Command, Question } from './core/human.js';
export type { DeadLetter, Inspection, MessageReaction, MessageTrace } from './core/inspection.js';
export type {
  MemoryChange,
  MemoryExport,
  MemoryExportQuery,
  MemoryItem,
  MemoryListQuery,
  MemoryQuery,
  SessionMemory,
} from './core/long-term.js';
export type { Freeable, SessionSpace, StorageUsage } from './core/space.js';
export type { PageTool, PageToolContext } from './core/page-tool.js';
export type { MessageData, MessageQuery, SendOptions } from './core/message.js';
export type { SessionExport, SessionInfo } from './core/store.js';
export { defineTool, type Tool } from './core/tool.js';
export type { WarningCode } from './core/warning.js';
export { connect } from './client/connect.js';
export { pageTool, type PageToolDefinition } from './client/page-tool.js';
export type { Run, ClientRunResult as RunResult } from './client/run.js';
export type { ConnectOptions, ConnectOptionsFor } from './client/connect-options.js';
export type { ClientSession as Session } from './client/session.js';
export { sessions } from './client/sessions.js';
