import { isRecord } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import { isEnveloped } from '../../core/envelope.js';

/** Unread messages for the model: whole, and with observations folded to one line per command, for when room is needed. */
export interface News {
  whole: string[];
  folded: string[];
}

/** Characters of a failed command's observation that remain when it is folded: it begins with the reason. */
const MAX_FAILURE_OUTPUT = 200;

/** Composes the unread messages, and results of commands that are not in memory yet. */
export function newsOf(messages: readonly Message[], results: readonly { output: string }[]): News {
  const whole = messages.map((message) =>
    message.isAiMessage && !isEnveloped(message.content)
      ? `[Message] from ${message.agent || message.sentFrom}: ${message.content}`
      : message.content,
  );
  const folded = messages.map((message, index) => foldObservation(message) ?? whole[index] ?? '');
  const current = results.map((result) => result.output);
  return { whole: [...whole, ...current], folded: [...folded, ...current] };
}

/** Returns one line per command; null when the message is not an observation. */
function foldObservation(message: Message): string | null {
  const results: unknown = message.metadata['results'];
  if (!Array.isArray(results)) return null;
  const lines = (results as unknown[])
    .filter(isRecord)
    .map(({ name, ok, output }) =>
      ok === true ? `Command ${String(name)} executed.` : String(output).slice(0, MAX_FAILURE_OUTPUT),
    );
  return lines.join('\n');
}
