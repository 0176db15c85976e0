import { isRecord } from '../../core/json.js';
import { RunCommand, type Message } from '../../core/message.js';

/**
 * Returns whether the results of commands contain a text word for word, apart from whitespace and the line numbers of a file. A short text
 * is no evidence of a quotation.
 */
export function occursInResults(text: string, memory: readonly Message[]): boolean {
  const quotation = quotationIn(text);
  if (quotation === null) return false;
  for (const message of memory) {
    const { content, role } = message;
    if (content.length < quotation.minLength || role === 'assistant') continue;
    if (message.causeBy === RunCommand.id && quotation.isIn(content)) return true;
  }
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
  const quotation = quotationIn(text);
  return quotation !== null && [...memory.flatMap(untrustedIn), ...others()].some(quotation.isIn);
}

function untrustedIn({ content, isAiMessage, metadata }: Message): string[] {
  if (isAiMessage || metadata['untrusted'] === undefined) return [];
  const results: unknown = metadata['results'];
  if (!Array.isArray(results)) return [content];
  return results
    .filter(isRecord)
    .flatMap(({ from, output }) => (Array.isArray(from) ? [String(output)] : []));
}

/** What is looked for in contents. */
interface Quotation {
  /** Characters of the shortest content that can contain it. */
  minLength: number;
  isIn: (content: string) => boolean;
}

/** Returns how to find a text in contents; null for a text that is too short. */
function quotationIn(text: string): Quotation | null {
  const wanted = withoutLayout(text.replace(/^"|"$/g, '')); // JSON in a JSON string
  if (wanted.length < MIN_QUOTED) return null;
  const [name = ''] = /[A-Za-z]\w*\.\w+/.exec(text) ?? [];
  return {
    minLength: wanted.length,
    isIn: (content) => content.includes(name) && withoutLayout(content).includes(wanted),
  };
}

/** Number of newest messages that are searched: older ones are seldom in the prompt. */
export const QUOTED_WINDOW = 100;
/** Characters of the shortest text that counts as quoted: `{"command_name":"end","args":{}}` is shorter. */
const MIN_QUOTED = 40;

function withoutLayout(text: string): string {
  return text.replace(/^[ \t]*\d{1,6}[|:][ \t]?/gm, '').replace(/[\s\\]+/g, '');
}
