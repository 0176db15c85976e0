import type { Remote } from 'comlink';
import type { InputSchema } from '../core/input-schema.js';
import { APPROVAL_TEXT } from '../core/page-tool.js';
import { isRecord, type JsonSchema } from '../core/json.js';
import { jsonSchemaInput } from '../core/json-schema.js';
import { traitsOf, type Tool, type ToolContext, type ToolDescriptor } from '../core/tool.js';
import type { PageApi } from '../wire/protocol.js';
import { unwrap } from '../wire/results.js';

const pageTools = new WeakSet<Tool>();

/** Returns whether `pageTool` created the tool. */
export function isPageTool(tool: Tool): boolean {
  return pageTools.has(tool);
}

/**
 * Creates a tool whose code runs on the page. The page has the schema and checks the arguments, unless it is a plain JSON Schema. Its results are untrusted unless the tool says otherwise: they
 * often contain what others wrote, such as mail.
 */
export function remotePageTool(descriptor: ToolDescriptor, page: Remote<PageApi>): Tool {
  const { name, description, schema, effect, replay, onAmbiguous } = descriptor;
  const { untrusted = descriptor.trusted !== true } = descriptor;
  const common = {
    name,
    description,
    input: descriptor.hasPlainSchema === true ? jsonSchemaInput(schema) : anyObject(schema),
    effect,
    ...traitsOf(descriptor),
    untrusted,
    ofApplication: true,
    ...(descriptor.hasApproval === true
      ? {
          approval: async (args: unknown) =>
            String(unwrap(await page.callTool('', APPROVAL_TEXT, { name, args }))),
        }
      : {}),
    async run(input: unknown, context: ToolContext): Promise<unknown> {
      const output = await callPageTool(page, context.callId, name, input, context.signal);
      // Code on the page can read all files and private data of the user.
      await context.files.list('/', { recursive: true });
      context.private?.();
      return output;
    },
  };
  const tool: Tool = replay === 'unsafe' ? { ...common, replay, onAmbiguous } : { ...common, replay };
  pageTools.add(tool);
  return tool;
}

/** Accepts any object: the page checks the arguments. */
function anyObject(schema: JsonSchema): InputSchema {
  return {
    safeParse: (value) =>
      isRecord(value)
        ? { success: true, data: value }
        : { success: false, error: { issues: [{ path: [], message: 'must be an object' }] } },
    toJSONSchema: () => schema,
  };
}

/** Calls a tool of the page, and cancels it when `signal` aborts. @throws RoleZeroError what the tool throws. */
export async function callPageTool(
  page: Remote<PageApi>,
  callId: string,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const cancel = (): void => void page.cancelTool(callId);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return unwrap(await page.callTool(callId, name, input));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
