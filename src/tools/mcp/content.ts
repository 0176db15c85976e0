import type { ContentBlock } from '@modelcontextprotocol/client';
import { fromBase64 } from '../../core/base64.js';
import type { ToolContext } from '../../core/tool.js';
import type { McpSettings } from './options.js';

/** Parts of a result: the content of a tool call, a resource, or a prompt. */
export interface ResultParts {
  content: readonly ContentBlock[];
  structured?: unknown;
}

type ContentTarget = Pick<ToolContext, 'files' | 'callId' | 'outputLimit'>;

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
