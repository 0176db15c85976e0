import type { ErrorData, WarningCode } from './error.js';
import type { Question } from './human.js';
import type { JsonValue } from './json.js';
import type { ModelPhase, Purpose, ToolCall } from './model.js';

/** Current phase of a role. */
export type Phase = 'idle' | 'classifying' | 'thinking' | 'acting' | 'waiting-human' | 'ended' | 'failed';

/** Result status of a run: `waiting` for an answer, `exhausted` at its step limit or budget. */
export type RunStatus = 'done' | 'waiting' | 'stopped' | 'exhausted' | 'failed';

export interface TaskData {
  taskId: string;
  dependentTaskIds: string[];
  instruction: string;
  taskType: string;
  assignee: string;
  isFinished: boolean;
  code: string;
  result: string;
  isSuccess: boolean;
}

export interface PlanData {
  goal: string;
  context: string;
  currentTaskId: string;
  tasks: TaskData[];
}

/** Totals of a session, in tokens and US dollars. */
export interface Usage {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  cachedPromptTokens: number;
  costUsd: number;
}

/** One call to the model. */
export interface CallTrace {
  purpose: Purpose;
  /** Equal for equal prompts. */
  promptHash: string;
  /** The unmodified reply of the model. `cut` is true when it reached a length limit. */
  reply: string;
  /** Native calls beside it; absent for none. */
  calls?: readonly ToolCall[];
  cut: boolean;
  promptTokens: number;
  completionTokens: number;
  cachedPromptTokens: number;
  costUsd: number;
  /** The model has not reported all of its tokens: they are estimated. */
  estimated?: true;
  durationMs: number;
}

/** The decision about a command, and who made it. */
export interface Permission {
  decision: 'allow' | 'ask' | 'deny';
  /** Reason in words for the user; empty when a rule of the application decided. */
  why: string;
  /** The user's answer; `no-user` when no user was connected; null when the user was not asked. */
  answer: 'yes' | 'no' | 'no-user' | null;
  /** Lifetime of the user's answer. */
  lifetime: 'once' | 'run' | 'session';
}

/** One command of a step. */
interface CommandTrace {
  callId: string;
  name: string;
  args: Record<string, JsonValue>;
  ok: boolean;
  durationMs: number;
  /** Origin of the approval: a rule of the application, or the user when a rule asked. */
  approvedBy: 'policy' | 'user';
  /** Absent when no rule objected. */
  permission?: Permission;
  /** Set when the command had, or may have had, an effect outside the session. */
  isOutside?: true;
}

/** One command in the audit record of a session. Entries never change. The newest 2,000 steps of a role are stored. */
export interface AuditEntry extends CommandTrace {
  role: string;
  requirement: string;
  step: number;
  /** Start of its step, in milliseconds since 1970. */
  at: number;
  /** Id of the message with the model's reply, including the thought. */
  replyId: string;
  /** Id of the message with the result. */
  observationId: string;
}

/** Record of one step of a role, for audits and debugging. Stored with the session. */
export interface StepTrace {
  role: string;
  /** Id of the message with the request; empty when there is none. */
  requirement: string;
  /** Counted from 0 for each request. */
  step: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  durationMs: number;
  /** Version of the built-in prompts that the model received; see `PROMPT_VERSION`. */
  promptVersion: number;
  calls: CallTrace[];
  /** Ids of the messages with the reply and the command results. Empty for closing words, and for an answer without work. */
  replyId: string;
  observationId: string;
  commands: CommandTrace[];
  /** Answers of the user during the step, by question, in order. */
  answers: Record<string, string>;
}

/** Selects steps of a role. */
export interface StepQuery {
  /** Name of the role; default the leader, else the first role. */
  role?: string;
  /** Number of newest steps; default all that are stored, at most 2,000. */
  last?: number;
}

/** A run has begun; `resumed` when it continues interrupted work. */
interface RunStartEvent {
  type: 'run-start';
  runId: string;
  request: string;
  /** Id of the message with the request; absent when `resumed`. */
  messageId?: string;
  resumed: boolean;
}

/** A role entered another phase of its work. */
interface PhaseEvent {
  type: 'phase';
  role: string;
  phase: Phase;
}

/** A call to the model is about to be made. Token counts are exact or estimated. */
interface CallStartEvent {
  type: 'call-start';
  role: string;
  /** Id of the model, such as `gpt-5-mini`. */
  model: string;
  purpose: Purpose;
  promptTokens: number;
  maxCompletionTokens: number;
  /** Upper bound of the cost; 0 when the model is free or its price is unknown. */
  maxCostUsd: number;
}

