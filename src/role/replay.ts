import type { Effect, OnAmbiguous, Replay } from '../base/tool.js';

/** Where a tool's effect stands after a crash; what stays inside the session is atomic (architecture §5). */
export function replayOf(tool: { effect?: Effect; replay?: Replay }): Replay {
  const inside = tool.effect === undefined || tool.effect === 'pure' || tool.effect === 'session';
  return tool.replay ?? (inside ? 'atomic' : tool.effect === 'egress-read' ? 'idempotent' : 'unsafe');
}

/** What to do when nobody knows whether an unsafe effect took place; the person is asked unless the tool says otherwise. */
export function onAmbiguousOf(tool: object): OnAmbiguous {
  return 'onAmbiguous' in tool ? (tool.onAmbiguous as OnAmbiguous) : 'ask';
}

/** Whether a command may run beside others: it was marked so, and running it once more after a crash does no harm. */
export function runsBeside(tool: { parallel?: boolean; effect?: Effect; replay?: Replay }): boolean {
  return tool.parallel === true && ['atomic', 'idempotent'].includes(replayOf(tool));
}
