import type { ExperienceTrace } from '../../core/experience.js';
import type { Permission, StepTrace } from '../../core/events.js';
import type { Command } from '../../core/human.js';
import type { JsonValue } from '../../core/json.js';
import type { MessageData } from '../../core/message.js';
import type { ToolCall } from '../../core/model.js';
import type { Approvals } from '../policy/approvals.js';
import { NOTHING_SPENT, type Spending } from '../policy/budget.js';
import type { OutputLimit } from './output-limit.js';
import type { Category } from '../prompt/request-category.js';

/**
 * A turn: everything from one request to its end. It is plain data, stored with every commit, so resuming after a crash is working on
 * `stage` again. What only one stage needs is in that stage.
 */
export interface Turn {
  /** Unique; the ids of command calls start with it. */
  id: string;
  /** The message that started the turn; null when there was none. */
  request: MessageData | null;
  stage: Stage;
  /** What kind of request it is; null until it was classified. */
  category: Category | null;
  /** Completed steps. */
  step: number;
  /** `step` when the user last allowed more steps; 0 before that. The step limit counts from here. */
  limitFrom: number;
  usage: Spending;
  /** The last reply to the user in this turn and the step that gave it; null before the first. */
  userReply: UserReply | null;
  /** The user has answered a question of the model with more than "no", or the time to answer is over. */
  hasConsulted: boolean;
  /** A message to the user was sent back, because it claimed what had not happened. */
  hasCheckedClaims?: boolean;
  /** A small model was asked once about an end before anything had happened. */
  hasCheckedEnd?: boolean;
  /** Steps in a row without any successful command; absent for none. */
  failedSteps?: number;
  /** Commands that failed in the last step that worked; absent for none. */
  failedCommands?: number;
  /** Output of the last completed step. */
  lastOutput: string;
  /** Paid model replies of the current step, by question key. Asked again after a crash, the stored reply is returned. */
  replies: Record<string, StoredReply>;
  /** Answers of the user in the current step, by question key. Permissions are stored elsewhere: see `Approvals`. */
  answers: Record<string, string>;
  /** Record of the current step; `startedAt` is 0 before its first model call. */
  trace: Pick<StepTrace, 'startedAt' | 'calls' | 'replyId' | 'commands'>;
  /** The last call of the model beside other roles: its key, and its place in the order in which they continue. */
  lastCall?: { key: string; place: number };
  /** The user has sent another request instead of resuming it: it is closed, not continued. */
  isGivenUp?: true;
  /** Names of the tools the model is shown, when a recommender has chosen. */
  offered?: string[];
  /** Only for a role with an experience pool. */
  experience?: ExperienceTrace;
}

/** How far a turn has come. Resuming is a `switch` over `name`. */
export type Stage =
  /** Decide whether the request needs work. */
  | { name: 'classify' }
  /** Settle goal and language. */
  | { name: 'prepare' }
  /** Get the next commands from the model. */
  | { name: 'think'; /** Replies in a row that could not be read. */ unreadableReplies: number }
  | ActStage
  /** Report the end of the turn. */
  | { name: 'finish'; ending: Ending }
  /** Choose and run actions in a fixed procedure (`Role`). */
  | { name: 'procedure'; isActionChosen: boolean }
  /** Work on a plan (`PlanningRole`). */
  | { name: 'plan'; hasPlan: boolean };

/** The stage of a name. */
export type StageOf<Name extends Stage['name']> = Extract<Stage, { name: Name }>;

/** How a sentence begins that names commands which are not run. */
export const NOT_RUN = 'Not run: ';

/** Run the commands of one reply. */
export interface ActStage {
  name: 'act';
  commands: Command[];
  /** Results of the first commands, in order. */
  results: CommandResult[];
  /** The command whose effect leaves the session and that was started; see `Tool.replay`. */
  attempt: Attempt | null;
  /** The rest of the commands is not run. */
  isStopped: boolean;
  /** A command changed something that others can observe; `maybe` when only its tool knows. */
  changed?: Change;
  /** Sentences about commands of the reply that are not run. */
  notRun?: string[];
  /** Set by a command that makes this the last step. */
  ending: Ended | Paused | null;
}

export type Change = 'maybe' | 'surely';

export interface Attempt {
  callId: string;
  /** How often the user has allowed to run it again; each permission is used once. */
  retries: number;
  /** The decision about it; absent when none was needed. */
  permission?: Permission;
}

export type Ending = Ended | Paused | { kind: 'answered'; answer: string } | { kind: 'exhausted' };

/** `end` was run, or the user asked to stop. */
export interface Ended {
  kind: 'ended';
  summary: string;
}

/** Others were given work, and their answer starts the next turn. */
export interface Paused {
  kind: 'paused';
}

export interface UserReply {
  text: string;
  step: number;
}

export interface StoredReply {
  text: string;
  /** Its native calls; absent for none. */
  calls?: readonly ToolCall[];
  /** The limit that cut the reply off; null when it is complete. */
  limit: OutputLimit | null;
}

/** Arguments in place of some of a failed command, with which it would succeed: it is run with them when the model gives it again as it was. */
export type Correction = Record<string, JsonValue>;

/** What became of one command. */
export interface CommandResult {
  name: string;
  ok: boolean;
  /** The observation, as the model reads it. */
  output: string;
  /** Sources outside of the session that it comes from. */
  from?: string[];
  /** It was composed here from files with such sources: an address in it may be the model's. */
  composed?: true;
  /** Addresses in a composed result that its sources named. */
  addresses?: string[];
  correction?: Correction;
}

/** A turn at its beginning. */
export function newTurn(id: string, request: MessageData | null, stage: Stage): Turn {
  return {
    id,
    request,
    stage,
    category: null,
    step: 0,
    limitFrom: 0,
    usage: { ...NOTHING_SPENT },
    userReply: null,
    hasConsulted: false,
    lastOutput: '',
    replies: {},
    answers: {},
    trace: newTrace(),
  };
}

/** Counts a completed step. What was stored for it is used up. */
export function countStep(approvals: Pick<Approvals, 'endStep'>, turn: Turn): void {
  turn.step += 1;
  turn.replies = {};
  turn.answers = {};
  approvals.endStep();
}

export function newTrace(): Turn['trace'] {
  return { startedAt: 0, calls: [], replyId: '', commands: [] };
}
