import { checkTool } from '../core/check-tool.js';
import { RoleZeroError } from '../core/error.js';
import type { PageTool, PageToolContext } from '../core/page-tool.js';
import {
  traitsOf,
  type InputSchema,
  type OnAmbiguous,
  type ToolDescriptor,
  type ToolTraits,
} from '../core/tool.js';

/**
 * A tool whose code runs on the page, because it needs a document, the clipboard or a dialog, for example. See `defineTool` for the fields.
 */
export interface PageToolDefinition<Input = unknown>
  extends ToolTraits, Partial<Pick<ToolDescriptor, 'effect' | 'replay' | 'onAmbiguous'>> {
  name: string;
  description: string;
  input: InputSchema<Input>;
  run(input: Input, context: PageToolContext): unknown;
}

/**
 * Declares a tool that runs on the page: `connect(worker, { tools: [pageTool(clipboard)] })`. Its effect leaves the session. After a crash
 * the user is asked before it runs again, unless `replay` says otherwise.
 */
export function pageTool<Input>(tool: PageToolDefinition<Input>): PageTool {
  checkTool(tool, 'The argument of pageTool()');
  const onAmbiguous: OnAmbiguous = tool.onAmbiguous ?? 'ask';
  return {
    descriptor: {
      name: tool.name,
      description: tool.description,
      schema: plainSchema(tool.input),
      effect: tool.effect ?? 'ui',
      replay:
        tool.replay ?? (tool.effect === 'pure' || tool.effect === 'egress-read' ? 'idempotent' : 'unsafe'),
      onAmbiguous,
      ...traitsOf(tool),
    },
    async call(input, context) {
      const parsed = tool.input.safeParse(input);
      if (parsed.success) return tool.run(parsed.data, context);
      const issues = parsed.error.issues.map(
        (issue) => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`,
      );
      throw new RoleZeroError('tool-input', `Invalid arguments for ${tool.name}: ${issues.join('; ')}.`, {
        issues,
      });
    },
  };
}

/** Returns the schema as plain JSON that can be sent to another thread. */
function plainSchema(input: InputSchema): Record<string, unknown> {
  const schema = input.toJSONSchema({ io: 'input', target: 'draft-7', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}
