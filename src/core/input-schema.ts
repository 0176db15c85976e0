import { isRecord, type JsonSchema, isJsonSchema } from './json.js';
import { describeAsSentence, RoleZeroError } from './error.js';

/** The methods a schema must have. Every zod 4 schema has them (`import * as z from 'zod'`). */
export interface InputSchema<Input = unknown> {
  safeParse(
    value: unknown,
  ): { success: true; data: Input } | { success: false; error: { issues: readonly InputIssue[] } };
  /** JSON Schema draft 7. Method syntax is intentional: the parameter type of zod is narrower. */
  toJSONSchema(options?: {
    io?: 'input' | 'output';
    target?: 'draft-7';
    unrepresentable?: 'any' | 'throw';
  }): object;
}

export interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
}

/** Returns whether a value has the methods of a zod 4 schema. */
export function isInputSchema(value: unknown): value is InputSchema {
  const { safeParse, toJSONSchema } = (value ?? {}) as Partial<Record<keyof InputSchema, unknown>>;
  return typeof safeParse === 'function' && typeof toJSONSchema === 'function';
}

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

/**
 * A schema of any library that implements Standard Schema with JSON Schema: zod 4.2, ArkType 2.1.28, Valibot with `toStandardJsonSchema` of
 * `@valibot/to-json-schema`. See https://standardschema.dev/json-schema.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: Readonly<
      Record<'input' | 'output', (options: { readonly target: 'draft-07' }) => Record<string, unknown>>
    >;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** Returns whether a value implements Standard Schema with JSON Schema. ArkType's schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (!isRecord(value) && typeof value !== 'function') return false;
  const { '~standard': standard } = value as { '~standard'?: unknown };
  return isRecord(standard) && typeof standard['validate'] === 'function' && isRecord(standard['jsonSchema']);
}

/** Makes an argument schema from a Standard Schema. `toJSONSchema` throws `invalid` for a schema that has no JSON Schema. */
export function standardInput<Output>(schema: StandardSchema<Output>): InputSchema<Output> {
  const { jsonSchema, validate, vendor } = schema['~standard'];
  return {
    safeParse(value) {
      const result = validate(value);
      if (result instanceof Promise) throw isAsynchronous(vendor);
      if (result.issues === undefined) return { success: true, data: result.value };
      return { success: false, error: { issues: result.issues.map(issueOf) } };
    },
    toJSONSchema({ io = 'output' } = {}) {
      try {
        return jsonSchema[io]({ target: 'draft-07' });
      } catch (error) {
        throw new RoleZeroError(
          'invalid',
          `The ${vendor} schema cannot be written as JSON Schema: ${describeAsSentence(error)} Use types that JSON has.`,
          { vendor },
          error,
        );
      }
    },
  };
}

function issueOf({
  message,
  path = [],
}: {
  message: string;
  path?: readonly unknown[] | undefined;
}): InputIssue {
  return {
    message,
    path: path.map((part) => (isRecord(part) ? (part['key'] as PropertyKey) : (part as PropertyKey))),
  };
}

function isAsynchronous(vendor: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `The ${vendor} schema is checked asynchronously. Use a schema without asynchronous checks.`,
    { vendor },
  );
}
