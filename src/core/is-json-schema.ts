import { isRecord, type JsonSchema } from './json.js';

/** Returns whether a value is meant as a JSON Schema, and not as fields that a schema should wrap. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  if (!isRecord(value) || '~standard' in value) return false;
  const { type } = value;
  if (typeof type === 'string' || Array.isArray(type)) return true;
  const isUnion = ['anyOf', 'oneOf', 'allOf', 'enum'].some((key) => Array.isArray(value[key]));
  return isUnion || typeof value['$ref'] === 'string' || typeof value['$schema'] === 'string';
}
