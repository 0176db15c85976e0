import type { AgentEvent } from '../base/events.js';
import { nearest } from '../tools/editor/nearest.js';
import { takesArgument } from '../tools/registry.js';
import { ConversingRole } from './conversing-role.js';
import { argumentName, matches, names, type PolicyRule } from './policy.js';
import type { Role } from './role.js';

/**
 * A warning about rules that match no command of the roles they were given to: a name that was not written right protects nothing. Null
 * when each matches one. What roles share need match for one of them only.
 */
export function idleRules(roles: readonly Role[]): Extract<AgentEvent, { type: 'warning' }> | null {
  const idle = new Map<string, string>();
  const live = new Set<string>();
  for (const role of roles) {
    if (!(role instanceof ConversingRole)) continue;
    const look = (rule: PolicyRule, text: string): void => {
      if (mayMatch(rule, role)) live.add(text);
      const isKnown = mayMatch({ tool: rule.tool, do: rule.do }, role);
      const [like] = isKnown ? [] : nearest(rule.tool, role.registry.names, String);
      idle.set(text, like === undefined ? text : `${text} (did you mean ${like}?)`);
    };
    for (const rule of role.rules) look(rule, JSON.stringify(rule));
    for (const tool of role.capabilities?.outside ?? [])
      look({ tool, do: 'allow' }, `capabilities.outside "${tool}"`);
  }
  const rules = [...idle].filter(([text]) => !live.has(text)).map(([, text]) => text);
  if (rules.length === 0) return null;
  return {
    type: 'warning',
    code: 'invalid',
    message: `These rules match no command of a role that has them, and are without effect: ${rules.join('; ')}. Look at the names of commands, roles and arguments; an origin is one of commands with an address.`,
    detail: { rules },
  };
}

/** Whether some command of the role could be held to a rule. */
function mayMatch(
  { role: name = '*', tool: pattern, origin, args = {} }: PolicyRule,
  role: ConversingRole,
): boolean {
  const { registry } = role;
  return (
    matches(name, role.name) &&
    registry.tools.some(
      (tool) =>
        names(pattern, tool.name, registry.aliasesOf(tool.name)) &&
        (origin === undefined || tool.address !== undefined || tool.reaches !== undefined) &&
        Object.keys(args).every(
          (given) => takesArgument(tool, given) || takesArgument(tool, argumentName(given, tool.aliases)),
        ),
    )
  );
}
