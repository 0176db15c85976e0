import { checkTool } from '../core/define-tool.js';
import { RoleZeroError } from '../core/error.js';
import type { PageTool, PageToolContext } from '../core/page-tool.js';
import { type InputSchema, withInput, type ToolInput } from '../core/input-schema.js';
import { type JsonSchema, isJsonSchema } from '../core/json.js';
import { traitsOf, type OnAmbiguous, type ToolDescriptor, type ToolTraits } from '../core/tool.js';

/**
 * A tool whose code runs on the page, because it needs a document, the clipboard or a dialog, for example. See `defineTool` for the fields.
 */
export interface PageToolDefinition<Input = unknown>
  extends ToolTraits, Partial<Pick<ToolDescriptor, 'effect' | 'replay' | 'onAmbiguous'>> {
  name: string;
  description: string;
  /** A schema of zod 4, of any library that implements Standard Schema with JSON Schema, or a plain JSON Schema. */
  input: ToolInput<Input>;
  run(input: Input, context: PageToolContext): unknown;
  /**
   * Returns what the tool does, in words that complete "May Zero …?": `save the note "Bread"`. An approval request asks that.
   *
   * @default use “Notes: save”
   */
  approval?(input: Input): string | Promise<string>;
}

/**
 * Declares a tool that runs on the page: `connect(worker, { tools: [pageTool(clipboard)] })`. Its effect leaves the session. After a crash
 * the user is asked before it runs again, unless `replay` says otherwise.
 */
export function pageTool<Input = Record<string, unknown>>(tool: PageToolDefinition<Input>): PageTool {
  const read = withInput(tool, passedOn);
  checkTool(read, 'The argument of pageTool()');
  const input = read.input as InputSchema<Input>;
  const onAmbiguous: OnAmbiguous = tool.onAmbiguous ?? 'ask';
  const parse = (args: unknown): Input => {
    const parsed = input.safeParse(args);
    if (parsed.success) return parsed.data;
    const issues = parsed.error.issues.map(
      (issue) => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`,
    );
    throw new RoleZeroError('tool-input', `Invalid arguments for ${tool.name}: ${issues.join('; ')}.`, {
      issues,
    });
  };
  return {
    descriptor: {
      name: tool.name,
      description: tool.description,
      schema: plainSchema(input),
      effect: tool.effect ?? 'ui',
      replay:
        tool.replay ?? (tool.effect === 'pure' || tool.effect === 'egress-read' ? 'idempotent' : 'unsafe'),
      onAmbiguous,
      ...(isJsonSchema(tool.input) ? { hasPlainSchema: true } : {}),
      ...(tool.approval === undefined ? {} : { hasApproval: true }),
      ...traitsOf(tool),
    },
    ...(tool.approval === undefined ? {} : { approval: (args) => tool.approval?.(parse(args)) ?? '' }),
    async call(args, context) {
      return tool.run(parse(args), context);
    },
  };
}

/** Reads a plain JSON Schema. The worker has checked the arguments: its validator is not needed on the page. */
function passedOn(schema: JsonSchema): InputSchema {
  return { safeParse: (data) => ({ success: true, data }), toJSONSchema: () => schema };
}

/** Returns the schema as plain JSON that can be sent to another thread. */
function plainSchema(input: InputSchema): Record<string, unknown> {
  const schema = input.toJSONSchema({ io: 'input', target: 'draft-7', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}
