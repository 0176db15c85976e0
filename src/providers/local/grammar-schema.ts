import { isRecord, type JsonSchema } from '../../core/json.js';

/**
 * Returns a schema as text for a grammar engine. Returns the same text for the same schema object, so that its grammar is compiled only
 * once. See `trimmedSchema`.
 */
export function grammarSchema(schema: JsonSchema): string {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(trimmedSchema(schema));
  texts.set(schema, text);
  return text;
}

const texts = new WeakMap<JsonSchema, string>();

const LEFT_OUT = new Set([
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

/** Returns a schema without keywords that engines misinterpret or reject. The caller must validate replies against the full schema. */
export function trimmedSchema(schema: JsonSchema): JsonSchema {
  return trimmed(schema) as JsonSchema;
}

function trimmed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(trimmed);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !LEFT_OUT.has(keyword))
      .map(([keyword, value]) => [keyword, keyword === 'properties' ? eachOf(value) : trimmed(value)]),
  );
}

/** Trims property schemas by name, because a property may have the name of a keyword, such as `title`. */
function eachOf(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, trimmed(schema)]));
}
