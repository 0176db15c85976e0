import { fill, section, sections } from './template.js';
import type { Prompts } from './prompts.js';

/** What the system prompt is made of; nothing in it may change from step to step (architecture §6). */
export interface SystemPromptParts {
  name: string;
  prefix: string;
  taskTypes: string;
  /** What the model is told of its commands. */
  commands: string;
  /** Commands of which a reply may hold only one. */
  exclusive: readonly string[];
  example: string;
  instruction: string;
  prompts: Prompts;
  /** The model is held to the form of a reply, so it need not be shown. */
  constrained: boolean;
}

/** Role, tools, instruction and static examples: byte for byte the same until the tools change (spec 7.2). */
export function systemPrompt(parts: SystemPromptParts): string {
  const { prompts, exclusive } = parts;
  const format = parts.constrained ? prompts.constrainedFormat : prompts.replyFormat;
  return sections(
    section('Basic Info', parts.prefix),
    section('Data Structure', prompts.taskStructure),
    section('Available Task Types', parts.taskTypes),
    section('Available Commands', `${prompts.commandsIntroduction}\n${parts.commands}`),
    section('Example', parts.example),
    section('Instruction', `${parts.instruction.trim()}\n${prompts.untrustedNote}`),
    section('Reply Format', fill(format, { name: parts.name, exclusive: exclusive.join(', ') || 'none' })),
  );
}
