/**
 * Finds the user's words in what a command sends. Words are private data of which only quotations are recognized: a request names what to
 * look for, so that not every search after it can need an approval.
 */
import { isRecord } from '../../core/json.js';
import { commandsIn, resultsIn, UserRequirement, type Message } from '../../core/message.js';
import { ASK_HUMAN } from '../../core/role-command-names.js';
import { requestOf, wordsOfOthers } from './addresses.js';

/** A quotation has at least this many characters. */
const MIN_QUOTED_WORD = 8;

/**
 * Returns a part of the arguments that quotes private words; null for none. Differences of case and spaces do not hide it, nor
 * does the punctuation in numbers and codes.
 *
 * @param words What the user or the application wrote.
 * @param known What the receiver may know already, such as the same words in an earlier call.
 */
export function quotedWords(
  args: unknown,
  words: readonly string[],
  known: readonly string[],
): string | null {
  const sent = textsIn(args);
  return quoted(sent, words, known, spaced) ?? quoted(sent, words, known, lettersAndDigits, /\d/u);
}

/** Returns what the user wrote, in requests and in answers, and what other roles passed on of it before they read untrusted content. */
export function wordsOfUser(memory: readonly Message[]): string[] {
  return memory.flatMap((message) => {
    const results = commandResultsIn(message);
    if (results !== null) return results.filter(isUserAnswer).map(({ output }) => String(output));
    if (message.causeBy === UserRequirement.id) return requestOf(message);
    return message.isAiMessage || message.metadata['untrusted'] !== undefined ? [] : [message.content];
  });
}

/** Returns what untrusted content says, which is known outside of the session. */
export function wordsOfUntrusted(memory: readonly Message[]): string[] {
  return memory.flatMap((message) =>
    (commandResultsIn(message) ?? []).filter((result) => !isUserAnswer(result)).map(wordsOfOthers),
  );
}

/** A command with its result. */
interface Ran {
  name: string;
  args: unknown;
  ok: boolean;
}

/**
 * Returns what a role has sent with some tools.
 *
 * @param current The commands of the current step, which are not in memory yet.
 */
export function textsSentWith(
  isOne: (tool: string) => boolean,
  memory: readonly Message[],
  current: readonly Ran[] = [],
): string[] {
  let commands: Record<string, unknown>[] = [];
  const ran = memory.flatMap((message): Ran[] => {
    if (message.isAiMessage) {
      commands = commandsIn(message);
      return [];
    }
    return (commandResultsIn(message) ?? []).map(({ name, ok }, index) => ({
      name: String(name),
      ok: ok === true,
      args: commands[index]?.['args'],
    }));
  });
  return [...ran, ...current]
    .filter(({ name, ok }) => ok && isOne(name))
    .map(({ args }) => JSON.stringify(args ?? ''));
}

function commandResultsIn(message: Message): Record<string, unknown>[] | null {
  return message.isAiMessage ? null : resultsIn(message);
}

function isUserAnswer({ name }: Record<string, unknown>): boolean {
  return name === ASK_HUMAN;
}

function quoted(
  sent: readonly string[],
  words: readonly string[],
  known: readonly string[],
  form: (text: string) => string,
  contained = /(?:)/u,
): string | null {
  const parts = new Set(sent.flatMap((text) => partsOf(form(text))).filter((part) => contained.test(part)));
  if (parts.size === 0) return null;
  const texts = words.map(form);
  const found = texts.flatMap(partsOf).filter((part) => parts.has(part));
  if (found.length === 0) return null;
  for (const text of known) for (const part of partsOf(form(text))) parts.delete(part);
  const part = found.find((each) => parts.has(each));
  return part === undefined ? null : wholeQuotation(part, sent.map(form), texts);
}

/** Returns all parts of a text with `MIN_QUOTED_WORD` characters that neither begin nor end with a space. */
function partsOf(text: string): string[] {
  const count = Math.max(0, text.length - MIN_QUOTED_WORD + 1);
  const parts = Array.from({ length: count }, (_, at) => text.slice(at, at + MIN_QUOTED_WORD));
  return parts.filter((part) => part.trim() === part);
}

/** Extends a quotation as far as both texts agree. */
function wholeQuotation(part: string, sent: readonly string[], words: readonly string[]): string {
  const one = sent.find((text) => text.includes(part)) ?? part;
  const other = words.find((text) => text.includes(part)) ?? part;
  let [start, from] = [one.indexOf(part), other.indexOf(part)];
  let length = part.length;
  while (start > 0 && from > 0 && one[start - 1] === other[from - 1]) {
    start -= 1;
    from -= 1;
    length += 1;
  }
  while (start + length < one.length && one[start + length] === other[from + length]) length += 1;
  return one.slice(start, start + length).trim();
}

function spaced(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns the texts in a value, with those that are encoded for addresses also decoded. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return decoded(value);
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (Array.isArray(value)) return [...value.flatMap(textsIn), value.filter(isText).join('')];
  return isRecord(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function decoded(text: string): string[] {
  const plain = text.replaceAll('+', ' ').replaceAll(/(?:%[\da-f]{2})+/giu, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
  return plain === text ? [text] : [text, plain];
}
