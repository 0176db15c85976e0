import { RunCommand, type Message } from '../../core/message.js';

/**
 * Returns whether the results of commands contain a text word for word, apart from whitespace and the line numbers of a file. A short text
 * is no evidence of a quotation.
 */
export function occursInResults(text: string, memory: readonly Message[]): boolean {
  const wanted = withoutLayout(text.replace(/^"|"$/g, '')); // JSON in a JSON string
  if (wanted.length < MIN_QUOTED) return false;
  const [name = ''] = /[A-Za-z]\w*\.\w+/.exec(text) ?? [];
  return memory.some(
    ({ content, causeBy, isAiMessage }) =>
      causeBy === RunCommand.id &&
      !isAiMessage &&
      content.includes(name) &&
      withoutLayout(content).includes(wanted),
  );
}

/** Number of newest messages that are searched: older ones are seldom in the prompt. */
export const QUOTED_WINDOW = 100;
/** Characters of the shortest text that counts as quoted: `{"command_name":"end","args":{}}` is shorter. */
const MIN_QUOTED = 40;

function withoutLayout(text: string): string {
  return text.replace(/^[ \t]*\d{1,6}[|:][ \t]?/gm, '').replace(/[\s\\]+/g, '');
}
