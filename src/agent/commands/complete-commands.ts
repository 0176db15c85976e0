import type { Command } from '../../core/human.js';
import type { ToolRegistry } from '../../tools/registry.js';
import type { ParsedReply } from '../parse/commands.js';

/** Characters of the end of an incomplete argument that the model receives. */
const SHOWN = 60;

/** Commands that may run, and advice about the first one that is incomplete; null when none is. */
export interface CompleteCommands {
  commands: readonly Command[];
  advice: string | null;
}

/**
 * Returns the commands before the first one of which a part is missing: half a file or half a shell command must not take effect. Reads
 * that are incomplete, and `end`, may run.
 */
export function completeCommands(
  { commands, incomplete = [], endsInName }: Extract<ParsedReply, { ok: true }>,
  registry: ToolRegistry,
): CompleteCommands {
  const mayRun = ({ name }: Command) => name === 'end' || registry.get(name)?.effect === 'pure';
  const first = commands.findIndex((command) => incomplete.includes(command) && !mayRun(command));
  const command = commands[first];
  if (command === undefined) return { commands, advice: endsInName ? UNNAMED : null };
  const left = commands.length - first - 1;
  const after = left === 0 ? '' : ` The commands after it were not run, either (${left}).`;
  return { commands: commands.slice(0, first), advice: describeIncomplete(command) + after };
}

const UNNAMED = 'Your reply ended in another command, of which not even the name arrived.';

function describeIncomplete({ name, args }: Command): string {
  const [argument, value] = Object.entries(args).at(-1) ?? [];
  if (argument === undefined) return `${name} is incomplete: it has no arguments. It was not run.`;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const end = text.length > SHOWN ? `…${text.slice(-SHOWN)}` : text;
  const arrived = `of its argument "${argument}", ${text.length.toLocaleString('en-US')} characters arrived, which end with ${JSON.stringify(end)}`;
  return `${name} is incomplete: ${arrived}. It was not run.`;
}
