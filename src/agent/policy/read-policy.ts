import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import { isUrl } from '../../core/is-url.js';
import { resolvedPath } from '../../files/path.js';
import { nearest } from '../../tools/editor/nearest.js';
import { fitsSomeOrigin, originOf } from './addresses.js';
import { LIFETIMES, STRENGTH, type PolicyRule, type Capabilities } from './policy.js';

/** Returns what is wrong with a value and what to write instead; null for a valid value. */
type Check = (value: unknown) => string | null;

const RULE_CHECKS: Record<keyof PolicyRule, Check> = {
  tool: pattern,
  role: pattern,
  path: pathPattern,
  origin: originPattern,
  args: (value) =>
    isRecord(value)
      ? firstOf(Object.values(value).map(pattern))
      : `${shown(value)} is not an object of patterns by name`,
  do: oneOf(Object.keys(STRENGTH)),
  lifetime: oneOf(LIFETIMES),
};
const BOUNDS: Record<keyof Capabilities, Check> = {
  outside: listOf(pattern),
  origins: listOf(originPattern),
  write: listOf(pathPattern),
};
/** Names of these fields in other libraries. */
const MEANT: Readonly<Record<string, string>> = {
  decision: 'do',
  action: 'do',
  command: 'tool',
  name: 'tool',
  file: 'path',
  url: 'origin',
  address: 'origin',
  domain: 'origin',
  host: 'origin',
};

/**
 * Returns an immutable copy of the rules.
 *
 * @throws RoleZeroError `invalid` naming rule and field, when a rule can never match: its author would rely on it in vain.
 */
export function readPolicy(rules: unknown = []): readonly PolicyRule[] {
  if (!Array.isArray(rules)) throw invalid('policy', rules, 'is not a list of rules');
  return Object.freeze(
    rules.map(
      (rule: unknown, index) =>
        readFields(`policy[${index}]`, rule, RULE_CHECKS, ['tool', 'do']) as PolicyRule,
    ),
  );
}

/** Returns an immutable copy of the capabilities; null without any. @throws RoleZeroError as `readPolicy`. */
export function readCapabilities(given: unknown = null): Capabilities | null {
  return given === null ? null : readFields('capabilities', given, BOUNDS, []);
}

function readFields(
  what: string,
  value: unknown,
  checks: Readonly<Record<string, Check>>,
  needed: readonly string[],
): object {
  if (!isRecord(value)) throw invalid(what, value, 'is not an object');
  const known = Object.keys(checks);
  const given = Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [name, field] of given) {
    if (!Object.hasOwn(checks, name)) {
      const meant = [MEANT[name] ?? '', ...nearest(name, known, String)].find((each) => known.includes(each));
      const hint = meant === undefined ? '; it' : `, did you mean "${meant}"? It`;
      throw invalid(what, value, `has no field ${JSON.stringify(name)}${hint} has ${known.join(', ')}`, name);
    }
    const fault = checks[name]?.(field) ?? null;
    if (fault !== null) throw invalid(what, value, `cannot work: ${name} ${fault}`, name);
  }
  const missing = needed.find((name) => value[name] === undefined);
  if (missing !== undefined) throw invalid(what, value, `has no ${missing}, which every rule needs`, missing);
  return frozen(structuredClone(Object.fromEntries(given)));
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

function invalid(what: string, value: unknown, fault: string, field?: string): RoleZeroError {
  return new RoleZeroError('invalid', `${what} ${shown(value)} ${fault}.`, {
    [what]: shown(value),
    ...(field === undefined ? {} : { field }),
  });
}

function shown(value: unknown): string {
  try {
    const json: unknown = JSON.stringify(value);
    return typeof json === 'string' ? json.slice(0, 300) : typeof value;
  } catch {
    return typeof value; // for example a cyclic object
  }
}

function firstOf(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}

function oneOf(choices: readonly string[]): Check {
  return (value) =>
    choices.includes(value as string) ? null : `${shown(value)} is none of ${choices.join(', ')}`;
}

function listOf(check: Check): Check {
  return (value) => (Array.isArray(value) ? firstOf(value.map(check)) : `${shown(value)} is not a list`);
}

function pattern(value: unknown): string | null {
  if (typeof value !== 'string') return `${shown(value)} is not a text`;
  return value === '' ? '"" fits nothing; write "*" for anything' : null;
}

/** Checks a path pattern by an example path that it matches, because paths in rules are absolute and normalized. */
function pathPattern(value: unknown): string | null {
  const fault = pattern(value);
  if (fault !== null || typeof value !== 'string') return fault;
  const sample = value
    .replace(/^\*+(?=\/)/u, '')
    .replace(/^\*\*+/u, '/_')
    .replaceAll(/\*+/gu, '_');
  if (resolvedPath(sample) === sample) return null;
  const better = value === '*' ? '/**' : resolvedPath(value);
  const hint = better === null ? '' : `; write ${shown(value.endsWith('/') ? `${better}/**` : better)}`;
  return `${shown(value)} fits no path: those are absolute and without detours${hint}`;
}

function originPattern(value: unknown): string | null {
  const fault = pattern(value);
  if (fault !== null || typeof value !== 'string' || fitsSomeOrigin(value)) return fault;
  const whole = /:\/\/|^https?:/iu.test(value) ? value : `https://${value}`;
  const better = fitsSomeOrigin(whole) ? whole : isUrl(whole) ? originOf(whole) : 'https://*.example.org';
  return `${shown(value)} fits no origin: those are a scheme, a host and a port that is not the usual one, as URL writes them; write ${shown(better)}`;
}
