import type { Command } from '../../core/human.js';

/** Drops everything after the first exclusive command if a reply has more than one of them. */
export function keepFirstExclusive(
  commands: Command[],
  isExclusive: (name: string) => boolean,
): { commands: Command[]; cut: boolean } {
  const [first, second] = commands.flatMap(({ name }, index) => (isExclusive(name) ? [index] : []));
  const accepted = first === undefined || second === undefined ? commands : commands.slice(0, first + 1);
  return { commands: accepted, cut: accepted.length < commands.length };
}

/** Formats commands as a model should write them: a fenced list, indented by four, with non-ASCII characters as they are. */
export function formatCommands(commands: Command[]): string {
  const list = commands.map(({ name, args }) => ({ command_name: name, args }));
  return `\`\`\`json\n${JSON.stringify(list, null, 4)}\n\`\`\``;
}
