import type { ContentBlock, Tool as RemoteTool } from '@modelcontextprotocol/client';
import { fromBase64 } from '../../core/bytes.js';
import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import type { Tool, ToolContext } from '../../core/tool.js';
import { claimsOf, vouched, type Definition } from '../foreign-tools.js';
import { jsonInput } from '../json-input.js';
import type { McpConnection } from './connection.js';
import type { McpSettings } from './options.js';

/** Characters of progress that are shown for one call. */
const MAX_PROGRESS = 10_000;

const FILE_EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'application/pdf': 'pdf',
};

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

/** Parts of a result: the content of a tool call, a resource, or a prompt. */
interface ResultParts {
  content: readonly ContentBlock[];
  structured?: unknown;
}

type ContentTarget = Pick<ToolContext, 'files' | 'callId' | 'outputLimit'>;

/**
 * Returns a result as text. Images and other files are stored in the folder of the server, and named in the text: a model that sees images
 * then receives them.
 */
export async function readParts(
  { content, structured }: ResultParts,
  settings: McpSettings,
  target: ContentTarget,
): Promise<string> {
  const texts: string[] = [];
  let stored = 0;
  for (const block of content) {
    const binary = binaryOf(block);
    if (binary === null) texts.push(blockText(block));
    else if (stored >= settings.limits.files) texts.push(`(${binary.type}, left out)`);
    else texts.push(await storeBinary(binary, ++stored, settings, target));
  }
  if (structured !== undefined) {
    const json = JSON.stringify(structured);
    if (!texts.some((text) => isSameJson(text, json))) texts.push(json);
  }
  const most = Math.min(settings.limits.result, target.outputLimit ?? Infinity);
  return withoutMiddle(texts.filter((text) => text !== '').join('\n'), most);
}

interface Binary {
  type: string;
  data: string;
}

function binaryOf(block: ContentBlock): Binary | null {
  switch (block.type) {
    case 'image':
    case 'audio':
      return { type: block.mimeType, data: block.data };
    case 'resource': {
      const { resource } = block;
      return 'blob' in resource ? { type: resource.mimeType ?? '', data: resource.blob } : null;
    }
    default:
      return null;
  }
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return 'text' in block.resource ? `${block.resource.uri}:\n${block.resource.text}` : '';
    case 'resource_link':
      return `Resource ${block.uri}: ${block.description ?? block.name}`;
    default:
      return '';
  }
}

/** Stores a file of a result. Returns its path as text, or why it is not stored. */
async function storeBinary(
  { type, data }: Binary,
  number: number,
  { folder, limits }: McpSettings,
  { files, callId }: ContentTarget,
): Promise<string> {
  const bytes = data.length > limits.bytes * 1.4 ? null : fromBase64(data);
  if (bytes === null) return `(${FILE_EXTENSIONS[type] ?? 'file'}, which cannot be read)`;
  const path = `${folder}/${callId.replace(/[^\w-]+/g, '-')}-${number}.${FILE_EXTENSIONS[type] ?? 'bin'}`;
  if (files.mayWrite?.(path) === false) return `(a file for ${path}, where this role may not write)`;
  await files.write(path, bytes);
  return `Stored as ${path}`;
}

function isSameJson(text: string, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

/** Removes the middle of a text that is too long. */
export function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters are left out …\n${text.slice(-half)}`;
}
