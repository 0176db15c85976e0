import { describeAsSentence, RoleZeroError } from './error.js';
import { isRecord } from './json.js';
import type { InputIssue, InputSchema } from './input-schema.js';

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
