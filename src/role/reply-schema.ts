import type { JsonSchema } from '../base/json.js';
import type { Tool } from '../base/tool.js';
import { argumentSchema } from '../tools/registry.js';
import { LIMITS } from '../agent/parse/limits.js';

/** How the calls of a requirement are laid out (architecture §9). */
export type CallPlan = 'classic' | 'merged';

/**
 * What a reply must look like, for models that can be held to it: a thought and commands that exist. One schema a role, the same for
 * all its calls: engines compile it once. In the merged plan the first reply may also be a category and a direct answer.
 */
export function replySchema(tools: readonly Tool[], plan: CallPlan): JsonSchema {
  const direct: JsonSchema =
    plan === 'merged'
      ? {
          category: { type: 'string', enum: ['QUICK', 'SEARCH', 'TASK', 'AMBIGUOUS'] },
          answer: { type: 'string' },
        }
      : {};
  return {
    type: 'object',
    properties: {
      thought: { type: 'string' },
      ...direct,
      commands: { type: 'array', maxItems: LIMITS.commands, items: { anyOf: tools.map(commandSchema) } },
    },
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
