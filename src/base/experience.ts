import type { JsonValue } from './json.js';

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

/** What a role is about to ask its model, without anything that differs from session to session. */
export interface ExperienceRequest {
  tag: string;
  /** What has just been said to it. */
  messages: readonly { role: string; content: string }[];
  stateData: Readonly<Record<string, JsonValue>>;
}

/** What is known about a request. */
export interface Recollection {
  uuid: string;
  tag: string;
  /** The request as it is kept. */
  req: string;
  /** A perfect reply to this very request; null when the model has to be asked. */
  resp: string | null;
  /** Similar experiences as a text for the prompt; empty when there are none or none is needed. */
  advice: string;
}

/** A pool of experiences as a role sees it. May reject: the role then goes on as if it had none. */
export interface ExperienceSource {
  /** A short name for a long text; equal for equal texts only. */
  digest(text: string): string;
  /** Null when the pool is switched off. */
  recall(request: ExperienceRequest): Promise<Recollection | null>;
  /** Keeps a reply that the model gave, with what it turned out to be worth. Learning the same twice is learning it once. */
  learn(asked: Recollection, resp: string, score: ExperienceScore): Promise<void>;
  /** What an experience turned out to be worth when it was used again. Nothing happens when it is gone. */
  rate(uuid: string, score: ExperienceScore): Promise<void>;
  /** The same, for an experience that is thought better of than this. */
  lower(uuid: string, score: ExperienceScore): Promise<void>;
}

/** Finds examples that fit what is going on; an empty text when there is none (spec 19.1). */
export interface ExperienceRetriever {
  retrieve(context: string): string | Promise<string>;
}
