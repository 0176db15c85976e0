import { matchesGlob } from '../core/glob.js';
import { isRecord, sortedKeys, type JsonSchema } from '../core/json.js';
import { sha256 } from '../core/sha256.js';
import type { Tool, ToolActivity } from '../core/tool.js';

/** A tool that others describe: an MCP server, or scripts of the page. Its texts and its schema may be hostile. */
interface ForeignTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: ForeignAnnotations | undefined;
}

interface ForeignAnnotations {
  title?: string | undefined;
  readOnlyHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
}

/** What others say about a tool, within the limits. */
export interface Definition<Remote = ForeignTool> {
  /** Name for the model: `group.method`. */
  name: string;
  /** As it was received. */
  remote: Remote;
  description: string;
  schema: JsonSchema;
  /** What users see while it runs, from its title. Absent without one. */
  activity?: ToolActivity;
  /** Hash of the whole definition of the tool. */
  hash: string;
}

/** Limits of what others say about their tools. */
export interface DefinitionLimits {
  /** Tools that are used; the others are left out. */
  tools: number;
  /** Characters of a tool's description; the rest is cut off. */
  description: number;
  /** Characters of a tool's JSON Schema. A tool with a larger one is left out. */
  schema: number;
  /** Characters of all descriptions and schemas together; further tools are left out. They are a part of each prompt. */
  definitions: number;
}

export const DEFINITION_LIMITS: DefinitionLimits = {
  tools: 100,
  description: 2_000,
  schema: 10_000,
  definitions: 60_000,
};

/** Which tools are used, and how much of their definitions. */
export interface DefinitionSettings {
  /** Group of the tools. */
  name: string;
  /** Patterns of names. */
  tools: readonly string[];
  limits: DefinitionLimits;
}

/** What the application says about tools of others. */
export interface Vouching {
  /** Patterns of names of tools that only read. */
  reads: readonly string[];
  /** Patterns of names of tools that may run twice. */
  repeatable: readonly string[];
  /** The hints of the tools are true. */
  believeHints: boolean;
  trust: 'nothing' | 'descriptions' | 'everything';
}

/** Maximum depth of a JSON Schema. */
const MAX_SCHEMA_DEPTH = 30;
/** Characters that a reader does not see. */
const INVISIBLE_CHARACTERS = /(?![ \n\t])[\p{Default_Ignorable_Code_Point}\p{C}\u2028\u2029]/gu;

/**
 * Returns tools of others within the limits, and how many were left out because of them. Of two tools with the same name for the model, the
 * first one is used.
 *
 * @param own Names of methods that the library adds to the group.
 */
export function readDefinitions<Remote extends ForeignTool>(
  remotes: readonly Remote[],
  { name: group, tools: wanted, limits }: DefinitionSettings,
  own: readonly string[] = [],
): { definitions: Definition<Remote>[]; leftOut: number } {
  const definitions = new Map<string, Definition<Remote>>();
  let characters = 0;
  const chosen = remotes.filter(({ name }) => wanted.some((pattern) => matchesGlob(name, pattern)));
  for (const remote of chosen) {
    if (definitions.size >= limits.tools) break;
    const method = methodOf(remote.name, own);
    const schema = limitedSchema(remote.inputSchema, limits.schema);
    if (method === null || schema === null || definitions.has(method)) continue;
    const description = descriptionOf(remote, limits.description);
    const size = description.length + JSON.stringify(schema).length;
    if (characters + size > limits.definitions) continue;
    characters += size;
    definitions.set(method, {
      name: `${group}.${method}`,
      remote,
      description,
      schema,
      ...titleActivity(group, remote),
      hash: definitionHash(remote),
    });
  }
  return { definitions: [...definitions.values()], leftOut: chosen.length - definitions.size };
}

/** Letters and digits of other scripts, which names of commands do not have. */
const OTHER_SCRIPTS = /[^\P{L}A-Za-z]|[^\P{N}0-9]|\p{M}/gu;

/**
 * Returns the name of a tool as a part of a command's name; null when nothing of it is left. Letters of other scripts become their code
 * points: models write them reliably in ASCII only, and so that different names stay different.
 */
