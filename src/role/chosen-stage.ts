import { withoutThinking } from '../agent/parse/reply.js';

/** The stage a reply names: its first whole number that is one of the `count` stages, or −1; −1 when there is none (spec 5.6, R-107). */
export function chosenStage(reply: string, count: number): number {
  const numbers = withoutThinking(reply).match(/-?\d+/g) ?? [];
  return numbers.map(Number).find((number) => number >= -1 && number < count) ?? -1;
}
