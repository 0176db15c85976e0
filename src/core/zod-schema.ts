import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { InputSchema } from './input-schema.js';

/** Passed to each parse instead of `z.config`: that setting belongs to the application, whose schemas may use another language. */
const english = { error: en().localeError };

/** Returns zod's result with English error messages. Where no one reads the messages, `schema.safeParse` is enough. */
export function read<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.util.SafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, english);
}

/** Builds the argument schema of a built-in tool: adds the methods that `z.object` of full zod has and `zod/mini` leaves to functions. */
export function inputSchema<Schema extends z.ZodMiniType>(schema: Schema): InputSchema<z.output<Schema>> {
  return {
    safeParse: (value) => read(schema, value),
    toJSONSchema: (options) => z.toJSONSchema(schema, options),
  };
}
