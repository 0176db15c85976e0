import { RoleZeroError } from '../../core/error.js';
import type { Phase, PlanData, RunResult, Usage } from '../../core/events.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import { SENDER, type Message, type MessageData } from '../../core/message.js';
import type { WantedOutput } from '../../core/output.js';
import type { ReadCounts } from '../policy/reads.js';
import type { Status } from '../prompt/next-message.js';
import { ROLE_STATE_VERSION, roleStateProblem, roleStateVersion } from '../../core/role-state-shape.js';
import { MAX_SOURCES } from '../../core/sources.js';
import type { Private } from '../../core/tool.js';
import type { Turn } from './turn.js';
import { upgradeParts, upgradeState } from './upgrade-state.js';

/** The open question; it is asked again after a crash. */
interface OpenQuestion {
  key: string;
  id: string;
}

/** A goal whose tasks were still open when a newer request came. */
interface EarlierGoal {
  goal: string;
  language: string;
}

/** The record of a request. Plain data, part of the state of a role. */
interface RequestRecord {
  /** The user has sent it to the role. */
  isOfUser: boolean;
  /** Number of the last change of files before it. */
  files: number;
  commands: number;
  failures: number;
  /** Names of commands, each once: those that succeeded, and those that failed. */
  ran: string[];
  failed: string[];
  /** An edit has failed that no rule and no user refused. */
  editFailed?: true;
  pages: string[];
}

/** What a role stores besides its messages and conversation, which are rows of their own. Plain data, small. */
export interface RoleState {
  version: typeof ROLE_STATE_VERSION;
  phase: Phase;
  /** Index of the current action; -1 for none. */
  actionIndex: number;
  plan: PlanData;
  /** Messages of the planner since the last change of the plan. */
  workingMemory: MessageData[];
  /** Id of the current task at the last command that was work on it; empty for none. See `checkTaskWork`. */
  workedOn?: string;
  respondLanguage: string;
  /** Goals to return to when the current request is done; the last one first. */
  earlierGoals: EarlierGoal[];
  /** State of tools by group, such as the open file of the editor. */
  tools: Record<string, Record<string, JsonValue>>;
  turn: Turn | null;
  question: OpenQuestion | null;
  /** Data of the parts of the role, by name; see `AgentPart`. */
  parts: Record<string, Record<string, JsonValue>>;
  /** Untrusted sources that the role has read. They are never removed. See `ToolContext.untrusted`. */
  untrusted?: string[];
  /** The role has read private data of the user: true, or the service that all of it came from; see `Tool.service`. */
  private?: Private;
  /** Names of private data that the role has read, for approval requests: paths of files, and names of tools. */
  secrets?: string[];
  /** Who sent requests of this run, when it was not the user: the result of the run is for them. */
  senders?: string[];
  /** Reads outside of the session, with those of its sub-agents. */
  reads?: ReadCounts;
  /** The typed answer that the last request of the user asks for. A team may need several turns for it. */
  output?: WantedOutput;
  /** Ids of messages in memory that are not in the prompt yet. */
  unread: string[];
  /** The last status block that was sent to the model. */
  sent: Partial<Status>;
  /** What has happened since the last request; see `factsOf`. */
  request?: RequestRecord;
  /** The files of others whose content the role has seen: a fingerprint of each, by path. See `seenBy`. */
  seenFiles?: Record<string, string>;
  /** Advice for the next status block. */
  notes: string[];
  usage: Usage;
  /** Duration of all model calls, in milliseconds. */
  modelMs: number;
  /** Completed steps of all turns. */
  stepsTaken: number;
  /** How the last turn ended or was interrupted; null before the first one, and during a turn. */
  lastResult: RunResult | null;
}

