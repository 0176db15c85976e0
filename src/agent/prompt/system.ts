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

/** What a role is described by. */
interface RoleDescription {
  name: string;
  profile: string;
  goal: string;
  constraints: string;
  /** Replaces the other parts. */
  description: string;
}

/** The team that a role works in. */
interface Team {
  description: string;
  members: readonly { name: string }[];
}

/** Returns one line that describes a role; the same in every step. */
export function rolePrefix(role: RoleDescription, team: Team | null): string {
  if (role.description !== '') return role.description;
  const constraints = role.constraints === '' ? '' : ` Your constraint is: ${role.constraints}.`;
  const others = (team?.members ?? []).map(({ name }) => name).filter((name) => name !== role.name);
  const among = others.length === 0 ? '' : ` together with the roles (${others.join(', ')})`;
  const environment = team?.description ?? '';
  const place = environment === '' ? '' : ` You are in ${environment}${among}.`;
  return `You are a ${role.profile || 'role'}, named ${role.name}, your goal is ${role.goal || 'to do what is asked of you'}.${constraints}${place}`;
}
