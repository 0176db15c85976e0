import { groupOf } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';
import type { Change } from '../runtime/turn.js';
import type { Finished } from './run-command.js';

/** Groups of commands whose changes show in files, in the plan, or in the shown page. */
const OBSERVED_GROUPS = new Set(['Editor', 'Terminal', 'Browser', 'Plan', 'RoleZero', 'SearchEnhancedQA']);

/** Returns what a successful command changed that other commands can observe: files, the page, the plan, the user's answers. */
export function changeOf(agent: Agent, { call, changes, pages }: Finished): Change | undefined {
  const { name } = call.command;
  const tool = agent.registry.get(name);
  const { effect = 'session' } = tool ?? {};
  const group = groupOf(name);
  const isAnswered = name === 'RoleZero.ask_human';
  if (changes !== null && changes.files.effects().length > 0) return 'surely';
  if (pages.length > 0 || group === 'Plan' || isAnswered || (group === 'Browser' && effect === 'ui'))
    return 'surely';
  return mayActOutside(agent, name) ? 'maybe' : undefined;
}

/** Returns whether a command may change what neither files, nor the plan, nor the shown page tell. */
export function mayActOutside({ registry }: Agent, name: string): boolean {
  const tool = registry.get(name);
  const { effect = 'session' } = tool ?? {};
  const isReading = effect === 'pure' || effect === 'egress-read' || tool?.parallel === true;
  return !isReading && !OBSERVED_GROUPS.has(groupOf(name));
}

/** Returns the surer of two changes. */
export function surerChange(before: Change | undefined, next: Change | undefined): Change | undefined {
  return before === 'surely' ? before : (next ?? before);
}
