import type { Agent } from '../runtime/agent.js';
import type { Change } from '../runtime/turn.js';
import type { Finished } from './run-command.js';

/** Returns what a successful command changed that other commands can observe: files, the page, the plan, the user's answers. */
export function changeOf(agent: Agent, { call, changes, pages }: Finished): Change | undefined {
  const { name } = call.command;
  if (changes !== null && changes.files.effects().length > 0) return 'surely';
  if (pages.length > 0 || agent.registry.get(name)?.hints?.changes === 'always') return 'surely';
  return mayActOutside(agent, name) ? 'maybe' : undefined;
}

/** Returns whether a command may change what no other command shows. */
export function mayActOutside({ registry }: Agent, name: string): boolean {
  const tool = registry.get(name);
  const { effect = 'session' } = tool ?? {};
  const isReading = effect === 'pure' || effect === 'egress-read' || tool?.parallel === true;
  return !isReading && tool?.hints?.changes === undefined;
}

/** Returns the surer of two changes. */
export function surerChange(before: Change | undefined, next: Change | undefined): Change | undefined {
  return before === 'surely' ? before : (next ?? before);
}
