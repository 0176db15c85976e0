import { isInputSchema, type InputSchema } from './input-schema.js';
import { isJsonSchema } from './is-json-schema.js';
import { isRecord, type JsonSchema } from './json.js';
import { isStandardSchema, standardInput, type StandardSchema } from './standard-schema.js';

/** A JSON Schema of an object. */
type ObjectJsonSchema = JsonSchema & { readonly type: 'object' };

/** A schema of arguments: of zod 4, of any library that implements Standard Schema with JSON Schema, or a plain JSON Schema. */
export type ToolInput<Input = unknown> = InputSchema<Input> | StandardSchema<Input> | ObjectJsonSchema;

/**
 * Returns a declared tool whose `input` has the methods of a zod 4 schema. A tool whose `input` is no schema is returned unchanged.
 *
 * @param readPlain makes them for a plain JSON Schema
 */
export function withInput<Definition extends object>(
  tool: Definition,
  readPlain: (schema: JsonSchema) => InputSchema,
): Definition {
  if (!isRecord(tool)) return tool;
  const { input } = tool;
  if (isInputSchema(input)) return tool;
  if (isStandardSchema(input)) return { ...tool, input: standardInput(input) };
  return isJsonSchema(input) && input['type'] === 'object' ? { ...tool, input: readPlain(input) } : tool;
}