/**
 * A request to the model has failed and is sent again after `waitMs`; emitted each second meanwhile. The reply then begins from the start:
 * drop what its deltas have shown since the last `call-start`.
 */
interface CallRetryEvent {
  type: 'call-retry';
  role: string;
  purpose: Purpose;
  /** Number of failed attempts, of at most `attempts`. */
  attempt: number;
  attempts: number;
  /** Milliseconds; 0 when it is sent now. */
  waitMs: number;
  /** Why it failed, in words for the user. */
  reason: string;
}

/** The model's reply as it streams in, with its commands. For users, show `thought-delta` instead. */
interface ReplyDeltaEvent {
  type: 'reply-delta';
  role: string;
  purpose: Purpose;
  text: string;
}

/** Words of the reply as they stream in, without its commands: text for users. */
interface ThoughtDeltaEvent {
  type: 'thought-delta';
  role: string;
  purpose: Purpose;
  text: string;
}

/** Reasoning of a model before its reply, as it streams in. */
interface ReasoningDeltaEvent {
  type: 'reasoning-delta';
  role: string;
  purpose: Purpose;
  text: string;
}

/** All words of the reply, without its commands; empty when it has none. `CallTrace.reply` holds the whole reply. */
interface ThoughtEndEvent {
  type: 'thought-end';
  role: string;
  purpose: Purpose;
  text: string;
}

/** What a command does, in words for users: `{ verb: 'Writing', about: '/index.html' }`. */
export interface CommandActivity {
  verb: string;
  /** Value of the argument that is shown after the verb, in one line of at most 80 characters; empty without one. */
  about: string;
}

/** A command is about to run. */
interface CommandStartEvent {
  type: 'command-start';
  role: string;
  callId: string;
  name: string;
  args: Record<string, JsonValue>;
  /** From the `activity` of the tool. `activityOf` returns it as one text. */
  activity: CommandActivity;
}

/** Output of a running command. */
interface CommandOutputDeltaEvent {
  type: 'command-output-delta';
  role: string;
  callId: string;
  text: string;
}

/** A command has ended, and its result is stored. */
interface CommandEndEvent {
  type: 'command-end';
  role: string;
  callId: string;
  name: string;
  args: Record<string, JsonValue>;
  /** The whole observation, as the model reads it. */
  output: string;
  ok: boolean;
  durationMs: number;
}

/** A step has ended: one model call with its commands. */
interface StepEndEvent {
  type: 'step-end';
  role: string;
  trace: StepTrace;
}

/** The plan of a role has changed. */
interface PlanChangedEvent {
  type: 'plan-changed';
  role: string;
  plan: PlanData;
}

/** A file of the session has changed. */
interface FileChangedEvent {
  type: 'file-changed';
  path: string;
  change: 'written' | 'removed';
  by: 'agent' | 'user';
}

/** The page that a role has open has changed. */
interface PageChangedEvent {
  type: 'page-changed';
  role: string;
  url: string;
  title: string;
}

/** Notes were written, changed, imported or removed. */
interface NotesChangedEvent {
  type: 'notes-changed';
  role: string;
  /** Ids of the notes; empty after an import. */
  ids: string[];
  by: 'agent' | 'user';
}

/**
 * The conversation went back to an earlier request, or to another branch: read the messages, the plan, and what else is shown again. Changed
 * files are reported by events of their own.
 */
interface ConversationChangedEvent {
  type: 'conversation-changed';
  /** Id of the branch that holds what was left; null when nothing was. */
  branch: string | null;
  /** Commands with an effect outside the session in what was left: these effects remain. */
  effects: string[];
}

/**
 * The requests that wait during a run have changed: these were sent (`waiting`), `withdrawn`, `revised`, or read by a role (`read`), after
 * which they can no longer be changed. `read` is emitted immediately: when the step is lost before it is stored, they are `waiting` again.
 * `session.queued` has all that wait.
 */
interface QueueChangedEvent {
  type: 'queue-changed';
  change: 'waiting' | 'withdrawn' | 'revised' | 'read';
  /** Ids of the requests. */
  messageIds: string[];
}

/** Older memories were added to a prompt. */
interface MemoryRecalledEvent {
  type: 'memory-recalled';
  role: string;
  ids: string[];
  /** Set when they were found by keywords alone although an embedder is configured: its vectors were still loading. */
  byWords?: true;
}

