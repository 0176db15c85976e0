import { RoleZeroError } from '../base/error.js';
import type { Phase, PlanData, RunResult, StepTrace, Usage } from '../base/events.js';
import type { ExperienceTrace } from '../base/experience.js';
import type { Command } from '../base/human.js';
import { isRecord, type JsonValue } from '../base/json.js';
import type { MessageData } from '../base/message.js';
import { NOTHING_SPENT, type Grant, type Spending } from './budget.js';
import type { OutputLimit } from './output-limit.js';
import type { Status } from './prompts/status.js';
import type { Category } from './quick-think.js';
import { checkStoredState } from './stored-state.js';

/** What became of one command. */
export interface CommandResult {
  name: string;
  ok: boolean;
  /** The observation, as it stands in memory. */
  output: string;
  /** Where it comes from, when that is outside of the session. */
  from?: string[];
  /** It was not written there, but put together here from files that are labelled so: an address in it may be the model's. */
  composed?: true;
}

/** The commands of one reply and how far they have come. */
export interface Batch {
  commands: Command[];
  results: CommandResult[];
  /** Set before a command whose effect leaves the session is tried; see `Tool.replay`. */
  intent: string | null;
  /** How often a person has allowed to run the command of `intent` again; an answer counts for one time. */
  again?: number;
  /** The rest of the commands is not to be run. */
  stopped: boolean;
}

/** The work on one requirement, from the message that caused it to its end. */
export interface Reaction {
  id: string;
  /** The message that set it off; kept until the end. */
  trigger: MessageData | null;
  /** An action is chosen and not done yet. */
  chosen: boolean;
  intent: Category | null;
  /** Goal and language are settled. */
  prepared: boolean;
  /** The reply to act on: the model's, or what took the place of a repetition. */
  commandReply: string | null;
  /** That reply ran into a length limit: its last command may be half of one. */
  cut: boolean;
  /** The limit it ran into; missing for whole replies and in the state of earlier releases. */
  limit?: OutputLimit;
  /** Acts since the start, or since a person allowed a new round. */
  steps: number;
  /** Acts since the start. */
  totalSteps: number;
  /** Replies in a row that could not be read. */
  unreadable: number;
  /** Whether the person was answered since the requirement. */
  replied: boolean;
  /** The step in which the person was last answered; −1 for none. */
  repliedAt: number;
  /** A question of the model to the person has been answered with more than a no, or has had its time. */
  conferred: boolean;
  batch: Batch | null;
  /** `end` was given, or the person said stop. */
  ended: boolean;
  /** The batch in hand is the last: others were given work, and their answer is waited for (spec 22). */
  paused: boolean;
  /** The last words to the person. */
  reply: string;
  summary: string;
  /** Outputs of the last act: what the reaction ends with. */
  outputs: string;
  /** What people answered in the step in hand, by what was asked. */
  answers: Record<string, string>;
  /** When those of them that are approvals were given. */
  approvedAt?: Record<string, number>;
  /** Model replies that are paid for and not used up yet, by what was asked. */
  replies: Record<string, string>;
  usage: Spending;
  /** What the person has allowed beyond the budget of this run. */
  grant?: Grant;
  /** What the person has said to commands of this requirement, by what they were asked about. */
  grants?: Record<string, boolean>;
  /** In which step the person was asked about a command, by its call id; of late. */
  asked?: Record<string, number>;
  /** What the step in hand came to so far; `startedAt` is 0 before its beginning. */
  trace: Pick<StepTrace, 'startedAt' | 'calls' | 'replyId' | 'commands'>;
  /** Names of the tools the model is shown, when a recommender chose. */
  offered?: string[];
  /** Only of a role that has a pool. */
  experience?: ExperienceTrace;
}

/** A question that is open; the same one is asked again after a crash. */
export interface OpenQuestion {
  key: string;
  id: string;
}

/** A requirement that another one was put before while its tasks were open. */
export interface EarlierGoal {
  goal: string;
  language: string;
}

/** Everything of a role that must survive, but for its messages and turns, which are rows. Plain data, small. */
export interface RoleState {
  version: 1;
  phase: Phase;
  /** Index of the action in hand; −1 for none. */
  state: number;
  plan: PlanData;
  /** What a planner noted since the plan last changed. */
  workingMemory: MessageData[];
  respondLanguage: string;
  /** What the role comes back to when the requirement in hand is done, the last first to be taken up. */
  earlierGoals: EarlierGoal[];
  /** State of tools by group: the editor's open file. */
  tools: Record<string, Record<string, JsonValue>>;
  reaction: Reaction | null;
  question: OpenQuestion | null;
  /** What was recalled last: the message it was for, and the ids of older ones. Only of a role that has long-term memory. */
  recalled?: { for: string; ids: string[] };
  /** Sources outside of the session that the role has read; it does not get rid of what it read. See `ToolContext.untrusted`. */
  untrusted?: string[];
  /** It has read what is the person's alone. */
  private?: true;
  /** Commands the person has allowed for the session. */
  grants?: string[];
  /** Ids of messages in memory the model has not been told yet. */
  untold: string[];
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
    version: 1,
    phase: 'idle',
    state: -1,
    plan: { goal: '', context: '', currentTaskId: '', tasks: [] },
    workingMemory: [],
    respondLanguage: '',
    earlierGoals: [],
    tools: {},
    reaction: null,
    question: null,
    untold: [],
    said: {},
    notes: [],
    usage: { calls: 0, promptTokens: 0, completionTokens: 0, cachedPromptTokens: 0, costUsd: 0 },
    modelMs: 0,
    stepsTaken: 0,
    lastResult: null,
  };
}

export function newReaction(id: string, trigger: MessageData | null): Reaction {
  return {
    id,
    trigger,
    chosen: false,
    intent: null,
    prepared: false,
    commandReply: null,
    cut: false,
    steps: 0,
    totalSteps: 0,
    unreadable: 0,
    replied: false,
    repliedAt: -1,
    conferred: false,
    batch: null,
    ended: false,
    paused: false,
    reply: '',
    summary: '',
    outputs: '',
    answers: {},
    replies: {},
    usage: { ...NOTHING_SPENT },
    trace: newTrace(),
  };
}

export function newTrace(): Reaction['trace'] {
  return { startedAt: 0, calls: [], replyId: '', commands: [] };
}

/** Sources outside of the session that are named. */
export const MAX_SOURCES = 20;

/** Notes where something came from that the role has read. */
export function addSources(state: RoleState, sources: readonly string[]): void {
  if (sources.length > 0)
    state.untrusted = [...new Set([...(state.untrusted ?? []), ...sources])].slice(0, MAX_SOURCES);
}

/**
 * A state as it was stored; the first one when nothing was. What is given becomes part of it: stores give copies.
 * @throws RoleZeroError `storage-version` when another release wrote it, `storage-corrupt` naming what in it cannot be.
 */
export function readState(value: unknown): RoleState {
  if (value === undefined) return initialState();
  if (!isRecord(value) || value['version'] !== 1) {
    throw new RoleZeroError('storage-version', 'The stored state of a role was written by another release.', {
      version: isRecord(value) ? value['version'] : null,
    });
  }
  checkStoredState(value);
  const state = { ...initialState(), ...(value as Partial<RoleState>) };
  return state.reaction === null ? state : { ...state, reaction: complete(state.reaction) };
}

/** Work that an earlier release left unfinished may lack what was not counted then. */
function complete(reaction: Reaction): Reaction {
  const fresh = newReaction(reaction.id, reaction.trigger);
  return { ...fresh, ...reaction, usage: { ...fresh.usage, ...reaction.usage } };
}
