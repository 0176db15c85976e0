import { fill, section, sections } from './template.js';
import type { Prompts } from './prompts.js';

/** Parts of the system prompt. None of them may change between steps. */
export interface SystemPromptParts {
  name: string;
  prefix: string;
  taskTypes: string;
  /** Description of the commands; empty when the request has them. */
  commands: string;
  /** Commands of which one reply may contain only one. */
  exclusive: readonly string[];
  example: string;
  instruction: string;
  prompts: Prompts;
  /** What it says about replies; see `ReplyForm`. */
  format: string;
}

/** Returns the system prompt: role, tools, instruction, and static examples. It is identical until the tools change. */
export function systemPrompt(parts: SystemPromptParts): string {
  const { prompts, exclusive, commands, format } = parts;
  return sections(
    section('Basic Info', parts.prefix),
    section('Data Structure', prompts.taskStructure),
    section('Available Task Types', parts.taskTypes),
    section('Available Commands', commands === '' ? '' : `${prompts.commandsIntroduction}\n${commands}`),
    section('Example', parts.example),
    section('Instruction', `${parts.instruction.trim()}\n${prompts.untrustedNote}`),
    section('Reply Format', fill(format, { name: parts.name, exclusive: exclusive.join(', ') || 'none' })),
  );
}

/** Text before the system prompt, or a function that returns the whole from what it would be. */
export type SystemText = string | ((standard: string) => string);

/** Returns a system prompt with the text of the application. */
export function withSystem(system: SystemText | undefined, standard: string): string {
  return typeof system === 'function' ? system(standard) : sections(system ?? '', standard);
}
