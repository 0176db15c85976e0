import { withoutThinking } from '../agent/parse/thinking.js';

/** Returns the stage that a reply names: its first integer that is a valid stage or -1; -1 when there is none. */
export function chosenStage(reply: string, count: number): number {
  const numbers = withoutThinking(reply).match(/-?\d+/g) ?? [];
  return numbers.map(Number).find((number) => number >= -1 && number < count) ?? -1;
}
