import { ANSWER_SENDER } from '../../core/role-command-names.js';
import { nearest } from '../../tools/editor/nearest.js';
import { takesArgument, type ToolRegistry } from '../../tools/registry.js';
import type { Capabilities } from './capabilities.js';
import { argumentName, matches, names, type PolicyRule } from './policy.js';

/** A rule, or a field of the capabilities, as text. */
export interface GivenRule {
  text: string;
  /** It can match a command of the role. */
  matches: boolean;
  /** A command with a similar name, when no command has this one. */
  like?: string;
}

/**
 * Returns for each rule of a role whether it can match one of its commands.
 *
 * @param groups Groups of tools that are not known yet: rules that name them can match.
 */
export function matchingRules(
  role: string,
  registry: ToolRegistry,
  groups: readonly string[],
  { rules, capabilities }: { rules: readonly PolicyRule[]; capabilities: Capabilities | null },
): GivenRule[] {
  const mayMatch = ({ role: name = '*', tool: pattern, origin, args = {} }: PolicyRule): boolean =>
    matches(name, role) &&
    (groups.some((group) => pattern.startsWith(`${group}.`)) ||
      matches(pattern, ANSWER_SENDER) ||
      registry.tools.some(
        (tool) =>
          names(pattern, tool.name, registry.aliasesOf(tool.name)) &&
          (origin === undefined || tool.address !== undefined || tool.reaches !== undefined) &&
          Object.keys(args).every(
            (given) => takesArgument(tool, given) || takesArgument(tool, argumentName(given, tool.aliases)),
          ),
      ));
  const look = (rule: PolicyRule, text: string): GivenRule => {
    const { tool } = rule;
    const [like] = mayMatch({ tool, do: 'deny' }) ? [] : nearest(tool, registry.names, String);
    return { text, matches: mayMatch(rule), ...(like === undefined ? {} : { like }) };
  };
  return [
    ...rules.map((rule) => look(rule, JSON.stringify(rule))),
    ...(capabilities?.outside ?? []).map((tool) =>
      look({ tool, do: 'allow' }, `capabilities.outside ${JSON.stringify(tool)}`),
    ),
  ];
}
