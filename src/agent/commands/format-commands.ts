import type { Command } from '../../core/human.js';
import { NOT_RUN } from '../runtime/turn.js';

/** Drops everything after the first exclusive command if a reply has more than one of them. */
export function keepFirstExclusive(
  commands: Command[],
  isExclusive: (name: string) => boolean,
): { commands: Command[]; dropped: Command[] } {
  const [first, second] = commands.flatMap(({ name }, index) => (isExclusive(name) ? [index] : []));
  const accepted = first === undefined || second === undefined ? commands : commands.slice(0, first + 1);
  return { commands: accepted, dropped: commands.slice(accepted.length) };
}

/** Drops what follows commands that only read, because it was written without their results. Several of them in a row may run. */
export function keepUntilRead(
  commands: Command[],
  isRead: (command: Command) => boolean,
): { commands: Command[]; dropped: Command[] } {
  const first = commands.findIndex(isRead);
  const next = commands.findIndex((command, index) => index > first && !isRead(command));
  const end = first < 0 || next < 0 ? commands.length : next;
  return { commands: commands.slice(0, end), dropped: commands.slice(end) };
}

/** Maximum number of commands that are named, and maximum characters of a path that is named with one. */
const MAX_NAMED = 10;
const MAX_PATH = 100;

/** Why commands wait for the result of another one. The same list is no repetition when none of it has to wait any more. */
export const SEEN_FIRST = 'must be seen first';

/** Names commands of a reply that are not run, for the model. */
export function notRun(commands: readonly Command[], reason: string): string {
  const names = commands.slice(0, MAX_NAMED).map(nameWithPath);
  if (commands.length > MAX_NAMED) names.push(`${commands.length - MAX_NAMED} more`);
  return `${NOT_RUN}${names.join(', ')}, because ${reason}. Give them again if they are still right.`;
}

/** Names a command of a reply that is not wanted, for the model. */
export function notWanted(command: Command, reason: string): string {
  return `Left out: ${nameWithPath(command)}, because ${reason}.`;
}

function nameWithPath({ name, args: { path } }: Command): string {
  return typeof path === 'string' && path.length <= MAX_PATH ? `${name} of ${JSON.stringify(path)}` : name;
}

/** Says to the model how many commands to the user were left out, because its reply has them already. They are not wanted again. */
export function leftOut(count: number): string {
  return `Of the same commands to the user in one list, only the first was run; ${count === 1 ? 'one is' : `${count} are`} left out.`;
}

/** Formats commands as a model should write them: a fenced list, indented by four, with non-ASCII characters as they are. */
export function formatCommands(commands: Command[]): string {
  const list = commands.map(({ name, args }) => ({ command_name: name, args }));
  return `\`\`\`json\n${JSON.stringify(list, null, 4)}\n\`\`\``;
}
