import type { JsonSchema } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';
import { argumentSchema } from '../../tools/registry.js';
import { LIMITS } from '../parse/limits.js';

/** Which model calls a request takes; see the option `callPlan`. */
export type CallPlan = 'classic' | 'merged';

/** Limits of the replies of small models, which otherwise think and list without an end: characters, and commands. */
const SMALL_THOUGHT = 400;
const SMALL_LIST = 6;

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
  return reply({ thought: { type: 'string' }, ...direct, commands: { type: 'array', ...commands } });
}

/** The same for small models: a short thought and few commands, at least one. They answer the user with a command. */
export function smallReplySchema(tools: readonly Tool[]): JsonSchema {
  const commands = { minItems: 1, maxItems: SMALL_LIST, items: { anyOf: tools.map(commandSchema) } };
  return reply({
    thought: { type: 'string', maxLength: SMALL_THOUGHT },
    commands: { type: 'array', ...commands },
  });
}

function reply(properties: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties,
    required: ['thought', 'commands'],
    additionalProperties: false,
  };
}

function commandSchema(tool: Tool): JsonSchema {
  return {
    type: 'object',
    properties: { command_name: { const: tool.name }, args: argumentSchema(tool) },
    required: ['command_name', 'args'],
    additionalProperties: false,
  };
}
