import type { Command } from '../../core/human.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import type { ToolCall } from '../../core/model.js';
import { parseCommands, type ParsedReply } from './commands.js';
import { LIMITS } from './limits.js';

/**
 * Reads the native calls of a reply, of which only the arguments may be damaged. `nameOf` returns the command that a name means; an
 * unknown name stays, so that the model learns about it.
 */
export function readCalls(
  calls: readonly ToolCall[],
  nameOf: (name: string) => string,
): Extract<ParsedReply, { ok: true }> {
  const commands: Command[] = [];
  const incomplete: Command[] = [];
  for (const { name, args } of calls) {
    const read = readArguments(args);
    const command = { name: nameOf(name), args: read.args };
    commands.push(command);
    if (!read.isComplete) incomplete.push(command);
  }
  return {
    ok: true,
    commands: commands.slice(0, LIMITS.commands),
    repaired: true, // as text, the reply is the list of its commands
    incomplete,
    ...(commands.length > LIMITS.commands && { excess: commands.slice(LIMITS.commands) }),
  };
}

/** Reads arguments: an object, one in a string, or JSON with mistakes. */
function readArguments(written: string): { args: Record<string, JsonValue>; isComplete: boolean } {
  if (written.trim() === '') return { args: {}, isComplete: true };
  const value = valueOf(written);
  const inner = typeof value === 'string' ? valueOf(value) : value;
  if (isRecord(inner)) return { args: inner as Record<string, JsonValue>, isComplete: true };
  if (inner === null) return { args: {}, isComplete: true };
  const parsed = parseCommands(`[{"command_name": "end", "args": ${written}}]`);
  const [command, ...more] = parsed.ok ? parsed.commands : [];
  if (!parsed.ok || command === undefined || more.length > 0) return { args: {}, isComplete: false };
  return { args: command.args, isComplete: !parsed.incomplete?.includes(command) && !parsed.endsInName };
}

/** Returns the value of JSON; undefined when it is not valid. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
