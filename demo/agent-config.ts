import { tourOf, type TourName } from './tour/index.js';

/** Which model thinks. `page`: one that the page has, by its name there; `none` opens a session to look at it; `replay` gives replies that were given before, and then waits to be stopped. */
export type ModelConfig =
  | { kind: 'none' }
  | { kind: 'tour'; tour: TourName }
  | { kind: 'remote'; baseURL: string; model: string; apiKey: string; contextWindow: number }
  | { kind: 'web-llm'; model: string; contextWindow: number }
  | { kind: 'wllama'; url: string; name: string; contextWindow: number }
  | { kind: 'page'; name: string }
  | { kind: 'replay'; replies: readonly GivenReply[] };

/** A reply of a model as the trace of a session keeps it. */
export interface GivenReply {
  role: string;
  purpose: string;
  text: string;
}

/** Before what the user is asked: nothing, commands of the shell, or whatever changes something. */
export type Asks = 'never' | 'shell' | 'changes';

/** What the page tells the worker. */
export interface AgentConfig {
  model: ModelConfig;
  /** A leader, an engineer and a reviewer instead of one role. */
  team: boolean;
  asks: Asks;
  /** Tokens that one request may take before the user is asked; null: no limit. */
  tokenBudget: number | null;
  /** Messages that stay at hand; older ones move to long-term memory. */
  memoryWindow: number;
}

/** The roles of a session by name, the one a user speaks to first. */
export function roleNames(team: boolean): readonly [string, ...string[]] {
  return team ? ['Mike', 'Alex', 'Rita'] : ['Zero'];
}

/** How many messages stay at hand, unless a session says otherwise. */
export const USUAL_WINDOW = 120;

/** A session that plays a recorded run. */
export function tourConfig(name: TourName): AgentConfig {
  const tour = tourOf(name);
  return {
    model: { kind: 'tour', tour: name },
    team: tour.team ?? false,
    asks: tour.asks === true ? 'shell' : 'never',
    tokenBudget: null,
    memoryWindow: tour.memoryWindow ?? USUAL_WINDOW,
  };
}
