import { isRecord, type JsonSchema } from '../../base/json.js';

/** A schema for a grammar engine as text: the same for the same schema, so that its grammar is compiled once. See `trimmedSchema`. */
export function grammarSchema(schema: JsonSchema): string {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(trimmedSchema(schema));
  texts.set(schema, text);
  return text;
}

const texts = new WeakMap<JsonSchema, string>();

const LEFT_OUT = new Set([
  // Words to readers; a grammar has none.
  'description',
  'title',
  'default',
  'examples',
  '$schema',
  '$comment',
  // They are matched against the string as JSON writes it: `[^\n]*` lets a bare quote through, after which the reply is no JSON any more.
  'pattern',
  'format',
]);

/**
 * A schema without what engines read wrongly, each in its way, or refuse: replies are validated again by whoever asked for them.
 */
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

/** Properties may be called anything, `title` too. */
function eachOf(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, trimmed(schema)]));
}
