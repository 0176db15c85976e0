import type { Settings } from '../../chaos/mixtures/operations.js';

/** Conditions that all workers of a mixture share. */
export interface Conditions {
  isOpen: boolean;
  isFull: boolean;
  /** Milliseconds to add to the clock. */
  clock: number;
}

/** The `config` of a worker. */
export interface MixtureConfig {
  settings: Settings;
  session: string;
  conditions: Conditions;
}

/** Messages between the page and all workers of its mixture. */
export type ChannelMessage =
  | { type: 'conditions'; conditions: Conditions }
  | { type: 'through' }
  | { type: 'effect'; session: string; what: string };

/** Returns the channel of a mixture. */
export function channelOf({ seed }: Settings): BroadcastChannel {
  return new BroadcastChannel(`mixture ${seed}`);
}
