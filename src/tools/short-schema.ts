import { isRecord, type JsonSchema } from '../core/json.js';

/** Limits that only a wrong argument meets: the error message of the command names them then. */
const OMITTED_KEYWORDS = new Set([
  'additionalProperties',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** Names and descriptions of arguments so far. */
type Described = { has(parameter: string): boolean; add(parameter: string): unknown };

/**
 * Returns the JSON Schema of arguments for a prompt, without what costs tokens and helps no model: limits, the bounds of safe integers, and
 * descriptions that the prompt already contains for an argument of the same name.
 *
 * @param described names and descriptions so far; the new ones are added
 */
export function shortSchema(schema: JsonSchema, described: Described): JsonSchema {
  const short: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (OMITTED_KEYWORDS.has(keyword) || isSafeIntegerBound(value)) continue;
    if (keyword === 'properties' && isRecord(value)) short[keyword] = shortProperties(value, described);
    else if (isRecord(value)) short[keyword] = shortSchema(value, described);
    else short[keyword] = value;
  }
  return short;
}

function shortProperties(properties: Record<string, unknown>, described: Described): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!isRecord(schema)) return [name, schema];
      const { description, ...rest } = shortSchema(schema, described);
      const parameter = JSON.stringify([name, description]);
      if (description === undefined || described.has(parameter)) return [name, rest];
      described.add(parameter);
      return [name, { ...rest, description }];
    }),
  );
}

function isSafeIntegerBound(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;
}
