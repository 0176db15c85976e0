import type { InputIssue, InputSchema } from './input-schema.js';
import { isRecord, sortedKeys, type JsonSchema } from './json.js';
import { describeAsSentence, RoleZeroError } from './error.js';

/** A value that is checked, and its place. */
interface ValuePlace {
  root: JsonSchema;
  path: readonly string[];
  /** References that were followed for this value. */
  followed: readonly string[];
}

/** Returns why a value does not fit a schema. `path` of each issue is relative to the value. @throws Error for a reference to nothing. */
export function issuesOf(root: JsonSchema, value: unknown): InputIssue[] {
  return checkValue(root, value, { root, path: [], followed: [] });
}

function checkValue(schema: unknown, value: unknown, place: ValuePlace): InputIssue[] {
  if (schema === false) return [issue(place, 'is not allowed')];
  if (!isRecord(schema)) return [];
  const issues: InputIssue[] = [];
  const { $ref, type, enum: choices, allOf, anyOf, oneOf, not } = schema;
  if ($ref !== undefined) issues.push(...ofReference(schema, value, place));
  if (type !== undefined) issues.push(...ofType(schema, value, place));
  if (choices !== undefined || Object.hasOwn(schema, 'const'))
    issues.push(...ofChoices(schema, value, place));
  if (typeof value === 'string') issues.push(...ofText(schema, value, place));
  else if (typeof value === 'number') issues.push(...ofNumber(schema, value, place));
  else if (Array.isArray(value)) issues.push(...ofList(schema, value, place));
  else if (isRecord(value)) issues.push(...ofObject(schema, value, place));
  if ((allOf ?? anyOf ?? oneOf ?? not) !== undefined) issues.push(...ofAlternatives(schema, value, place));
  if (schema['if'] !== undefined) issues.push(...ofCondition(schema, value, place));
  return issues;
}

function issue({ path }: ValuePlace, message: string): InputIssue {
  return { path, message };
}

const within = (place: ValuePlace, key: string | number): ValuePlace => ({
  ...place,
  path: [...place.path, String(key)],
  followed: [],
});

function ofReference({ $ref: reference }: JsonSchema, value: unknown, place: ValuePlace): InputIssue[] {
  if (typeof reference !== 'string') return [];
  if (place.followed.includes(reference)) throw new Error(`The $ref ${reference} leads back to itself.`);
  const target = referenced(place.root, reference);
  return checkValue(target, value, { ...place, followed: [...place.followed, reference] });
}

/** Returns the part of a schema to which a reference leads: `#`, `#/$defs/a`, or `#a` for an anchor. @throws Error when nothing is there. */
function referenced(root: JsonSchema, reference: string): unknown {
  const fragment = reference.startsWith('#') ? decodeURIComponent(reference.slice(1)) : null;
  const target =
    fragment === null
      ? undefined
      : fragment.startsWith('/') || fragment === ''
        ? at(root, fragment)
        : anchored(root, fragment);
  if (target === undefined) throw new Error(`The $ref ${reference} leads to nothing in the schema.`);
  return target;
}

function at(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, key) => {
      if (Array.isArray(part)) return part[Number(key)] as unknown;
      return isRecord(part) && Object.hasOwn(part, key) ? part[key] : undefined;
    }, root);
}

