import type { ErrorData } from './error.js';
import type { Question } from './human.js';
import type { JsonValue } from './json.js';
import type { Purpose } from './model.js';

/** Where a role stands. */
export type Phase = 'idle' | 'classifying' | 'thinking' | 'acting' | 'waiting-human' | 'ended' | 'failed';

/** How a run ended: `waiting` for an answer, `exhausted` at its step limit or budget. */
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

/** Totals of a session; tokens and US dollars. */
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
  /** What the model said, as it said it; `cut` when it ran into a length limit. */
  reply: string;
  cut: boolean;
  promptTokens: number;
  completionTokens: number;
  cachedPromptTokens: number;
  costUsd: number;
  durationMs: number;
}

/** What was decided about a command, and by whom. */
export interface Permission {
  decision: 'allow' | 'ask' | 'deny';
  /** For people; empty when a rule of the application said so. */
  why: string;
  /** What the person said, or that nobody was there; null when they were not asked. */
  answer: 'yes' | 'no' | 'nobody' | null;
  /** How long what they said holds. */
  lifetime: 'once' | 'run' | 'session';
}

/** One command of a step. */
export interface CommandTrace {
  callId: string;
  name: string;
  args: Record<string, JsonValue>;
  ok: boolean;
  durationMs: number;
  /** Who let it run: a rule of the application, or the person when a rule asked. */
  approvedBy: 'policy' | 'person';
  /** Missing where nothing spoke against it. */
  permission?: Permission;
}

/** One command as the record of a session has it: nothing in it is ever changed, the newest 2,000 steps of a role are kept. */
export interface AuditEntry extends CommandTrace {
  role: string;
  requirement: string;
  step: number;
  /** When its step began; milliseconds since 1970. */
  at: number;
  /** Id of the message with the model's reply, thought included. */
  replyId: string;
  /** Id of the message with what came of it. */
  observationId: string;
}

/** What one step of a role was, for audits and for looking into what went wrong; kept with the session. */
export interface StepTrace {
  role: string;
  /** Id of the message that set the work off; empty when there is none. */
  requirement: string;
  /** Counted from 0 for each requirement. */
  step: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  durationMs: number;
  /** Which of our prompts the model read; see `PROMPT_VERSION`. */
  promptVersion: number;
  calls: CallTrace[];
  /** Ids of the messages that hold the reply and what its commands said; empty for closing words, and for an answer without work. */
  replyId: string;
  observationId: string;
  commands: CommandTrace[];
  /** What people answered in the step, by what they were asked, in order. */
  answers: Record<string, string>;
}

/** Which of the steps of a role are wanted. */
export interface StepQuery {
  /** Whose; default the leader's, else the first role's. */
  role?: string;
  /** The newest so many; default all that are kept, which are 2,000. */
  last?: number;
}

/**
 * Everything that can be watched, one flat union; each event is a clone that makes sense alone. Except for deltas, progress and what
 * is being begun (`command-start`, the phases of work) an event leaves only after the commit that made it true. `role` is the name of the role it happened to.
 */
export type AgentEvent =
  | { type: 'run-start'; runId: string; request: string; resumed: boolean }
  | { type: 'phase'; role: string; phase: Phase }
  | {
      /** A call to the model is about to be made: tokens as they are counted or estimated, and what it can cost at most. */
      type: 'call-start';
      role: string;
      purpose: Purpose;
      promptTokens: number;
      maxCompletionTokens: number;
      /** 0 when the model costs nothing, or does not tell its price. */
      maxCostUsd: number;
    }
  /** The model's reply as it streams in, with its commands. For users, show `thought-delta` instead. */
  | { type: 'reply-delta'; role: string; purpose: Purpose; text: string }
  /** Words of the reply as they stream in, without its commands: text for users. */
  | { type: 'thought-delta'; role: string; purpose: Purpose; text: string }
  | { type: 'reasoning-delta'; role: string; purpose: Purpose; text: string }
  /** All words of the reply, without its commands; empty when it has none. `CallTrace.reply` holds the whole reply. */
  | { type: 'thought-end'; role: string; purpose: Purpose; text: string }
  | { type: 'command-start'; role: string; callId: string; name: string; args: Record<string, JsonValue> }
  | { type: 'command-output-delta'; role: string; callId: string; text: string }
  | {
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
  | { type: 'step-end'; role: string; trace: StepTrace }
  | { type: 'plan-changed'; role: string; plan: PlanData }
  | { type: 'file-changed'; path: string; change: 'written' | 'removed'; by: 'agent' | 'person' }
  | { type: 'page-changed'; role: string; url: string; title: string }
  | {
      type: 'memory-recalled';
      role: string;
      ids: string[];
      /** Set when they were found by their words alone, though there is an embedder: its vectors were still being read from the disk. */
      byWords?: true;
    }
  | { type: 'human-question'; question: Question }
  | { type: 'human-reply'; role: string; text: string }
  | { type: 'approval-request'; question: Question }
  | {
      type: 'usage';
      role: string;
      purpose: Purpose;
      promptTokens: number;
      completionTokens: number;
      cachedPromptTokens: number;
      costUsd: number;
      total: Usage;
    }
  | { type: 'model-progress'; loaded: number; total: number; text: string }
  | {
      /** Whether the browser promised to keep this site's data when space is short; it was asked when a session was first written. */
      type: 'storage-persistence';
      granted: boolean;
    }
  /** The tab that held the session has let it go, and this page, which had looked on, holds it now: it may write, and resume. */
  | { type: 'session-held' }
  | { type: 'warning'; code: string; message: string; detail: Record<string, unknown> }
  | { type: 'run-end'; runId: string; status: RunStatus; summary: string; error: ErrorData | null };

/** What a run came to. */
export interface RunResult {
  status: RunStatus;
  /** What was achieved, for people; empty when nothing was said. */
  summary: string;
  /** Why it failed, or that the budget is spent (`budget`); null otherwise. */
  error: ErrorData | null;
}
