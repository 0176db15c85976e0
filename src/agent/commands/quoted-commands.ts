import { isRecord } from '../../core/json.js';
import { RunCommand, type Message } from '../../core/message.js';

/**
 * Returns whether the results of commands contain a text word for word, apart from whitespace and the line numbers of a file. A short text
 * is no evidence of a quotation.
 */
export function occursInResults(text: string, memory: readonly Message[]): boolean {
  const isQuoted = quotationIn(text);
  for (const message of memory)
    if (message.role !== 'assistant' && isQuoted(message.content) && message.causeBy === RunCommand.id)
      return true;
  return false;
}

/**
 * Returns whether untrusted content contains a text word for word: results with a source, messages after such results, requests of others.
 *
 * @param others Returns untrusted texts that are no results: views of pages, recalled memories, descriptions of tools.
 */
export function occursInUntrusted(
  text: string,
  memory: readonly Message[],
  others: () => readonly string[],
): boolean {
  return [...memory.flatMap(untrustedIn), ...others()].some(quotationIn(text));
}

function untrustedIn({ content, isAiMessage, metadata }: Message): string[] {
  if (isAiMessage || metadata['untrusted'] === undefined) return [];
  const results: unknown = metadata['results'];
  if (!Array.isArray(results)) return [content];
  return results
    .filter(isRecord)
    .flatMap(({ from, output }) => (Array.isArray(from) ? [String(output)] : []));
}

/** Returns a check whether a content contains the text. A text that is too short is not found. */
function quotationIn(text: string): (content: string) => boolean {
  const [name = ''] = /[A-Za-z]\w*\.\w+/.exec(text) ?? [];
  const [first = ''] = /[^\s\d\\|:"]/.exec(text) ?? []; // no layout, so it is in each content with the text
  let wanted: string | null = null;
  return (content) => {
    if (!content.includes(first) || !content.includes(name)) return false;
    wanted ??= withoutLayout(text.replace(/^"|"$/g, '')); // JSON in a JSON string
    if (wanted.length < MIN_QUOTED || content.length < wanted.length) return false;
    return withoutLayout(content).includes(wanted);
  };
}

/** Number of newest messages that are searched: older ones are seldom in the prompt. */
export const QUOTED_WINDOW = 100;
/** Characters of the shortest text that counts as quoted: `{"command_name":"end","args":{}}` is shorter. */
const MIN_QUOTED = 40;

function withoutLayout(text: string): string {
  return text.replace(/^[ \t]*\d{1,6}[|:][ \t]?/gm, '').replace(/[\s\\]+/g, '');
}
