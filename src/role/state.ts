import { RoleZeroError } from '../base/error.js';
import type { Phase, PlanData, RunResult, Usage } from '../base/events.js';
import { isRecord, type JsonValue } from '../base/json.js';
import type { MessageData } from '../base/message.js';
import type { Status } from './prompts/status.js';
import { checkStoredState } from './stored-state.js';
import type { Turn } from './turn-state.js';
import { upgradeState } from './upgrade-state.js';

/** A question that is open; the same one is asked again after a crash. */
interface OpenQuestion {
  key: string;
  id: string;
}

/** A goal whose tasks were still open when a newer request came. */
interface EarlierGoal {
  goal: string;
  language: string;
}

/** Version of `RoleState`; 2 since a turn has stages. */
const STATE_VERSION = 2;

/** What a role stores besides its messages and conversation, which are rows of their own. Plain data, small. */
export interface RoleState {
  version: typeof STATE_VERSION;
  phase: Phase;
  /** Index of the current action; -1 for none. */
  actionIndex: number;
  plan: PlanData;
  /** What a planner noted since the plan last changed. */
  workingMemory: MessageData[];
  respondLanguage: string;
  /** What the role comes back to when the requirement in hand is done, the last first to be taken up. */
  earlierGoals: EarlierGoal[];
  /** State of tools by group: the editor's open file. */
  tools: Record<string, Record<string, JsonValue>>;
  turn: Turn | null;
  question: OpenQuestion | null;
  /** What was recalled last: the message it was for, and the ids of older ones. Only of a role that has long-term memory. */
  recalled?: { for: string; ids: string[] };
  /** Sources outside of the session that the role has read; it does not get rid of what it read. See `ToolContext.untrusted`. */
  untrusted?: string[];
  /** It has read what is the person's alone. */
  private?: true;
  /** Ids of messages in memory that are not in the prompt yet. */
  unread: string[];
  /** What the last status block said, which view of a page was told last, and up to which change of the files. */
  said: Partial<Status> & { page?: number; files?: number };
  /** Advice that belongs into the next status block. */
  notes: string[];
  usage: Usage;
  /** Milliseconds that all calls to the model took. */
  modelMs: number;
  /** Steps taken over all requirements. */
  stepsTaken: number;
  /** How the last piece of work ended or was interrupted; null while none has, or one is under way. */
  lastResult: RunResult | null;
}

export function initialState(): RoleState {
  return {
    version: STATE_VERSION,
    phase: 'idle',
    actionIndex: -1,
    plan: { goal: '', context: '', currentTaskId: '', tasks: [] },
    workingMemory: [],
    respondLanguage: '',
    earlierGoals: [],
    tools: {},
    turn: null,
    question: null,
    unread: [],
    said: {},
    notes: [],
    usage: { calls: 0, promptTokens: 0, completionTokens: 0, cachedPromptTokens: 0, costUsd: 0 },
    modelMs: 0,
    stepsTaken: 0,
    lastResult: null,
  };
}

/** Sources outside of the session that are named. */
export const MAX_SOURCES = 20;

/** Notes where something came from that the role has read. */
export function addSources(state: RoleState, sources: readonly string[]): void {
  if (sources.length > 0)
    state.untrusted = [...new Set([...(state.untrusted ?? []), ...sources])].slice(0, MAX_SOURCES);
}

/**
 * Reads a stored state and upgrades it; the initial state when nothing was stored. Objects of `value` become part of the result.
 *
 * @throws RoleZeroError `storage-version` when a newer release wrote it, `storage-corrupt` naming the field that is wrong.
 */
export function readState(value: unknown): RoleState {
  if (value === undefined) return initialState();
  const upgraded = isRecord(value) && value['version'] === 1 ? upgradeState(value) : value;
  if (!isRecord(upgraded) || upgraded['version'] !== STATE_VERSION) {
    throw new RoleZeroError('storage-version', 'The stored state of a role was written by another release.', {
      version: isRecord(value) ? value['version'] : null,
    });
  }
  checkStoredState(upgraded);
  return { ...initialState(), ...(upgraded as Partial<RoleState>) };
}
