import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { InputSchema } from './tool.js';

/** Told with each reading, not to `z.config`: that one is the application's, whose own schemas may speak another language. */
const english = { error: en().localeError };

/** Zod's result; what is wrong is said in English. Where nobody is told, `schema.safeParse` does. */
export function read<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.util.SafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, english);
}

/** The arguments of a tool of the library's own: what `z.object` of full zod brings along, and `zod/mini` leaves to functions. */
export function inputSchema<Schema extends z.ZodMiniType>(schema: Schema): InputSchema<z.output<Schema>> {
  return {
    safeParse: (value) => read(schema, value),
    toJSONSchema: (options) => z.toJSONSchema(schema, options),
  };
}