function anchored(part: unknown, anchor: string): unknown {
  if (!isRecord(part)) return undefined;
  if (part['$anchor'] === anchor || part['$id'] === `#${anchor}`) return part;
  const parts = Object.values(part).flatMap((each): unknown[] => (Array.isArray(each) ? each : [each]));
  for (const each of parts) {
    const found = anchored(each, anchor);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofType({ type, nullable }: JsonSchema, value: unknown, place: ValuePlace): InputIssue[] {
  if (typeof type === 'string' && isOfType(value, type)) return [];
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (types.length === 0 || types.some((each) => isOfType(value, each))) return [];
  if (value === null && nullable === true) return [];
  return [issue(place, `must be ${types.join(' or ')}, but is ${typeOf(value)}`)];
}

function typeOf(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value); // no JSON
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

/** Only objects and arrays are compared as text: other values may have none, such as a bigint. */
function sameJson(one: unknown, other: unknown): boolean {
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
  return isObject(one) && isObject(other) ? canonicalText(one) === canonicalText(other) : one === other;
}
const canonicalText = (value: unknown): string => JSON.stringify(sortedKeys(value));

function ofChoices(schema: JsonSchema, value: unknown, place: ValuePlace): InputIssue[] {
  const { enum: choices } = schema;
  const issues: InputIssue[] = [];
  if (Array.isArray(choices) && !choices.some((choice) => sameJson(choice, value)))
    issues.push(issue(place, `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`));
  if (Object.hasOwn(schema, 'const') && !sameJson(schema['const'], value))
    issues.push(issue(place, `must be ${JSON.stringify(schema['const'])}`));
  return issues;
}

const isNumber = (limit: unknown): limit is number => typeof limit === 'number';

function ofText(
  { minLength, maxLength, pattern }: JsonSchema,
  value: string,
  place: ValuePlace,
): InputIssue[] {
  const issues: InputIssue[] = [];
  if (typeof minLength === 'number' && value.length < 2 * minLength && codePoints(value) < minLength)
    issues.push(
      issue(place, minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`),
    );
  const isLong = typeof maxLength === 'number' && value.length > maxLength;
  if (isLong && (value.length > 2 * maxLength || codePoints(value) > maxLength))
    issues.push(issue(place, `must have at most ${maxLength} characters`));
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
    issues.push(issue(place, `must match the pattern ${pattern}`));
  return issues;
}

/** Counts the characters of a text. A long text is only counted where the number of its UTF-16 units does not decide. */
const codePoints = (text: string): number => Array.from(text).length;

/** `exclusiveMinimum` and `exclusiveMaximum` are numbers, or flags in draft 4. */
function ofNumber(schema: JsonSchema, value: number, place: ValuePlace): InputIssue[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const issues: InputIssue[] = [];
  if (isNumber(minimum) && value < minimum) issues.push(issue(place, `must be at least ${minimum}`));
  if (isNumber(maximum) && value > maximum) issues.push(issue(place, `must be at most ${maximum}`));
  const lower = above === true ? minimum : above;
  const upper = below === true ? maximum : below;
  if (isNumber(lower) && value <= lower) issues.push(issue(place, `must be above ${lower}`));
  if (isNumber(upper) && value >= upper) issues.push(issue(place, `must be below ${upper}`));
  if (isNumber(multipleOf) && multipleOf > 0 && !isMultiple(value, multipleOf))
    issues.push(issue(place, `must be a multiple of ${multipleOf}`));
  return issues;
}

function isMultiple(value: number, of: number): boolean {
  const ratio = value / of;
  return Math.abs(ratio - Math.round(ratio)) < 1e-9 * Math.max(1, Math.abs(ratio));
}

function ofList(schema: JsonSchema, value: readonly unknown[], place: ValuePlace): InputIssue[] {
  const { items, minItems, maxItems, uniqueItems, contains } = schema;
  const issues: InputIssue[] = [];
  if (isNumber(minItems) && value.length < minItems)
    issues.push(issue(place, `must have at least ${minItems} items`));
  if (isNumber(maxItems) && value.length > maxItems)
    issues.push(issue(place, `must have at most ${maxItems} items`));
  if (uniqueItems === true && new Set(value.map(canonicalText)).size < value.length)
    issues.push(issue(place, 'must have no item twice'));
  if (contains !== undefined && !value.some((each) => checkValue(contains, each, place).length === 0))
    issues.push(issue(place, 'has no item of the required kind'));
  // Draft 7 has a list in `items` and the rest in `additionalItems`.
  const [first, rest] = Array.isArray(items)
    ? [items, schema['additionalItems']]
    : [schema['prefixItems'], items];
  const given: unknown[] = Array.isArray(first) ? first : [];
  const inside = value.flatMap((each, index) =>
    checkValue(index < given.length ? given[index] : rest, each, within(place, index)),
  );
  return [...issues, ...inside];
}

function ofObject(schema: JsonSchema, value: Record<string, unknown>, place: ValuePlace): InputIssue[] {
  const { required, minProperties, maxProperties, propertyNames, dependentRequired } = schema;
  const names = Object.keys(value);
  const issues: InputIssue[] = [];
  const missing = (wanted: unknown): string[] =>
    (Array.isArray(wanted) ? wanted : []).filter(
      (name): name is string => typeof name === 'string' && !Object.hasOwn(value, name),
    );
  for (const name of missing(required))
    issues.push(issue(place, `has no property "${name}", which is required`));
  for (const [name, needed] of Object.entries(isRecord(dependentRequired) ? dependentRequired : {}))
    for (const other of Object.hasOwn(value, name) ? missing(needed) : [])
      issues.push(issue(place, `has no property "${other}", which "${name}" requires`));
  if (isNumber(minProperties) && names.length < minProperties)
    issues.push(issue(place, `must have at least ${minProperties} properties`));
  if (isNumber(maxProperties) && names.length > maxProperties)
    issues.push(issue(place, `must have at most ${maxProperties} properties`));
  const wrongNames =
    propertyNames === undefined
      ? []
      : names.flatMap((name) => checkValue(propertyNames, name, within(place, name)));
  return [...issues, ...wrongNames, ...names.flatMap((name) => ofProperty(schema, name, value[name], place))];
}

function ofProperty(schema: JsonSchema, name: string, value: unknown, place: ValuePlace): InputIssue[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const known = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const matching = Object.entries(isRecord(patternProperties) ? patternProperties : {}).flatMap(
    ([pattern, each]) => (new RegExp(pattern, 'u').test(name) ? [each] : []),
  );
  const schemas = [...known, ...matching];
  if (schemas.length > 0) return schemas.flatMap((each) => checkValue(each, value, within(place, name)));
  if (additionalProperties === false)
    return [{ ...issue(place, `must not have the property "${name}"`), code: 'unrecognized_keys' }];
  return checkValue(additionalProperties, value, within(place, name));
}

const asList = (schemas: unknown): unknown[] => (Array.isArray(schemas) ? schemas : []);

function ofAlternatives(schema: JsonSchema, value: unknown, place: ValuePlace): InputIssue[] {
  const { allOf, anyOf, oneOf, not } = schema;
  const issues = asList(allOf).flatMap((each) => checkValue(each, value, place));
  const any = asList(anyOf).map((each) => checkValue(each, value, place));
  if (any.length > 0 && any.every((found) => found.length > 0)) issues.push(...closestIssues(any));
  const one = asList(oneOf).map((each) => checkValue(each, value, place));
  const fitting = one.filter((found) => found.length === 0).length;
  if (one.length > 0 && fitting === 0) issues.push(...closestIssues(one));
  if (fitting > 1) issues.push(issue(place, 'fits more than one of the alternatives'));
  if (not !== undefined && checkValue(not, value, place).length === 0)
    issues.push(issue(place, 'is not allowed'));
  return issues;
}

/** The issues of the alternative that fits best: the deepest, then the fewest. */
export function closestIssues(alternatives: readonly (readonly InputIssue[])[]): readonly InputIssue[] {
  const depth = (issues: readonly InputIssue[]): number => Math.max(...issues.map(({ path }) => path.length));
  const [best = []] = [...alternatives].sort(
    (one, other) => depth(other) - depth(one) || one.length - other.length,
  );
  return best;
}

function ofCondition(schema: JsonSchema, value: unknown, place: ValuePlace): InputIssue[] {
  const isMet = checkValue(schema['if'], value, place).length === 0;
  return checkValue(schema[isMet ? 'then' : 'else'], value, place);
}

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
    checkSchemaParts(schema, schema);
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
function checkSchemaParts(root: JsonSchema, part: unknown): void {
  if (Array.isArray(part)) for (const each of part) checkSchemaParts(root, each);
  if (!isRecord(part)) return;
  const { $ref: reference, pattern } = part;
  if (typeof reference === 'string') referenced(root, reference);
  if (typeof pattern === 'string') new RegExp(pattern, 'u');
  for (const [keyword, value] of Object.entries(part)) if (!DATA.has(keyword)) checkSchemaParts(root, value);
}
