import type { Effect, OnAmbiguous, Replay } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';

/** Returns how a tool is replayed after a crash. Effects inside the session are atomic. */
export function replayOf(tool: { effect?: Effect; replay?: Replay }): Replay {
  const inside = tool.effect === undefined || tool.effect === 'pure' || tool.effect === 'session';
  return tool.replay ?? (inside ? 'atomic' : tool.effect === 'egress-read' ? 'idempotent' : 'unsafe');
}

/** Returns what to do when it is unknown whether an unsafe effect took place. Default: ask the user. */
export function onAmbiguousOf(tool: object): OnAmbiguous {
  return 'onAmbiguous' in tool ? (tool.onAmbiguous as OnAmbiguous) : 'ask';
}

/** Returns whether a tool only reads outside of the session: an interrupted call counts as not run. */
export function isHarmlessRead(tool: { effect?: Effect; replay?: Replay }): boolean {
  return tool.effect === 'egress-read' && replayOf(tool) === 'idempotent';
}

/** Returns whether a command may run in parallel: its tool is marked `parallel`, and running it again after a crash is safe. */
export function isParallelSafe(tool: { parallel?: boolean; effect?: Effect; replay?: Replay }): boolean {
  return tool.parallel === true && ['atomic', 'idempotent'].includes(replayOf(tool));
}

/** Returns whether a command may change what no other command shows. */
export function mayActOutside({ registry }: Pick<Agent, 'registry'>, name: string): boolean {
  const tool = registry.get(name);
  const { effect = 'session' } = tool ?? {};
  const isReading = effect === 'pure' || effect === 'egress-read' || tool?.parallel === true;
  return !isReading && tool?.hints?.changes === undefined;
}
