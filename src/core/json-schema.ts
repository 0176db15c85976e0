import { dereference, Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';
import { describeAsSentence, RoleZeroError } from './error.js';
import type { JsonSchema } from './json.js';
import type { InputIssue, InputSchema } from './input-schema.js';

/** Issues that only say that something inside them is wrong; the one inside is reported, too. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'false', // of `additionalProperties: false`, which names the property
  '$ref',
  'allOf',
  'items',
  'prefixItems',
  'properties',
  'patternProperties',
]);
const DRAFTS: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
];

const validators = new WeakMap<JsonSchema, Validator>();

/**
 * Returns why a JSON value does not fit a schema, and an empty list when it does. Reads drafts 4 to 2020-12, the newest where `$schema`
 * names none. `format` and `pattern` are checked; `$ref` refers to the schema itself only, nothing is loaded.
 *
 * @throws Error when the schema itself cannot be used, such as one with a reference to nothing.
 */
export function jsonSchemaIssues(schema: JsonSchema, value: unknown): InputIssue[] {
  const { valid, errors } = validatorOf(schema).validate(value);
  if (valid) return [];
  const precise = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const issues = (precise.length > 0 ? precise : errors).map(issueOf);
  return issues.filter(
    ({ path, message }, index) =>
      issues.findIndex((each) => each.message === message && each.path.join() === path.join()) === index,
  );
}

/** @throws RoleZeroError `invalid` when a schema cannot be used. @param what names it in the error */
export function checkJsonSchema(schema: JsonSchema, what: string): void {
  try {
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

function validatorOf(schema: JsonSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const { $schema: dialect } = schema;
  const named = DRAFTS.find(([part]) => typeof dialect === 'string' && dialect.includes(part));
  // A copy, because the validator adds hidden properties, and the schema may be frozen.
  const copy = JSON.parse(JSON.stringify(schema)) as JsonSchema;
  const made = new Validator(copy, named?.[1] ?? '2020-12', /* shortCircuit */ false);
  checkReferences(copy);
  validators.set(schema, made);
  return made;
}

/** @throws Error when a reference leads nowhere. The validator would notice it with a value that needs it. */
function checkReferences(schema: JsonSchema): void {
  const known = dereference(schema);
  for (const part of Object.values(known)) {
    if (typeof part === 'boolean' || part.$ref === undefined) continue;
    const target = part.__absolute_ref__ ?? part.$ref;
    if (known[target] === undefined) throw new Error(`Unresolved $ref "${part.$ref}".`);
  }
}

function issueOf({ error, instanceLocation, keyword }: OutputUnit): InputIssue {
  return { path: pathOf(instanceLocation), message: error, code: keyword };
}

/** Reads a JSON pointer in a URI fragment: `#/users/0/name`. */
function pathOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(part: string): string {
  try {
    return decodeURI(part);
  } catch {
    return part; // a lone surrogate
  }
}
