import { ANSWER_SENDER } from '../../core/role-command-names.js';
import { nearest } from '../../tools/editor/nearest.js';
import { takesArgument, type ToolRegistry } from '../../tools/registry.js';

/** Decision about a command before it runs. */
export type Decision = 'allow' | 'ask' | 'deny';

/** How long an approval is valid: for this command, for the rest of the turn, or for the session. */
export type Lifetime = 'once' | 'run' | 'session';

/**
 * A policy rule. Every field that is set must match. `*` matches any characters; in `path`, `*` stays within a segment and `**` does not.
 * A matching `deny` decides. Otherwise the most specific rule decides: the one with the most fields, then with the most characters other
 * than `*`; of two equal rules, the stricter one. Without a matching rule, `ruleOfTwo` decides. Rules cannot change after the role was
 * created. Composed and decomposed letters (`é`) are equal. Commands and arguments may use any of their names.
 *
 * A rule that can never match is rejected by the constructor of the role. When a session is opened, the warning `invalid` names rules that
 * match no command of their role.
 *
 * Paths are those that a command names, and all files that it read or changed, so a shell cannot bypass them.
 *
 * @example { tool: 'Editor.*', path: '/secrets/**', do: 'deny' }
 * @example { tool: 'Browser.*', origin: 'https://*.example.org', do: 'ask', lifetime: 'session' }
 */
export interface PolicyRule {
  /** Name of the command. */
  tool: string;
  /** Name of the role that runs it. */
  role?: string;
  /** Absolute, normalized path: `/secrets/**`. */
  path?: string;
  /**
   * Origin of the address that the command reaches, as `URL` writes it: `https://shop.example`. An incomplete address (`shop.example/x`)
   * may have several origins: one match is enough to deny or ask, all must match to allow.
   */
  origin?: string;
  /** Arguments by name; values other than strings are matched as JSON. */
  args?: Readonly<Record<string, string>>;
  do: Decision;
  /** For `ask`: how long an approval is valid, for the same command at the same path and origin. @default `once` */
  lifetime?: Lifetime;
}

/** A command as rules see it. */
export interface Asked {
  role: string;
  tool: string;
  /** Other names of the tool. */
  aliases?: readonly string[];
  /** Parsed arguments. */
  args: Readonly<Record<string, unknown>>;
  /** Other names of arguments. */
  argumentNames?: Readonly<Record<string, string>> | undefined;
  path: string | null;
  origin: string | null;
}

/** Lifetimes, shortest first. */
export const LIFETIMES: readonly Lifetime[] = ['once', 'run', 'session'];

/** Returns the shorter of two lifetimes; one that is undefined sets no limit. */
export function shorterLifetime(one: Lifetime | undefined, other: Lifetime): Lifetime {
  return LIFETIMES.find((lifetime) => lifetime === one || lifetime === other) ?? 'once';
}

/** Strictness of a decision; higher is stricter. */
export const STRENGTH: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** Returns the rule that decides about a command; null when none matches. */
export function ruling(asked: Asked, rules: readonly PolicyRule[]): PolicyRule | null {
  const [first] = rules
    .filter((rule) => ruleFits(rule, asked))
    .sort(
      (one, other) =>
        Number(other.do === 'deny') - Number(one.do === 'deny') ||
        specificity(other) - specificity(one) ||
        STRENGTH[other.do] - STRENGTH[one.do],
    );
  return first ?? null;
}

/** Returns whether the rules always deny a command, so that it need not be offered to the model. */
export function isForbidden(
  role: string,
  tool: string,
  rules: readonly PolicyRule[],
  aliases: readonly string[] = [],
): boolean {
  return ruling({ role, tool, aliases, args: {}, path: null, origin: null }, rules)?.do === 'deny';
}

/** Returns whether a pattern matches one of the names of a command. */
export function names(pattern: string, tool: string, aliases: readonly string[] = []): boolean {
  return matches(pattern, tool) || aliases.some((alias) => matches(pattern, alias));
}

/** Returns the name of an argument, given any of its aliases. */
function argumentName(name: string, aliases: Readonly<Record<string, string>> = {}): string {
  return (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name;
}

function ruleFits(rule: PolicyRule, asked: Asked): boolean {
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

/** Returns an empty string for values without a JSON form. */
function asJson(value: unknown): string {
  const json: unknown = JSON.stringify(value);
  return typeof json === 'string' ? json : '';
}

/** Returns the specificity of a rule: fields count more than characters. */
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
  // 1 for each length of the text that the pattern can match so far.
  let reachable = new Uint8Array(text.length + 1);
  let next = new Uint8Array(text.length + 1);
  reachable[0] = 1;
  for (let index = 0; index < pattern.length && reachable.includes(1); index++) {
    next.fill(0);
    if (pattern[index] === '*') {
      const across = pattern[index + 1] === '*' || separator === '';
      while (pattern[index + 1] === '*') index++;
      let isOpen = false;
      for (let at = 0; at <= text.length; at++) {
        isOpen ||= reachable[at] === 1;
        if (isOpen) next[at] = 1;
        if (!across && text[at] === separator) isOpen = false;
      }
    } else {
      const wanted = pattern.charCodeAt(index);
      for (let at = 0; at < text.length; at++)
        if (reachable[at] === 1 && text.charCodeAt(at) === wanted) next[at + 1] = 1;
    }
    [reachable, next] = [next, reachable];
  }
  return reachable[text.length] === 1;
}

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

/**
 * What a role may do outside of its session, and which files it may write. Fixed when the role is created. Without capabilities, only the
 * tools set limits, and the role asks only after it has read untrusted content. With them, everything that is not listed is denied, and
 * the rule of two always applies (see `ruleOfTwo`).
 *
 * @example { outside: ['Browser.*', 'Mail.send'], origins: ['https://*.example.org'] }
 */
export interface Capabilities {
  /** Commands with an outside effect, as in `tool` of a rule. @default none */
  outside?: readonly string[];
  /**
   * Origins that commands may reach, as in `origin` of a rule. Private hosts must be written in full. Incomplete addresses such as
   * `example.org/page` are denied.
   *
   * @default none
   */
  origins?: readonly string[];
  /** Files that may be written or removed, as in `path` of a rule. @default all */
  write?: readonly string[];
}
