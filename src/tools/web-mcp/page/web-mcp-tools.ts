import { RoleZeroError } from '../../../core/error.js';
import { isRecord } from '../../../core/json.js';
import type { PageTool } from '../../../core/page-tool.js';
import { WEB_MCP_PART, type SharedTool, type WebMcpRequest } from '../protocol.js';
import { modelContext, type ListedTool, type ModelContext } from './model-context.js';

/**
 * Page side of WebMCP: shares the tools that scripts of this page have registered with the agent. The worker side is `webMcp()` of
 * `rolezero/tools/web-mcp`. Without WebMCP in the browser, or a polyfill, there are no tools, and a `warning` event says so.
 *
 * @example connect(worker, { tools: [webMcpTools()] })
 */
export function webMcpTools(): PageTool {
  return {
    descriptor: {
      name: WEB_MCP_PART,
      description: 'Shares the tools of the page.',
      schema: {},
      effect: 'ui',
      replay: 'idempotent',
      onAmbiguous: 'fail',
      part: true,
    },
    async call(input, { signal }) {
      const request = input as WebMcpRequest; // from the application's own worker
      const context = modelContext();
      if (context?.getTools === undefined)
        throw new RoleZeroError(
          'tool-failed',
          'this browser has no WebMCP that lists tools (`document.modelContext.getTools`). Load a polyfill before connect(), or leave out webMcp().',
        );
      const listed = await context.getTools();
      if (request.do === 'list') return listed.map(asShared);
      return runPageTool(context, listed, request, signal);
    },
  };
}

/** Runs a tool, unless it has changed since the agent was shown it. */
async function runPageTool(
  context: ModelContext,
  listed: readonly ListedTool[],
  { tool, input }: Extract<WebMcpRequest, { do: 'call' }>,
  signal: AbortSignal,
): Promise<unknown> {
  const known = listed.find(({ name }) => name === tool.name);
  if (known === undefined || JSON.stringify(asShared(known)) !== JSON.stringify(tool))
    throw new RoleZeroError(
      'conflict',
      `The page has changed or removed the tool ${tool.name} since. Read its new description, then decide whether to call it.`,
      { tool: tool.name },
    );
  if (context.executeTool === undefined)
    throw new RoleZeroError('tool-failed', 'This browser cannot run tools of the page (`executeTool`).');
  return readable(await context.executeTool(known, inBothForms(input), { signal }));
}

function asShared({ name, title, description, inputSchema, annotations }: ListedTool): SharedTool {
  const schema = typeof inputSchema === 'string' ? jsonOrUndefined(inputSchema) : inputSchema;
  const { readOnlyHint, untrustedContentHint } = annotations ?? {};
  const shared = {
    name,
    title: title === '' ? undefined : title,
    description,
    inputSchema: schema ?? { type: 'object', properties: {} },
    annotations: { readOnlyHint, untrustedContentHint },
  };
  return JSON.parse(JSON.stringify(shared)) as SharedTool; // plain data, without undefined properties
}

/** Returns arguments as an object that is JSON when it is used as text: earlier versions of Chromium, and the polyfill, expect JSON. */
function inBothForms(input: unknown): object {
  const json = JSON.stringify(input);
  return Object.defineProperty({ ...(input as object) }, 'toString', { value: () => json });
}

/** Returns a result as the tool meant it: the texts of an MCP result, else its JSON. */
function readable(result: string | null): unknown {
  const value = result === null ? null : (jsonOrUndefined(result) ?? result);
  if (!isRecord(value) || !Array.isArray(value['content'])) return value;
  const texts = value['content']
    .filter(isRecord)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const text = texts.join('\n');
  if (value['isError'] === true) throw new RoleZeroError('tool-failed', text === '' ? 'It failed.' : text);
  return text;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
