import type { Message } from './message.js';

/** How good a reply was: `val` from 1 (of no use) to 10 (perfect). */
export interface ExperienceScore {
  val: number;
  reason: string;
}

/** A request, the reply it was given, and what became of it (spec 19.2). Plain data. */
export interface Experience {
  /** Follows from tag and request: the same question asked again is the same experience. */
  uuid: string;
  /** What asked: `RoleZero.think`, the name of a function. */
  tag: string;
  req: string;
  resp: string;
  metric?: {
    /** Seconds. */
    timeCost?: number;
    /** US dollars. */
    moneyCost?: number;
    /** Left out while nobody has judged it. */
    score?: ExperienceScore;
  };
  expType: 'success' | 'failure' | 'insight';
  entryType: 'Automatic' | 'Manual';
  traj?: { plan: string; action: string; observation: string; reward: number };
  /** Milliseconds since 1970. */
  timestamp: number;
}

/**
 * Where experiences are kept, by the name of their pool: they outlive sessions. What is read back may have been written by anybody and is
 * checked by the pool. Every method rejects with a `storage-…` error when the store fails, and then nothing of it was written.
 */
export interface ExperienceStore {
  /** The entry as it is now; undefined when there is none. */
  get(pool: string, uuid: string): Promise<unknown>;
  /** Everything of a pool, by uuid. */
  list(pool: string): Promise<unknown[]>;
  /** All or nothing; replaces entries of the same uuid. */
  put(pool: string, experiences: readonly Experience[]): Promise<void>;
  /** What is not there is passed over. */
  remove(pool: string, uuids: readonly string[]): Promise<void>;
  clear(pool: string): Promise<void>;
}

/** What a step of a role is about: everything its reply depends on, and nothing that differs from session to session. */
export interface StepSituation {
  /** `Class.think`. */
  tag: string;
  system: string;
  goal: string;
  planStatus: string;
  currentTask: string;
  language: string;
  /** What the model has not been told yet. */
  news: readonly Message[];
}

/** What is known about a step from earlier ones. */
export interface PastExperience {
  /** Null when nothing can be learnt from the step either. */
  uuid: string | null;
  /** A perfect reply to this very step; null when the model has to be asked. */
  reply: string | null;
  /** Similar experiences as a text for the prompt; empty when there are none or none is needed. */
  advice: string;
}

/** What the step in hand owes to experience, and which experiences the steps so far have used or made. Plain data. */
export interface ExperienceTrace {
  current: string | null;
  reused: boolean;
  all: string[];
}

/** What experience needs of the role that gathers it. */
export interface ExperienceHost {
  /** Kept with the state of the requirement in hand. */
  trace(): ExperienceTrace;
  warn(message: string, error: unknown): void;
}

/** The experience of one role, step by step. Nothing here ever rejects: a fault is told to the host, and the role goes on without. */
export interface RoleExperience {
  /** Begins again with what is remembered. */
  restart(messages: readonly Message[]): void;
  /** To be told of everything new that enters the role's memory. */
  remember(message: Message): void;
  recall(situation: () => StepSituation): Promise<PastExperience>;
  /** The step has its reply: a change of the trace that is to be kept together with it. */
  taken(past: PastExperience): void;
  /** What the step came to: `reply` as it was meant, null when it is not worth keeping; `failure` says what went wrong, if anything. */
  settle(reply: string | null, failure: string | null): Promise<void>;
  /** The work on the requirement ends unfinished. */
  unfinished(): Promise<void>;
}

/** A pool of experiences as a role sees it. */
export interface ExperienceSource {
  follow(host: ExperienceHost): RoleExperience;
}

/** Finds examples that fit what is going on; an empty text when there is none (spec 19.1). */
export interface ExperienceRetriever {
  retrieve(context: string): string | Promise<string>;
}
