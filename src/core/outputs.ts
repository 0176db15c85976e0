import { describeValue } from './describe-value.js';
import { RoleZeroError } from './error.js';
import {
  isInputSchema,
  type InputIssue,
  type InputSchema,
  isStandardSchema,
  standardInput,
} from './input-schema.js';
import { type JsonSchema, isJsonSchema } from './json.js';
import { newId } from './new-id.js';
import type { OutputSchema, WantedOutput } from './output.js';

/** Maximum number of schemas for which the worker may ask; the oldest one is forgotten. */
const MAX_SCHEMAS = 100;

/** The schemas of typed answers on this page, which the worker knows as JSON Schemas. */
export class Outputs {
  readonly #schemas = new Map<string, InputSchema>();

  /**
   * Adds a schema. Returns what the worker receives, and a function that reads the answer.
   * @throws RoleZeroError `invalid` when the value is no schema.
   */
  add(schema: OutputSchema): { wanted: WantedOutput; readOutput: (value: unknown) => unknown } {
    const json = jsonSchemaOf(schema);
    const id = newId();
    const input = isStandardSchema(schema) ? standardInput(schema) : schema;
    if (isInputSchema(input)) this.#schemas.set(id, input);
    const oldest = [...this.#schemas.keys()].at(-MAX_SCHEMAS - 1);
    if (oldest !== undefined) this.#schemas.delete(oldest);
    return { wanted: { id, schema: json }, readOutput: (value) => this.#read(id, value) };
  }

  /** Returns why a value does not fit. Returns an empty list for a schema that is not known, such as one from before a reload. */
  issues(id: string, value: unknown): string[] {
    try {
      const read = this.#schemas.get(id)?.safeParse(value);
      return read === undefined || read.success ? [] : read.error.issues.map(describeAnswerIssue);
    } catch {
      return []; // `readOutput` reports it
    }
  }

  /**
   * Returns a value as its schema outputs it, and unchanged where the schema is not known.
   * @throws RoleZeroError `output-invalid` when it does not fit.
   */
  #read(id: string, value: unknown): unknown {
    const read = this.#schemas.get(id)?.safeParse(value);
    if (read === undefined) return value;
    if (read.success) return read.data;
    const problems = read.error.issues.map(describeAnswerIssue);
    throw new RoleZeroError(
      'output-invalid',
      `The typed answer does not fit the schema of \`output\`: ${problems.join('; ')}.`,
      { problems },
    );
  }
}

function describeAnswerIssue({ path, message }: InputIssue): string {
  return `${path.map(String).join('.') || 'the value'}: ${message}`;
}

/** Returns the JSON Schema of what the model writes, as plain data. @throws RoleZeroError `invalid`. */
function jsonSchemaOf(schema: OutputSchema): JsonSchema {
  const input = isStandardSchema(schema) && !isInputSchema(schema) ? standardInput(schema) : schema;
  if (!isInputSchema(input) && !isJsonSchema(input))
    throw new RoleZeroError(
      'invalid',
      `\`output\` must be a schema, but is ${describeValue(schema)}. Give a zod 4 schema, one of Valibot wrapped by toStandardJsonSchema() or of ArkType, or a JSON Schema.`,
      {},
    );
  const json = isInputSchema(input)
    ? input.toJSONSchema({ io: 'input', target: 'draft-7', unrepresentable: 'any' })
    : input;
  return JSON.parse(JSON.stringify(json)) as JsonSchema;
}
