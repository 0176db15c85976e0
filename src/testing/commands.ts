import type { JsonValue } from '../core/json.js';
import { formatCommands } from '../agent/commands/format-commands.js';

/** Formats a reply as a model would write it: a short thought and one fenced array of commands. */
export function commands(
  ...list: readonly (readonly [name: string, args: Record<string, JsonValue>])[]
): string {
  const names = list.map(([name]) => name).join(', ');
  return `I will run ${names || 'nothing'}.\n${formatCommands(list.map(([name, args]) => ({ name, args })))}`;
}
