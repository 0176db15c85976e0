import type { Tool as RemoteTool } from '@modelcontextprotocol/client';
import { matchesGlob } from '../../core/glob.js';
import { isRecord, sortedKeys, type JsonSchema } from '../../core/json.js';
import { sha256 } from '../../core/sha256.js';
import type { McpSettings } from './options.js';

/** What a server says about one of its tools. */
export interface Definition {
  /** Name for the model: `group.method`. */
  name: string;
  /** As the server sent it. */
  remote: RemoteTool;
  description: string;
  schema: JsonSchema;
  /** Hash of everything that the server says about the tool. */
  hash: string;
}

/** Maximum depth of a JSON Schema. */
const MAX_DEPTH = 30;
/** Characters that a reader does not see. */
const UNSEEN = /(?![ \n\t])[\p{Default_Ignorable_Code_Point}\p{C}\u2028\u2029]/gu;

/** Names of tools that this library adds to each server. */
const OWN = ['list_resources', 'read_resource', 'list_prompts', 'get_prompt', 'sign_in'];

/**
 * Returns the tools of a server within its limits, and how many were left out because of them. Of two tools with the same name for the
 * model, the first one is used.
 */
export function readDefinitions(
  remotes: readonly RemoteTool[],
  { name: group, tools: wanted, limits }: McpSettings,
): { definitions: Definition[]; leftOut: number } {
  const definitions = new Map<string, Definition>();
  const chosen = remotes.filter(({ name }) => wanted.some((pattern) => matchesGlob(name, pattern)));
  for (const remote of chosen) {
    if (definitions.size >= limits.tools) break;
    const method = methodOf(remote.name);
    const schema = schemaOf(remote.inputSchema, limits.schema);
    if (method === null || schema === null || definitions.has(method)) continue;
    definitions.set(method, {
      name: `${group}.${method}`,
      remote,
      description: descriptionOf(remote, limits.description),
      schema,
      hash: hashOf(remote),
    });
  }
  return { definitions: [...definitions.values()], leftOut: chosen.length - definitions.size };
}

/** Returns the name of a tool as a part of a command's name; null when nothing of it is left. */
function methodOf(remote: string): string | null {
  const method = remote.replace(/[^\w-]+/g, '_').slice(0, 64);
  if (!/[A-Za-z0-9]/.test(method)) return null;
  const name = /^[A-Za-z]/.test(method) ? method : `tool_${method}`;
  return OWN.includes(name) ? `${name}_of_server` : name;
}

function descriptionOf({ description, title, annotations }: RemoteTool, most: number): string {
  const text = (description ?? title ?? annotations?.title ?? '').replace(UNSEEN, '').trim();
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** Returns a copy of a schema without invisible characters; null when it is too large, too deep, or describes no object. */
function schemaOf(schema: unknown, most: number): JsonSchema | null {
  if (!isRecord(schema) || depthOf(schema) > MAX_DEPTH) return null;
  const text = JSON.stringify(schema, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(UNSEEN, '') : value,
  );
  if (text.length > most) return null;
  const copy = JSON.parse(text) as JsonSchema;
  if (copy['type'] !== undefined && copy['type'] !== 'object') return null;
  const isOpen = !isRecord(copy['properties']) && copy['additionalProperties'] === undefined;
  return { ...copy, type: 'object', ...(isOpen ? { additionalProperties: true } : {}) };
}

/** Counts levels without recursion; stops beyond the limit. */
function depthOf(value: unknown): number {
  let depth = 0;
  for (let level = [value]; level.length > 0 && depth <= MAX_DEPTH; depth++)
    level = level.flatMap((each): unknown[] =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  return depth;
}

function hashOf({ name, title, description, inputSchema, outputSchema, annotations }: RemoteTool): string {
  const said = { name, title, description, inputSchema, outputSchema, annotations };
  return sha256(JSON.stringify(sortedKeys(said)));
}
