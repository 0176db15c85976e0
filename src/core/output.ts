import type { AttachedFiles } from './attached-files.js';
import type { InputSchema, StandardSchema } from './input-schema.js';
import { isRecord, type JsonSchema, type JsonValue } from './json.js';
import type { SendOptions } from './message.js';

/** Name under which the worker asks the page to check a typed answer. No tool can have it: it has a space. */
export const OUTPUT_CHECK = 'check output';
const METADATA = 'output';

/** A JSON Schema of an answer. */
type OutputJsonSchema = JsonSchema &
  (
    | { readonly type: string | readonly string[] }
    | { readonly anyOf: readonly unknown[] }
    | { readonly oneOf: readonly unknown[] }
    | { readonly enum: readonly unknown[] }
  );

/** A schema of a typed answer: of zod 4, of any library that implements Standard Schema with JSON Schema, or a plain JSON Schema. */
export type OutputSchema = InputSchema | StandardSchema | OutputJsonSchema;

/** The type of answers that fit a schema; `unknown` for a plain JSON Schema. */
export type OutputOf<Schema> =
  Schema extends StandardSchema<infer Output>
    ? Output
    : Schema extends InputSchema<infer Output>
      ? Output
      : unknown;

/** The typed answer that a request asks for, as the worker receives and stores it. */
export interface WantedOutput {
  /** By which the page knows the schema of the application. */
  id: string;
  schema: JsonSchema;
}

/** Options for sending a message of the user, as the worker receives them. */
export interface RequestOptions extends Omit<SendOptions, 'files' | 'trusted'> {
  output?: WantedOutput;
  /** Id of the message. A message that the session already has is not added again: the page repeats a call that was interrupted. */
  id?: string;
  attached?: AttachedFiles;
}

/** Returns name and value of the metadata of a request that asks for a typed answer. */
export function outputMetadata({ id, schema }: WantedOutput): [name: string, value: JsonValue] {
  return [METADATA, { id, schema: schema as Record<string, JsonValue> }];
}

/** Reads the typed answer that a request asks for from its metadata; null when it asks for none. */
export function wantedOutput(metadata: Record<string, unknown>): WantedOutput | null {
  const output = metadata[METADATA];
  if (!isRecord(output) || typeof output['id'] !== 'string' || !isRecord(output['schema'])) return null;
  return { id: output['id'], schema: output['schema'] };
}
