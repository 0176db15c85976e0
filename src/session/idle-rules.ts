import type { AgentEvent } from '../core/events.js';
import type { TeamRole } from '../agent/runtime/work.js';

/**
 * Returns a warning about rules that match no command of their roles: a misspelled name protects nothing. Returns null when every rule
 * matches. A rule shared by several roles need only match for one of them.
 */
export function idleRules(roles: readonly TeamRole[]): AgentEvent<'warning'> | null {
  const given = roles.flatMap((role) => role.agent.givenRules());
  const live = new Set(given.filter(({ matches }) => matches).map(({ text }) => text));
  const idle = given
    .filter(({ text }) => !live.has(text))
    .map(({ text, like }) => (like === undefined ? text : `${text} (did you mean ${like}?)`));
  if (idle.length === 0) return null;
  const rules = [...new Set(idle)];
  return {
    type: 'warning',
    code: 'invalid',
    message: `These rules match no command of the roles that have them, so they have no effect: ${rules.join('; ')}. Check the names of commands, roles and arguments; only commands with an address have an origin.`,
    detail: { rules },
  };
}
