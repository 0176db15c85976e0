import { RoleZeroError } from '../core/error.js';
import { isRecord, type JsonSchema } from '../core/json.js';
import type { InputIssue, InputSchema } from '../core/input-schema.js';
import { closedProperties, propertyList } from '../tools/registry.js';

/**
 * Parses the `config` of the page with the worker's schema.
 *
 * @throws RoleZeroError `invalid` that names the missing, unexpected and wrong keys. It contains no values: a config holds API keys.
 */
export function readConfig<Config>(schema: InputSchema<Config>, config: unknown): Config {
  const json = schema.toJSONSchema({ io: 'input', target: 'draft-7', unrepresentable: 'any' }) as JsonSchema;
  const expected = closedProperties(json);
  const given = isRecord(config) ? Object.keys(config) : [];
  const unexpected = expected === null ? [] : given.filter((name) => !Object.hasOwn(expected, name));
  const parsed = schema.safeParse(config);
  if (parsed.success && unexpected.length === 0) return parsed.data;
  const issues = parsed.success || config === undefined ? [] : parsed.error.issues;
  const missing = issues
    .filter((issue) => isMissing(issue, given))
    .map(({ path }) => path.map(String).join('.'));
  const wrong = issues.filter((issue) => !isMissing(issue, given) && issue.code !== 'unrecognized_keys');
  const problems = [
    ...(config === undefined ? ['There is none.'] : []),
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...(unexpected.length > 0 ? [`Unexpected: ${unexpected.join(', ')}.`] : []),
    ...wrong.map(({ path, message }) => `${path.map(String).join('.') || 'config'}: ${message}.`),
  ];
  const names = expected === null ? '' : ` The worker expects ${propertyList(json, expected) || 'no keys'}.`;
  throw new RoleZeroError(
    'invalid',
    `The \`config\` given to connect() does not fit the worker. ${problems.join(' ')}${names}`,
    { missing, unexpected, wrong: wrong.map(({ path }) => path.map(String).join('.')) },
  );
}

function isMissing({ path }: InputIssue, given: readonly string[]): boolean {
  return path.length === 1 && !given.includes(String(path[0]));
}
