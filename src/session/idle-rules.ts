import type { WarningEvent } from '../base/events.js';
import type { Role } from '../role/role.js';

/**
 * A warning about rules that match no command of the roles they were given to: a name that was not written right protects nothing. Null
 * when each matches one. What roles share need match for one of them only.
 */
export function idleRules(roles: readonly Role[]): WarningEvent | null {
  const given = roles.flatMap((role) => role.givenRules());
  const live = new Set(given.filter(({ matches }) => matches).map(({ text }) => text));
  const idle = given
    .filter(({ text }) => !live.has(text))
    .map(({ text, like }) => (like === undefined ? text : `${text} (did you mean ${like}?)`));
  if (idle.length === 0) return null;
  const rules = [...new Set(idle)];
  return {
    type: 'warning',
    code: 'invalid',
    message: `These rules match no command of a role that has them, and are without effect: ${rules.join('; ')}. Look at the names of commands, roles and arguments; an origin is one of commands with an address.`,
    detail: { rules },
  };
}