function methodOf(remote: string, own: readonly string[]): string | null {
  const ascii = remote
    .normalize('NFC')
    .replace(INVISIBLE_CHARACTERS, '')
    .replace(OTHER_SCRIPTS, (letter) => `u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
  const method = ascii.replace(/[^\w-]+/g, '_').slice(0, 64);
  if (!/[A-Za-z0-9]/.test(method)) return null;
  const name = /^[A-Za-z]/.test(method) ? method : `tool_${method}`;
  return own.includes(name) ? `${name}_of_server` : name;
}

/** Returns the name of a tool when its command cannot show it, because it is written in another script. */
function nameInOtherScript({ name }: ForeignTool): string | undefined {
  return name.match(OTHER_SCRIPTS) === null ? undefined : name;
}

function descriptionOf(tool: ForeignTool, most: number): string {
  const { description, title, annotations } = tool;
  const about = description ?? title ?? annotations?.title;
  const named = [nameInOtherScript(tool), about].filter((part) => part !== undefined).join(': ');
  const text = named.replace(INVISIBLE_CHARACTERS, '').trim();
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** Returns what users see while a tool runs, from its title: after the group, so that it does not pass for words of the application. */
function titleActivity(group: string, tool: ForeignTool): Pick<Definition, 'activity'> {
  const { title, annotations } = tool;
  const text = (title ?? annotations?.title ?? nameInOtherScript(tool) ?? '')
    .replace(INVISIBLE_CHARACTERS, '')
    .trim();
  return text === '' ? {} : { activity: { verb: `Using ${group}: ${text}` } };
}

/** Returns a copy of a schema without invisible characters; null when it is too large, too deep, or describes no object. */
function limitedSchema(schema: unknown, most: number): JsonSchema | null {
  if (!isRecord(schema) || depthOf(schema) > MAX_SCHEMA_DEPTH) return null;
  const text = JSON.stringify(schema, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(INVISIBLE_CHARACTERS, '') : value,
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
  for (let level = [value]; level.length > 0 && depth <= MAX_SCHEMA_DEPTH; depth++)
    level = level.flatMap((each): unknown[] =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  return depth;
}

function definitionHash({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ForeignTool): string {
  const definition = { name, title, description, inputSchema, outputSchema, annotations };
  return sha256(JSON.stringify(sortedKeys(definition)));
}

/** Returns what the application says about a tool. What others say can only make it stricter, unless the application believes it. */
export function claimsOf(
  { remote: { name, annotations = {} } }: Definition,
  { reads, repeatable, believeHints }: Vouching,
): { isRead: boolean; isRepeatable: boolean } {
  const { readOnlyHint, idempotentHint, destructiveHint } = annotations;
  const isNamed = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => matchesGlob(name, pattern));
  const isDestructive = destructiveHint === true && readOnlyHint !== true;
  const isRead = !isDestructive && (isNamed(reads) || (believeHints && readOnlyHint === true));
  return {
    isRead,
    isRepeatable: isRead || isNamed(repeatable) || (believeHints && idempotentHint === true),
  };
}

/** Returns whether results are trusted, as the property of a tool. */
export function vouched({ trust }: Pick<Vouching, 'trust'>): Pick<Tool, 'trusted' | 'untrusted'> {
  return trust === 'everything' ? { trusted: true } : { untrusted: true };
}

/** Returns the patterns that no tool matches. `*` is not one of them: a server may have no tools. */
export function unmatchedPatterns(patterns: readonly string[], names: readonly string[]): string[] {
  return patterns.filter((pattern) => pattern !== '*' && !names.some((name) => matchesGlob(name, pattern)));
}

/** Describes how many tools were left out; null when none were. */
export function leftOutNotice(leftOut: number, whose: string, limits: DefinitionLimits): string | null {
  if (leftOut === 0) return null;
  return `${leftOut} tools of ${whose} are left out: at most ${limits.tools} are used (\`limits.tools\`), with a JSON Schema of at most ${limits.schema} characters (\`limits.schema\`), ${limits.definitions} characters in all (\`limits.definitions\`), and a name of their own.`;
}
