/** What may happen to a command before it runs. */
export type Decision = 'allow' | 'ask' | 'deny';

/** How long a person's yes holds: for this one command, for the rest of the requirement, or for the session. */
export type Lifetime = 'once' | 'run' | 'session';

/**
 * One rule. Every field that is given must match, with `*` for any run of characters; in `path` a `*` stays within a segment and `**` does
 * not. A `deny` that matches decides; else the most specific rule does: the one with most fields, then with most characters that are no
 * stars; of two alike the stricter. Where no rule matches, `ruleOfTwo` decides. Rules cannot change once a role is made. A letter is the
 * same however it is composed (`é` as one character or as two). Commands and arguments may be called by any name that they have.
 *
 * A rule that could never match is an error when its role is made; the warning `invalid` tells of those that match no command of theirs
 * when a session is opened.
 *
 * Paths are those a command names, and all that it turns out to have read or changed: a shell has no way around them.
 *
 * @example { tool: 'Editor.*', path: '/secrets/**', do: 'deny' }
 * @example { tool: 'Browser.*', origin: 'https://*.example.org', do: 'ask', lifetime: 'session' }
 */
export interface PolicyRule {
  /** A command's name. */
  tool: string;
  /** Name of the role that gives it. */
  role?: string;
  /** Absolute, without detours: `/secrets/**`. */
  path?: string;
  /**
   * Origin of the address the command reaches, as `URL` writes it: `https://shop.example`. An address that is not whole (`shop.example/x`)
   * has all origins that it may mean: one is enough to deny or ask, all are needed to allow.
   */
  origin?: string;
  /** Arguments by name; what is no text is matched as JSON. */
  args?: Readonly<Record<string, string>>;
  do: Decision;
  /** Of `ask`: how long a yes holds, for the same command of the role at the same path and origin; default `once`. */
  lifetime?: Lifetime;
}

/** A command as rules see it. */
export interface Asked {
  role: string;
  tool: string;
  /** Other names of the tool. */
  aliases?: readonly string[];
  /** As the tool gets them. */
  args: Readonly<Record<string, unknown>>;
  /** Other names of arguments. */
  argumentNames?: Readonly<Record<string, string>> | undefined;
  path: string | null;
  origin: string | null;
}

/** From the shortest. */
export const LIFETIMES: readonly Lifetime[] = ['once', 'run', 'session'];

/** How much stricter one decision is than another. */
export const STRENGTH: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** The rule that decides on a command; null where none matches. */
export function ruling(asked: Asked, rules: readonly PolicyRule[]): PolicyRule | null {
  const [first] = rules
    .filter((rule) => fits(rule, asked))
    .sort(
      (one, other) =>
        Number(other.do === 'deny') - Number(one.do === 'deny') ||
        specificity(other) - specificity(one) ||
        STRENGTH[other.do] - STRENGTH[one.do],
    );
  return first ?? null;
}

/** True when nothing but a rule's change could let this command run: it need not be offered at all. */
export function isForbidden(
  role: string,
  tool: string,
  rules: readonly PolicyRule[],
  aliases: readonly string[] = [],
): boolean {
  return ruling({ role, tool, aliases, args: {}, path: null, origin: null }, rules)?.do === 'deny';
}

/** Whether a pattern fits a command by one of its names. */
export function names(pattern: string, tool: string, aliases: readonly string[] = []): boolean {
  return matches(pattern, tool) || aliases.some((alias) => matches(pattern, alias));
}

/** What an argument is really called. */
export function argumentName(name: string, aliases: Readonly<Record<string, string>> = {}): string {
  return (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name;
}

function fits(rule: PolicyRule, asked: Asked): boolean {
  const { role, tool, path, origin, args } = asked;
  return (
    names(rule.tool, tool, asked.aliases) &&
    (rule.role === undefined || matches(rule.role, role)) &&
    (rule.path === undefined || (path !== null && matches(rule.path, path, '/'))) &&
    (rule.origin === undefined || (origin !== null && matches(rule.origin, origin))) &&
    Object.entries(rule.args ?? {}).every(([given, pattern]) => {
      const name = Object.hasOwn(args, given) ? given : argumentName(given, asked.argumentNames);
      const value = Object.hasOwn(args, name) ? args[name] : undefined;
      return value !== undefined && matches(pattern, typeof value === 'string' ? value : asJson(value));
    })
  );
}

/** Empty for what JSON cannot say. */
function asJson(value: unknown): string {
  const json: unknown = JSON.stringify(value);
  return typeof json === 'string' ? json : '';
}

/** Fields count more than any characters. */
function specificity({ tool, role, path, origin, args }: PolicyRule): number {
  const patterns = [tool, role, path, origin, ...Object.values(args ?? {})];
  const given = patterns.filter((pattern) => pattern !== undefined);
  return given.length * 10_000 + given.join('').replaceAll('*', '').length;
}

/** Glob match without regular expressions, in time linear in the product of both lengths. `*` stops at `separator`, `**` does not. */
export function matches(pattern: string, text: string, separator = ''): boolean {
  return fitsGlob(pattern.normalize(), text.normalize(), separator);
}

function fitsGlob(pattern: string, text: string, separator: string): boolean {
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