/** A role asks the user something and waits for the answer. */
interface HumanQuestionEvent {
  type: 'human-question';
  question: Question;
}

/** A role sends a reply to the user. */
interface HumanReplyEvent {
  type: 'human-reply';
  role: string;
  text: string;
}

/** A command needs the user's approval and waits for it. */
interface ApprovalRequestEvent {
  type: 'approval-request';
  question: Question;
}

/** Usage of one call to the model. */
interface UsageEvent {
  type: 'usage';
  role: string;
  purpose: Purpose;
  promptTokens: number;
  completionTokens: number;
  cachedPromptTokens: number;
  costUsd: number;
  /** See `CallTrace`. */
  estimated?: true;
  total: Usage;
}

/** A model does something before it replies: it is downloaded or loaded, waits, or reads a long prompt. */
interface ModelProgressEvent {
  type: 'model-progress';
  phase: ModelPhase;
  /** Bytes, tokens or steps, of `total`; 0 of 0 when unknown. */
  loaded: number;
  total: number;
  text: string;
}

/** The browser's answer to the request to keep this site's data when disk space is low. Requested when a session is first written. */
interface StoragePersistenceEvent {
  type: 'storage-persistence';
  granted: boolean;
}

/**
 * This read-only page may now write and resume: the other tab released the session, or there is space to write again.
 */
interface SessionHeldEvent {
  type: 'session-held';
}

/** Something went wrong, and the work continues. */
interface WarningEvent {
  type: 'warning';
  code: WarningCode;
  message: string;
  detail: Record<string, unknown>;
}

/** A run has ended. */
interface RunEndEvent {
  type: 'run-end';
  runId: string;
  status: RunStatus;
  summary: string;
  error: ErrorData | null;
  output?: JsonValue;
  /** See `RunResult`. */
  failedCommands?: number;
  /** Absent for work that an earlier release has begun. */
  facts?: RunFacts;
}

/** What has happened since the request of the user, from the records of the session: true whatever the model says. */
export interface RunFacts {
  /** Files that roles have changed, sorted by path, without undone changes; at most 100. */
  files: { path: string; change: 'created' | 'changed' | 'removed' }[];
  /** Number of all these files. */
  fileCount: number;
  /** Addresses of the pages that the role has opened; at most 20. */
  pages: string[];
  /** Number of commands of the role that have run. */
  commands: number;
  /** Number of those that failed, without messages to the user and changes of the plan. */
  failures: number;
  /** Names of the commands that failed, each once; at most 20. */
  failed: string[];
}

type AnyEvent =
  | RunStartEvent
  | PhaseEvent
  | CallStartEvent
  | CallRetryEvent
  | ReplyDeltaEvent
  | ThoughtDeltaEvent
  | ReasoningDeltaEvent
  | ThoughtEndEvent
  | CommandStartEvent
  | CommandOutputDeltaEvent
  | CommandEndEvent
  | StepEndEvent
  | PlanChangedEvent
  | FileChangedEvent
  | PageChangedEvent
  | NotesChangedEvent
  | ConversationChangedEvent
  | QueueChangedEvent
  | MemoryRecalledEvent
  | HumanQuestionEvent
  | HumanReplyEvent
  | ApprovalRequestEvent
  | UsageEvent
  | ModelProgressEvent
  | StoragePersistenceEvent
  | SessionHeldEvent
  | WarningEvent
  | RunEndEvent;

/**
 * An event of the given type; of any type by default. Each event is a clone that is complete without the others. Deltas, progress,
 * `command-start`, the phases of work, and that a request is read are emitted immediately. All other events are emitted after the commit that stored them. `role` is
 * the name of the role.
 *
 * @example function show({ name, ok }: AgentEvent<'command-end'>) {}
 */
export type AgentEvent<Type extends AnyEvent['type'] = AnyEvent['type']> = Extract<AnyEvent, { type: Type }>;

/** Result of a run. */
export interface RunResult {
  status: RunStatus;
  /** Summary of what was achieved, in words for the user; empty when the run produced no text. */
  summary: string;
  /** Why the run failed, or that the budget is spent (`budget`); null otherwise. */
  error: ErrorData | null;
  /** The typed answer that the request asked for; absent when it asked for none, and when there is none. */
  output?: JsonValue;
  /**
   * Number of commands that failed in the last step that worked, so that nothing has repaired them since; absent for none. Commands that only
   * plan, reply, or end the turn do no work.
   */
  failedCommands?: number;
}
