import { checkTool } from './check-tool.js';
import { jsonSchemaInput } from './json-schema.js';
import { withInput } from './tool-input.js';
import type { Tool, ToolDefinition } from './tool.js';

/**
 * Declares a tool. The input type is inferred from its schema. With a plain JSON Schema it is a record, or what the parameter of `run` says.
 *
 * @example defineTool({ name: 'Clock.now', description: 'The local time.', input: z.object({}), run: () => new Date().toString() })
 * @throws RoleZeroError `invalid` for a missing field, or an `input` that is no schema of zod 4, Standard Schema or JSON Schema.
 */
export function defineTool<Input = Record<string, unknown>>(tool: ToolDefinition<Input>): Tool<Input> {
  const read = withInput(tool, jsonSchemaInput);
  checkTool(read, 'The argument of defineTool()');
  return read as Tool<Input>;
}
