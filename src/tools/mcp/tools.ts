import { jsonInput } from '../json-input.js';
import type { Tool as RemoteTool } from '@modelcontextprotocol/client';
import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import type { Tool, ToolContext } from '../../core/tool.js';
import type { McpConnection } from './connection.js';
import { readParts } from './content.js';
import { claimsOf, vouched, type Definition } from '../foreign-tools.js';
import type { McpSettings } from './options.js';

/** Characters of progress that are shown for one call. */
const MAX_PROGRESS = 10_000;

/** Returns a tool of a server as a command. */
export function mcpTool(
  definition: Definition<RemoteTool>,
  connection: McpConnection,
  settings: McpSettings,
): Tool {
  const { isRead, isRepeatable } = claimsOf(definition, settings);
  const base = {
    name: definition.name,
    description: definition.description,
    ...defined({ activity: definition.activity }),
    input: jsonInput(definition.schema),
    ...vouched(settings),
    service: settings.url.href,
    timeoutMs: settings.limits.callMs,
    async run(input: unknown, context: ToolContext): Promise<string> {
      reportServer(context, settings);
      const { signal } = context;
      const onProgress = progressReporter(context);
      const { content, structuredContent, isError } = await connection.callTool(definition, input, {
        signal,
        isRepeatable,
        onProgress,
      });
      const text = await readParts({ content, structured: structuredContent }, settings, context);
      if (isError !== true) return text;
      throw new RoleZeroError('tool-failed', text === '' ? `${definition.name} failed.` : text);
    },
  };
  if (isRead)
    return {
      ...base,
      effect: 'egress-read',
      replay: 'idempotent',
      target: () => `the ${serverSource(settings)}`,
    };
  const acts = { ...base, effect: 'egress-write', composes: true, reaches: () => settings.url.href } as const;
  return isRepeatable ? { ...acts, replay: 'idempotent' } : { ...acts, replay: 'unsafe', onAmbiguous: 'ask' };
}

/** Reports where a result comes from. */
export function reportServer(context: ToolContext, settings: McpSettings): void {
  if (settings.trust !== 'everything') context.untrusted?.(serverSource(settings));
  if (settings.isPrivate) context.private?.();
}

/** Returns the name of a server as an untrusted source. */
export function serverSource({ name, url }: McpSettings): string {
  return `MCP server ${name} (${url.origin})`;
}

function progressReporter(context: ToolContext): (text: string) => void {
  let left = MAX_PROGRESS;
  return (text) => {
    const shown = text.slice(0, left);
    left -= shown.length;
    if (shown !== '') context.output(`${shown}\n`);
  };
}
