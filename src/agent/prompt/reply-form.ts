import type { ChatModel, ToolSpec } from '../../core/model.js';
import type { Prompts } from './prompts.js';
import type { JsonSchema } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';
import { argumentSchema, firstSentence } from '../../tools/registry.js';
import { LIMITS } from '../parse/limits.js';
import { fingerprint } from '../../core/fingerprint.js';
import { shortSchema } from '../../tools/short-schema.js';

/**
 * How a model writes its commands: what the prompts say about it, and what a request carries. A reply is read by what it has: native calls,
 * or text.
 */
export interface ReplyForm {
  readonly name: 'text' | 'schema' | 'tools';
  /** Requests for commands carry a JSON Schema of the reply. */
  readonly hasSchema: boolean;
  /** All requests of the conversation carry the commands as tools; else the system prompt lists them. */
  readonly hasTools: boolean;
  /** A reply without commands is the closing message, and not a mistake. */
  readonly endsInProse: boolean;
  /** Returns what the system prompt says about replies. */
  format(prompts: Prompts): string;
  /** Returns the form in words, for prompts that ask for a reply once more. */
  inWords(prompts: Prompts): string;
  /** Returns how to give a direct answer in the first reply to a request. */
  first(prompts: Prompts): string;
}

/** A thought and a list of commands in text, which every model can write. */
const TEXT: ReplyForm = {
  name: 'text',
  hasSchema: false,
  hasTools: false,
  endsInProse: false,
  format: ({ replyFormat }) => replyFormat,
  inWords: ({ formInText }) => formInText,
  first: ({ firstReplyInText }) => firstReplyInText,
};

/** One JSON object, which the engine enforces. */
const SCHEMA: ReplyForm = {
  ...TEXT,
  name: 'schema',
  hasSchema: true,
  format: ({ constrainedFormat }) => constrainedFormat,
  inWords: ({ formConstrained }) => formConstrained,
  first: ({ firstReply }) => firstReply,
};

/** Calls of tools, as the model was trained to write them. */
const TOOLS: ReplyForm = {
  ...TEXT,
  name: 'tools',
  hasTools: true,
  endsInProse: true,
  format: ({ toolsFormat }) => toolsFormat,
  inWords: ({ formTools }) => formTools,
  first: ({ firstReplyTools }) => firstReplyTools,
};

/** Returns the form in which a model replies best: native calls, else what its engine enforces, else text. */
export function replyFormOf({ supports }: ChatModel): ReplyForm {
  if (supports?.toolCalls === true) return TOOLS;
  return supports?.jsonSchema === true ? SCHEMA : TEXT;
}

/** Which model calls a request takes; see the option `callPlan`. */
export type CallPlan = 'classic' | 'merged';

/**
 * Returns the JSON Schema of a reply: a thought and commands that exist. A role uses one schema for all its calls, so an engine compiles
 * it once. In the merged call plan, the first reply may also be a category and a direct answer.
 */
export function replySchema(tools: readonly Tool[], plan: CallPlan): JsonSchema {
  const direct: JsonSchema =
    plan === 'merged'
      ? {
          category: { type: 'string', enum: ['QUICK', 'SEARCH', 'TASK', 'AMBIGUOUS'] },
          answer: { type: 'string' },
        }
      : {};
  const commands = { maxItems: LIMITS.commands, items: { anyOf: tools.map(commandSchema) } };
  return replyObject({ thought: { type: 'string' }, ...direct, commands: { type: 'array', ...commands } });
}

/** Returns the schema of a reply with these properties, of which a thought and commands are required. */
export function replyObject(properties: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties,
    required: ['thought', 'commands'],
    additionalProperties: false,
  };
}

/** Returns the schema of a command. */
export function commandSchema(tool: Tool): JsonSchema {
  return {
    type: 'object',
    properties: { command_name: { const: tool.name }, args: argumentSchema(tool) },
    required: ['command_name', 'args'],
    additionalProperties: false,
  };
}

/** The tools of a role in the native form: with names that servers accept. */
export interface NativeTools {
  specs: readonly ToolSpec[];
  /** Returns the command that a name means; the name itself for no command. */
  commandOf(name: string): string;
}

/** Leaves out the descriptions of all arguments. */
const ALL = { has: () => true, add: () => {} };

/** Maximum characters of a name at OpenAI, Anthropic, and others. */
const MAX_NAME = 64;

/**
 * Returns tools in the native form. `Editor.write` becomes `Editor_write`. When their JSON has more than `most` characters, only the first
 * sentence describes each tool. Arguments are described once, or not at all if `isBrief`.
 */
export function nativeTools(
  tools: readonly Tool[],
  { most, describe, isBrief }: { most: number; describe: (tool: Tool) => string; isBrief: boolean },
): NativeTools {
  const commands = new Map<string, string>();
  for (const { name } of tools) commands.set(freeName(name, commands), name);
  const names = [...commands.keys()];
  const specs = (about: (description: string) => string): ToolSpec[] => {
    const described = isBrief ? ALL : new Set<string>();
    return tools.map((tool, index) => ({
      name: names[index] ?? tool.name,
      description: about(describe(tool)),
      parameters: shortSchema(argumentSchema(tool), described),
    }));
  };
  const whole = specs((description) => description);
  return {
    specs: JSON.stringify(whole).length <= most ? whole : specs(firstSentence),
    commandOf: (name) => commands.get(name) ?? name,
  };
}

/** Returns the name of a tool as servers accept it, with a hash where it would be too long, or that of another tool. */
function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  const plain = name.replace(/[^\w-]/g, '_');
  if (plain.length <= MAX_NAME && !taken.has(plain)) return plain;
  const hash = fingerprint(name);
  return `${plain.slice(0, MAX_NAME - hash.length - 1)}_${hash}`;
}
