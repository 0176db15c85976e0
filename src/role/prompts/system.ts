import type { ToolRegistry } from '../../tools/registry.js';
import { fill, section, sections } from './template.js';
import { COMMANDS_INTRODUCTION, REPLY_FORMAT, TASK_STRUCTURE, UNTRUSTED_NOTE } from './texts.js';

/** What the system prompt is made of; nothing in it may change from step to step (architecture §6). */
export interface SystemPromptParts {
  name: string;
  prefix: string;
  taskTypes: string;
  tools: ToolRegistry;
  example: string;
  instruction: string;
}

/** Role, tools, instruction and static examples: byte for byte the same until the tools change (spec 7.2). */
export function systemPrompt(parts: SystemPromptParts): string {
  const exclusive = parts.tools.tools.filter((tool) => tool.exclusive).map((tool) => tool.name);
  return sections(
    section('Basic Info', parts.prefix),
    section('Data Structure', TASK_STRUCTURE),
    section('Available Task Types', parts.taskTypes),
    section('Available Commands', `${COMMANDS_INTRODUCTION}\n${parts.tools.describe()}`),
    section('Example', parts.example),
    section('Instruction', `${parts.instruction.trim()}\n${UNTRUSTED_NOTE}`),
    section(
      'Reply Format',
      fill(REPLY_FORMAT, { name: parts.name, exclusive: exclusive.join(', ') || 'none' }),
    ),
  );
}
