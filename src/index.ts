/** Everything people see: imported by the page. */
export { activityOf } from './core/activity.js';
export { RoleZeroError, type ErrorCode, type ErrorData } from './core/error.js';
export type {
  AgentEvent,
  ApprovalRequestEvent,
  CallStartEvent,
  CommandEndEvent,
  CommandOutputDeltaEvent,
  CommandStartEvent,
  FileChangedEvent,
  HumanQuestionEvent,
  HumanReplyEvent,
  MemoryRecalledEvent,
  NotesChangedEvent,
  ModelProgressEvent,
  PageChangedEvent,
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
  StepTrace,
  StoragePersistenceEvent,
  ThoughtDeltaEvent,
  ThoughtEndEvent,
  Usage,
  UsageEvent,
  WarningEvent,
} from './core/events.js';
export type { FileHistoryEntry, FileInfo, SessionFiles } from './core/files.js';
export type { Command, Question } from './core/human.js';
export type { Inspection } from './core/inspection.js';
export type { MemoryItem } from './core/long-term.js';
export type { Note } from './core/notes.js';
export type { PageTool, PageToolContext } from './core/page-tool.js';
export type { MessageData } from './core/message.js';
export type { SessionExport, SessionInfo } from './core/store.js';
export { defineTool } from './core/define-tool.js';
export type { Tool } from './core/tool.js';
export type { WarningCode } from './core/warning.js';
export { connect } from './client/connect.js';
export { pageTool } from './client/page-tool.js';
export type { Run } from './client/run.js';
export type { ConnectOptions } from './client/connect-options.js';
export type { ClientSession as Session } from './client/session.js';
export { sessions } from './client/sessions.js';
