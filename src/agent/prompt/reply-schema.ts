import type { JsonSchema } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';
import { argumentSchema } from '../../tools/registry.js';
import { LIMITS } from '../parse/limits.js';

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
