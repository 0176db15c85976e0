import type { Command } from '../base/human.js';
import type { Effect } from '../base/tool.js';

/** What may happen to a command before it runs. */
export type Decision = 'allow' | 'ask' | 'deny';

/**
 * One rule: `tool` is a command name with `*` for any run of characters; `path`, when given, must match the command's `path`
 * argument (`*` within a segment, `**` across segments). Once the role has read what comes from outside (see `ToolContext.untrusted`), a
 * role that has rules at all asks before every command whose effect leaves the session, but for those a rule allows by name.
 *
 * @example { tool: 'Editor.*', path: '/secrets/**', do: 'deny' }
 */
export interface PolicyRule {
  tool: string;
  path?: string;
  do: Decision;
}

const STRENGTH: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 };

/** What speaks against a command though no rule does. */
export interface Circumstances {
  effect: Effect;
  /** The role has read what comes from outside of the session. */
  afterUntrusted: boolean;
}

/** The strictest decision of all rules that match; when none does `allow`, unless the circumstances are for asking. */
export function decide(
  command: Command,
  path: string | null,
  rules: readonly PolicyRule[],
  { effect, afterUntrusted }: Circumstances = { effect: 'pure', afterUntrusted: false },
): Decision {
  const decisions = rules
    .filter((rule) => matches(rule.tool, command.name))
    .filter((rule) => rule.path === undefined || (path !== null && matches(rule.path, path, '/')))
    .map((rule) => rule.do);
  const [strictest] = decisions.toSorted((one, other) => STRENGTH[other] - STRENGTH[one]);
  if (strictest !== undefined) return strictest;
  const leaves = effect !== 'pure' && effect !== 'session';
  return rules.length > 0 && afterUntrusted && leaves ? 'ask' : 'allow';
}

/** True when no file path and no person can make the rules let this command run: it need not be offered at all. */
export function isForbidden(name: string, rules: readonly PolicyRule[]): boolean {
  return decide({ name, args: {} }, null, rules) === 'deny';
}

/** Glob match without regular expressions, in time linear in the product of both lengths. `*` stops at `separator`, `**` does not. */
export function matches(pattern: string, text: string, separator = ''): boolean {
  let reachable = new Set([0]);
  for (let index = 0; index < pattern.length && reachable.size > 0; index++) {
    const next = new Set<number>();
    if (pattern[index] === '*') {
      const across = pattern[index + 1] === '*';
      if (across) index++;
      for (const start of reachable) {
        for (let end = start; end <= text.length && !next.has(end); end++) {
          next.add(end);
          if (!across && separator !== '' && text[end] === separator) break;
        }
      }
    } else {
      for (const at of reachable) if (text[at] === pattern[index]) next.add(at + 1);
    }
    reachable = next;
  }
  return reachable.has(text.length);
}
