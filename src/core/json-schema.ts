import { describeAsSentence, RoleZeroError } from './error.js';
import type { InputIssue, InputSchema } from './input-schema.js';
import { isRecord, type JsonSchema } from './json.js';
import { issuesOf, referenced } from './json-schema-issues.js';

/**
 * Returns why a JSON value does not fit a schema, and an empty list when it does. Reads drafts 4 to 2020-12. `format` is not checked; `$ref`
 * refers to the schema itself only, nothing is loaded.
 *
 * @throws Error when the schema itself cannot be used, such as one with a reference to nothing.
 */
export function jsonSchemaIssues(schema: JsonSchema, value: unknown): InputIssue[] {
  const issues = issuesOf(schema, value);
  return issues.filter(
    ({ path, message }, index) =>
      issues.findIndex((each) => each.message === message && each.path.join() === path.join()) === index,
  );
}

/** @throws RoleZeroError `invalid` when a schema cannot be used. @param what names it in the error */
export function checkJsonSchema(schema: JsonSchema, what: string): void {
  try {
    checkParts(schema, schema);
    jsonSchemaIssues(schema, {});
  } catch (error) {
    throw new RoleZeroError(
      'invalid',
      `${what} cannot be used: ${describeAsSentence(error)} It must be a valid JSON Schema.`,
      {},
      error,
    );
  }
}

/** Makes an argument schema from a JSON Schema. @throws RoleZeroError `invalid` when it cannot be used. */
export function jsonSchemaInput(schema: JsonSchema): InputSchema<Record<string, unknown>> {
  checkJsonSchema(schema, 'The JSON Schema of the arguments of a tool');
  return {
    safeParse(value) {
      const issues = jsonSchemaIssues(schema, value);
      return issues.length === 0
        ? { success: true, data: value as Record<string, unknown> }
        : { success: false, error: { issues } };
    },
    toJSONSchema: () => schema,
  };
}

/** Keywords whose values are data and not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples']);

/** @throws Error for a reference that leads nowhere, and for a pattern that is no regular expression. */
function checkParts(root: JsonSchema, part: unknown): void {
  if (Array.isArray(part)) for (const each of part) checkParts(root, each);
  if (!isRecord(part)) return;
  const { $ref: reference, pattern } = part;
  if (typeof reference === 'string') referenced(root, reference);
  if (typeof pattern === 'string') new RegExp(pattern, 'u');
  for (const [keyword, value] of Object.entries(part)) if (!DATA.has(keyword)) checkParts(root, value);
}
