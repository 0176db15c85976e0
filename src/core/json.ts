/** Any JSON value. What a session stores must be JSON or structured-cloneable. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export type JsonSchema = Record<string, unknown>;

/** Returns whether the value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the same data with sorted object keys, so that equal data has equal JSON text. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortedKeys(item)]));
}

/** Returns whether a value is meant as a JSON Schema, and not as fields that a schema should wrap. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  if (!isRecord(value) || '~standard' in value) return false;
  const { type } = value;
  if (typeof type === 'string' || Array.isArray(type)) return true;
  const isUnion = ['anyOf', 'oneOf', 'allOf', 'enum'].some((key) => Array.isArray(value[key]));
  return isUnion || typeof value['$ref'] === 'string' || typeof value['$schema'] === 'string';
}

/** Returns a string unchanged, and an empty string for any other value. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a value as JSON; undefined for values without a JSON form, such as functions. */
export function stringify(value: unknown): string | undefined {
  return (JSON.stringify as (value: unknown) => string | undefined)(value);
}
