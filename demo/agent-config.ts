import type { TourName } from './tour/names.js';

/**
 * The model of a session. `page`: a model on the page, by its name there; `none` opens a session read-only; `replay`
 * repeats recorded replies, and then waits to be stopped.
 */
export type ModelConfig =
  | { kind: 'none' }
  | { kind: 'tour'; tour: TourName; page: TourPage | null }
  | {
      kind: 'remote';
      baseURL: string;
      model: string;
      apiKey: string;
      contextWindow: number;
      jsonSchema?: boolean;
      images?: boolean;
      promptProgress?: boolean;
      parameters?: number;
    }
  | { kind: 'web-llm'; model: string; contextWindow: number }
  | { kind: 'wllama'; url: string; name: string; contextWindow: number }
  | { kind: 'page'; name: string }
  | { kind: 'replay'; replies: readonly GivenReply[] };

/** The page that shows the notes of a tour and sets its pace. */
export interface TourPage {
  session: string;
  /** Time for reading a note, in ms. */
  dwell: number;
}

/** A model reply in the trace of a session. */
export interface GivenReply {
  role: string;
  purpose: string;
  text: string;
}

/** What needs approval: nothing, shell commands, or every change. */
export type Asks = 'never' | 'shell' | 'changes';

/** Configuration that the page passes to the worker. */
export interface AgentConfig {
  model: ModelConfig;
  /** A leader, an engineer and a reviewer instead of one role. */
  team: boolean;
  asks: Asks;
  /** Token limit of one request, after which the user is asked; null: no limit. */
  tokenBudget: number | null;
  /** The agents may write standing notes. */
  notes: boolean;
  /** Name of the memories and notes that sessions share; null: each session has its own. */
  shared: string | null;
  /** Messages in the window; older ones move to long-term memory. */
  memoryWindow: number;
}

/** The roles of a session by name. The first one receives the user's requests. */
export function roleNames(team: boolean): readonly [string, ...string[]] {
  return team ? TEAM : ALONE;
}

const ALONE = ['Zero'] as const;
const TEAM = ['Mike', 'Alex', 'Rita'] as const;

/** Under this name, sessions share memories and notes. */
export const SHARED = 'demo';

/** Default number of messages in the window. */
export const USUAL_WINDOW = 120;