export function initialState(): RoleState {
  return {
    version: ROLE_STATE_VERSION,
    phase: 'idle',
    actionIndex: -1,
    plan: { goal: '', context: '', currentTaskId: '', tasks: [] },
    workingMemory: [],
    respondLanguage: '',
    earlierGoals: [],
    tools: {},
    parts: {},
    turn: null,
    question: null,
    unread: [],
    sent: {},
    notes: [],
    usage: { calls: 0, promptTokens: 0, completionTokens: 0, cachedPromptTokens: 0, costUsd: 0 },
    modelMs: 0,
    stepsTaken: 0,
    lastResult: null,
  };
}

/** Returns the language of replies, in words for a prompt. */
export function replyLanguage({ respondLanguage }: Pick<RoleState, 'respondLanguage'>): string {
  return respondLanguage || 'the language of the requirement';
}

/** Adds untrusted sources that the role has read. */
export function addSources(state: Pick<RoleState, 'untrusted'>, sources: readonly string[]): void {
  if (sources.length > 0)
    state.untrusted = [...new Set([...(state.untrusted ?? []), ...sources])].slice(0, MAX_SOURCES);
}

/** Maximum number of names of private data. */
const MAX_SECRETS = 10;

/** Adds names of private data that the role has read, all of it from one service or not. */
export function addSecrets(state: RoleState, names: readonly string[], from: Private): void {
  state.private = state.private === undefined || state.private === from ? from : true;
  state.secrets = [...new Set([...(state.secrets ?? []), ...names])].slice(-MAX_SECRETS);
}

/** Adds who sent a request, when it was not the user. */
export function addSender(state: RoleState, { metadata }: Message): void {
  const sender = metadata[SENDER];
  if (typeof sender === 'string')
    state.senders = [...new Set([...(state.senders ?? []), sender])].slice(-MAX_SOURCES);
}

/**
 * Reads a stored state and upgrades it; the initial state when nothing was stored. Objects of `value` become part of the result.
 *
 * @throws RoleZeroError `storage-version` when a newer release wrote it, `storage-corrupt` naming the field that is wrong.
 */
export function readState(value: unknown): RoleState {
  if (value === undefined) return initialState();
  const version = roleStateVersion(value);
  const current = isRecord(value) && version === 1 ? upgradeState(value) : value;
  const upgraded = isRecord(current) ? upgradeParts(current) : current;
  const problem = version === null ? 'it has no version' : roleStateProblem(upgraded);
  if (problem === null) return { ...initialState(), ...(upgraded as Partial<RoleState>) };
  throw new RoleZeroError(
    'storage-corrupt',
    `The stored state of a role cannot be read: ${problem}. Import an export of the session, or remove it.`,
    { problem },
  );
}

/** Phases that may follow each phase. Every phase may also fail. After a failure or an interruption, the same phase is entered again. */
const NEXT_PHASES: Record<Phase, readonly Phase[]> = {
  idle: ['classifying', 'thinking', 'acting'],
  classifying: ['thinking', 'waiting-human', 'ended'],
  thinking: ['acting', 'waiting-human', 'ended'],
  acting: ['thinking', 'waiting-human', 'ended'],
  'waiting-human': ['classifying', 'thinking', 'acting', 'ended'],
  ended: ['idle', 'classifying', 'thinking', 'acting'],
  failed: ['classifying', 'thinking', 'acting', 'waiting-human', 'ended'],
};

/** @throws RoleZeroError `internal` when `to` cannot follow `from`. */
export function assertTransition(from: Phase, to: Phase): void {
  if (to === 'failed' || to === 'idle' || NEXT_PHASES[from].includes(to)) return;
  throw new RoleZeroError('internal', `A role cannot go from ${from} to ${to}.`, { from, to });
}

interface Row {
  key: string;
  value: unknown;
}

/** What the state of a role is restored from. */
export interface RoleSnapshot {
  state: unknown;
  /** The record of `approvalsKey`; undefined without one. */
  approvals: unknown;
  tools: readonly Row[];
  inbox: readonly Row[];
}

/** What the memory of a role is restored from. */
export interface MemorySnapshot {
  messages: readonly Row[];
  turns: readonly Row[];
}
