import type { ShellLine } from './app-state.js';
import type { ConversationView } from 'rolezero/element';

/** The agent's commands in a conversation, and their order among the user's own. */
export function shellLines(
  entries: ConversationView['entries'],
  known: readonly ShellLine[] = [],
): ShellLine[] {
  const agents = entries.flatMap((entry) =>
    entry.kind === 'step'
      ? entry.commands
          .filter(({ name, state }) => name === 'Terminal.run_command' && state !== 'waiting')
          .map((command): ShellLine => {
            return {
              by: 'agent',
              command: typeof command.args['cmd'] === 'string' ? command.args['cmd'] : '',
              output: readable(command.output),
              running: command.state === 'running',
            };
          })
      : [],
  );
  let next = 0;
  const lines = known.map((line) => (line.by === 'agent' ? (agents[next++] ?? line) : line));
  return [...lines, ...agents.slice(next)];
}

/** An observation of the Terminal without the parts for the model. */
export function readable(observation: string): string {
  return observation
    .replace(/^\s*\[command\]:[^\n]*\n/, '')
    .replace(/^\s*\[command output\]\s*:[ \t]*/, '')
    .replace(/\s*\(pay attention to this\.\)\s*$/, '')
    .trimEnd();
}
