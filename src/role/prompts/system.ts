import type { ToolRegistry } from '../../tools/registry.js';
import { fill, section, sections } from './template.js';
import type { Prompts } from './prompts.js';

/** What the system prompt is made of; nothing in it may change from step to step (architecture §6). */
export interface SystemPromptParts {
  name: string;
  prefix: string;
  taskTypes: string;
  tools: ToolRegistry;
  example: string;
  instruction: string;
  prompts: Prompts;
  /** The model is held to the form of a reply, so it need not be shown. */
  constrained: boolean;
}

/** Role, tools, instruction and static examples: byte for byte the same until the tools change (spec 7.2). */
export function systemPrompt(parts: SystemPromptParts): string {
  const { prompts, tools } = parts;
  const exclusive = tools.tools.filter((tool) => tool.exclusive).map((tool) => tool.name);
  const format = parts.constrained ? prompts.constrainedFormat : prompts.replyFormat;
  return sections(
    section('Basic Info', parts.prefix),
    section('Data Structure', prompts.taskStructure),
    section('Available Task Types', parts.taskTypes),
    section('Available Commands', `${prompts.commandsIntroduction}\n${tools.describe()}`),
    section('Example', parts.example),
    section('Instruction', `${parts.instruction.trim()}\n${prompts.untrustedNote}`),
    section('Reply Format', fill(format, { name: parts.name, exclusive: exclusive.join(', ') || 'none' })),
  );
}
