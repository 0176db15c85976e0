import { isRecord, type JsonSchema } from '../../core/json.js';

/**
 * Returns a schema as text for a grammar engine. Returns the same text for the same schema object, so that its grammar is compiled only
 * once. See `trimmedSchema`.
 */
export function grammarSchema(schema: JsonSchema): string {
  const known = schemaTexts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(trimmedSchema(schema));
  schemaTexts.set(schema, text);
  return text;
}

const schemaTexts = new WeakMap<JsonSchema, string>();

const IGNORED_KEYWORDS = new Set([
  // Annotations for readers; a grammar cannot use them.
  'description',
  'title',
  'default',
  'examples',
  '$schema',
  '$comment',
  // Engines match these against the JSON-encoded string: `[^\n]*` permits an unescaped quote, which makes the reply invalid JSON.
  'pattern',
  'format',
]);

/**
 * Returns a schema without keywords that engines misinterpret or reject, and with stricter alternatives of numbers and text. The caller must
 * validate replies against the full schema.
 */
export function trimmedSchema(schema: JsonSchema): JsonSchema {
  return trimmed(schema) as JsonSchema;
}

function trimmed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(trimmed);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !IGNORED_KEYWORDS.has(keyword))
      .map(([keyword, value]) => [keyword, trimmedValue(keyword, value)]),
  );
}

function trimmedValue(keyword: string, value: unknown): unknown {
  if (keyword === 'properties') return eachOf(value);
  // As below: `{ type: ['string', 'number'] }` are alternatives, too.
  if (keyword === 'type' && Array.isArray(value) && value.includes('string'))
    return value.map((type: unknown) => (type === 'number' ? 'integer' : type));
  return trimmed(keyword === 'anyOf' && Array.isArray(value) ? legalAlternatives(value) : value);
}

/**
 * Of alternatives such as a number or a text that looks like one, leaves out the text, as the grammar cannot contain its pattern. A number
 * beside a text becomes an integer: `1e999` is a number of JSON, but no finite one.
 */
function legalAlternatives(alternatives: readonly unknown[]): unknown[] {
  if (!alternatives.some(isStringSchema)) return [...alternatives];
  const legal = alternatives.filter((each) => !(isStringSchema(each) && typeof each['pattern'] === 'string'));
  return (legal.length === 0 ? alternatives : legal).map((each) =>
    isRecord(each) && each['type'] === 'number' ? { ...each, type: 'integer' } : each,
  );
}

function isStringSchema(schema: unknown): schema is JsonSchema {
  return isRecord(schema) && schema['type'] === 'string';
}

/** Trims property schemas by name, because a property may have the name of a keyword, such as `title`. */
function eachOf(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, trimmed(schema)]));
}
