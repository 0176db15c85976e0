import type { Message } from './message.js';

/** Quality of a reply: `val` ranges from 1 (useless) to 10 (perfect). */
export interface ExperienceScore {
  val: number;
  reason: string;
}

/** A request, its reply, and the outcome. Plain data. */
export interface Experience {
  /** Derived from tag and request: the same question asked again is the same experience. */
  uuid: string;
  /** Source of the request: `RoleZero.think`, or the name of a function. */
  tag: string;
  req: string;
  resp: string;
  metric?: {
    /** Seconds. */
    timeCost?: number;
    /** US dollars. */
    moneyCost?: number;
    /** Absent until it is scored. */
    score?: ExperienceScore;
  };
  expType: 'success' | 'failure' | 'insight';
  entryType: 'Automatic' | 'Manual';
  traj?: { plan: string; action: string; observation: string; reward: number };
  /** Milliseconds since 1970. */
  timestamp: number;
}

/**
 * Stores experiences by pool name; they outlive sessions. Stored data may come from an untrusted source, and the pool checks what it reads.
 * Every method rejects with a `storage-…` error when the store fails; nothing is written in that case.
 */
export interface ExperienceStore {
  /** Returns the current entry, or undefined when there is none. */
  get(pool: string, uuid: string): Promise<unknown>;
  /** Returns all entries of a pool, by uuid. */
  list(pool: string): Promise<unknown[]>;
  /** Stores all entries or none. Replaces entries with the same uuid. */
  put(pool: string, experiences: readonly Experience[]): Promise<void>;
  /** Ignores uuids that do not exist. */
  remove(pool: string, uuids: readonly string[]): Promise<void>;
  clear(pool: string): Promise<void>;
}

/** The situation of a step: everything its reply depends on, and nothing that differs between sessions. */
export interface StepSituation {
  /** `Class.think`. */
  tag: string;
  system: string;
  goal: string;
  planStatus: string;
  currentTask: string;
  language: string;
  /** Unread messages, which are not yet in a prompt. */
  news: readonly Message[];
}

/** Knowledge from earlier steps for a step. */
export interface PastExperience {
  /** Null when nothing can be learned from the step. */
  uuid: string | null;
  /** A perfect reply to exactly this step; null when the model must be called. */
  reply: string | null;
  /** Similar experiences as text for the prompt; empty when there are none or none is needed. */
  advice: string;
}

/** The experience that the current step used, and the experiences used or created by all steps so far. Plain data. */
export interface ExperienceTrace {
  current: string | null;
  reused: boolean;
  all: string[];
}

/**
 * The experience of one role, step by step. No method ever rejects: an error goes to the `warn` of `follow`, and the role continues
 * without experience.
 */
export interface RoleExperience {
  /** Starts again from these remembered messages. */
  restart(messages: readonly Message[]): void;
  /** Must be called with every message that enters the role's memory. */
  remember(message: Message): void;
  recall(situation: () => StepSituation): Promise<PastExperience>;
  /** Called when the step has its reply. Changes the trace, to be stored with the reply. */
  taken(past: PastExperience): void;
  /**
   * Records the result of the step. `reply` is the intended reply, null when it should not be stored. `failure` describes the error, if
   * any.
   */
  settle(reply: string | null, failure: string | null): Promise<void>;
  /** Called when the turn ends before the request is finished. */
  unfinished(): Promise<void>;
}

/** Gives a role access to a pool of experiences. */
export interface ExperienceSource {
  /**
   * @param trace Returns the trace that is stored with the state of the current request.
   * @param warn Reports an error that the role can work without.
   */
  follow(trace: () => ExperienceTrace, warn: (message: string, error: unknown) => void): RoleExperience;
}

/** Finds examples for the current situation; returns an empty text when there is none. */
export interface ExperienceRetriever {
  retrieve(context: string): string | Promise<string>;
}
