import type { AgentEvent } from '../../core/events.js';
import type { ChatRequest, Purpose } from '../../core/model.js';

/** A text at the end of another one that consists of one unit, again and again. */
export interface RepeatedText {
  /** Where it begins. */
  start: number;
  /** The unit, or what lines begin with that are nearly equal. */
  unit: string;
  times: number;
  /** Where a stopped reply is cut, if not after two units. */
  end?: number;
}

/** How much repetition is no longer meant: so many units, and so many characters in all. */
interface RepetitionLimit {
  times: number;
  characters: number;
}

/** Words before commands have no reason to repeat themselves. */
const OF_WORDS: RepetitionLimit = { times: 5, characters: 300 };
/** Calls that are each in a code block of their own, with words between them: a list of commands has none. */
const OF_BLOCKS: RepetitionLimit = { times: 5, characters: 300 };
/** Files have rows, lists have items, games press keys: only what no user would want. */
const OF_REPLY: RepetitionLimit = { times: 10, characters: 6_000 };
/** Equal lines, sentences, and runs of symbols that a small model writes into a file, unless the user wants them: it has no other end, and is often slow. */
const OF_PROSE: RepetitionLimit = { times: 8, characters: 300 };
/** Lines of a small model that differ only in their last words: at most so many, and so many of those for which the reply before was stopped. */
const MAX_ALIKE = 11;
const MAX_ALIKE_AGAIN = 2;
/** Words and characters with which such lines begin, at least. */
const MIN_ALIKE_WORDS = 6;
const MIN_ALIKE_LENGTH = 30;
/** What the reply before was stopped for. */
const AGAIN: RepetitionLimit = { times: 2, characters: 60 };
/** Characters of the longest unit that is looked for at the end of the reply before. */
const MAX_UNIT = 2_000;
/** Characters of whitespace at the end of a reply, and line breaks among them. No text of a user needs more in one run. */
const MAX_BLANKS = 500;
const MAX_BREAKS = 40;
/** Characters of the end of a text that is compared, and of its last part, which is searched before it. */
const MAX_END = 20_000;
const SEARCHED = 40;
/** Characters of the shortest unit. */
const MIN_UNIT = 20;
/** How often a shorter line with words must be there. */
const MANY_TIMES = 100;
/** Characters between two searches. */
const INTERVAL = 100;

/**
 * Finds replies that repeat themselves without end, while they stream in. Repeated words are what the user asked for when the request
 * contains them.
 */
export class RepetitionWatch {
  #words = '';
  #reply = '';
  #searched = 0;

  /**
   * @param isAsked returns whether the request contains a text
   * @param hasWords the words of the reply are a thought before commands, or a message
   * @param isSmall the model has few parameters
   * @param earlier the unit that the reply before was stopped for; null for none
   */
  constructor(
    private readonly isAsked: (text: string) => boolean,
    private readonly hasWords: boolean,
    private readonly isSmall = false,
    private readonly earlier: string | null = null,
  ) {}

  /** Adds a chunk, with the words in it. Returns the repetition at the end of the reply; null for none. */
  push(text: string, words: string): RepeatedText | null {
    this.#reply += text;
    this.#words += words;
    if (this.#reply.length - this.#searched < INTERVAL) return null;
    this.#searched = this.#reply.length;
    const blanks = blanksAtEnd(this.#reply);
    if (blanks !== null) return blanks;
    const found =
      this.#repeatedAgain() ??
      repetitionAtEnd(this.#reply, OF_REPLY) ??
      repetitionAtEnd(this.#reply, OF_BLOCKS, isNoBlock) ??
      this.#repeatedProse() ??
      this.#linesAlike();
    if (found !== null || !this.hasWords) return found;
    const inWords = repetitionAtEnd(this.#words, OF_WORDS);
    if (inWords === null || this.isAsked(inWords.unit.trim())) return null;
    return repetitionAtEnd(this.#reply, OF_WORDS);
  }

  #repeatedAgain(): RepeatedText | null {
    const { earlier } = this;
    if (earlier === null) return null;
    const twice = earlier + earlier; // the unit may begin elsewhere now
    return repetitionAtEnd(this.#reply, AGAIN, (unit) => !twice.includes(unit));
  }

  #repeatedProse(): RepeatedText | null {
    if (!this.isSmall) return null;
    const found = repetitionAtEnd(this.#reply, OF_PROSE, isNoProse);
    if (found === null || isOfSymbols(found.unit)) return found; // a request may contain a single symbol
    return this.isAsked(longestLine(found.unit)) ? null : found;
  }

  #linesAlike(): RepeatedText | null {
    if (!this.isSmall) return null;
    const found = linesAlikeAtEnd(this.#reply);
    if (found === null) return null;
    // The newest message quotes what was stopped, so it looks as if it was asked for.
    if (this.earlier !== null && found.unit.startsWith(this.earlier))
      return found.times > MAX_ALIKE_AGAIN ? found : null;
    return found.times > MAX_ALIKE && !this.isAsked(found.unit.trim()) ? found : null;
  }
}

/** A line without the sign of a list, and where that text begins. */
interface Line {
  start: number;
  text: string;
}

/** Returns the lines of a text, also between line breaks that JSON escapes, without blank ones. */
function linesOf(text: string, offset = 0): Line[] {
  let at = offset;
  const lines = text.split(/(\n|\\n)/u).map((part) => {
    const sign = /^\s*(?:[-*+•]\s+|\d+[.)]\s+)?/u.exec(part)?.[0].length ?? 0;
    const line = { start: at + sign, text: part.slice(sign) };
    at += part.length;
    return line;
  });
  return lines.filter((line, index) => index % 2 === 0 && line.text !== '');
}

/**
 * Returns the lines of words at the end of a text that differ only in their last words; null for one alone. A model with 1.5 billion parameters
 * went on from "water once per day" to "water once per quintillion years".
 */
function linesAlikeAtEnd(text: string): RepeatedText | null {
  const end = text.slice(-MAX_END);
  const lines = linesOf(end, text.length - end.length).slice(0, -1); // the last one is not complete
  let unit = lines.at(-1)?.text ?? '';
  let first = lines.length - 1;
  for (; first > 0; first--) {
    const shared = sharedBeginning(lines[first - 1]?.text ?? '', unit);
    if (!isOfWords(shared)) break;
    unit = shared;
  }
  const [{ start } = { start: 0 }, second] = lines.slice(first);
  if (second === undefined) return null;
  return { start, unit, times: lines.length - first, end: second.start + unit.length };
}

/** Returns the whole words with which two lines begin. */
function sharedBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length).replace(/[\p{Script=Latin}\p{N}]+$/u, '');
}

/** Returns whether the beginning of a line has many words, and no sign of code, markup, or a table. */
function isOfWords(beginning: string): boolean {
  const words = beginning.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu)?.length ?? 0;
  return words >= MIN_ALIKE_WORDS && width(beginning) >= MIN_ALIKE_LENGTH && !CODE.test(beginning);
}

/** Returns blanks at the end of a text without an end: an engine that allows nothing else, and no end. */
function blanksAtEnd(text: string): RepeatedText | null {
  const end = text.slice(-MAX_BLANKS);
  const blanks = end.slice(end.trimEnd().length);
  if (blanks.length < MAX_BLANKS && blanks.split('\n').length <= MAX_BREAKS) return null;
  const start = text.trimEnd().length;
  return { start, unit: text.slice(start, start + 1), times: text.length - start };
}

/** Returns the repetition at the end of a text; null for no repetition, less than the limit, or a unit that may be repeated. */
function repetitionAtEnd(
  text: string,
  { times: least, characters }: RepetitionLimit,
  isAllowed: (unit: string, times: number) => boolean = isTrivial,
): RepeatedText | null {
  const end = text.slice(-MAX_END);
  const before = end.lastIndexOf(end.slice(-SEARCHED), end.length - SEARCHED - 1);
  if (before < 0 || end.length < characters) return null;
  const period = end.length - SEARCHED - before;
  let start = end.length - period;
  while (start > 0 && end.charCodeAt(start - 1) === end.charCodeAt(start - 1 + period)) start -= 1;
  const length = end.length - start;
  const times = Math.floor(length / period);
  const unit = end.slice(start, start + period);
  if (times < least || length < characters || isAllowed(unit, times)) return null;
  return { start: text.length - length, unit, times };
}

/**
 * Returns whether a unit is no line of words: a rule of dashes, closing braces, the name of a command. A short line with words counts when there are
 * very many: a model filled a shopping list with one entry.
 */
function isTrivial(unit: string, times: number): boolean {
  if (width(unit) >= MIN_UNIT) return false;
  const isLineOfWords = /\p{L}{2,} \p{L}{2,}/u.test(unit + unit) && /\n|\\n/.test(unit + unit);
  return times < MANY_TIMES || !isLineOfWords;
}

/** Returns the length of a text in which ideographs count three times. */
function width(text: string): number {
  return text.replace(/[\u3000-\u9fff\uac00-\ud7af]/g, 'xxx').length;
}

/** Returns whether a unit is of symbols in one line, such as asterisks. A line break that JSON escapes has a letter. */
function isOfSymbols(unit: string): boolean {
  return !/[\p{L}\p{N}\n]/u.test(unit);
}

/**
 * Returns whether a unit is neither of whole lines or sentences of words nor of symbols: it has characters of code, markup, or tables, or a single
 * word.
 */
function isNoProse(unit: string): boolean {
  if (isOfSymbols(unit)) return false;
  const twice = unit + unit; // it may begin in the middle of a line
  const hasWords = /\p{L}{2,}(?: |\n|\\n)\p{L}{2,}|\p{Script=Han}{4,}/u.test(twice);
  return !hasWords || !/\n|\\n|[.!?。！？]\s/u.test(twice) || CODE.test(unit);
}

/** A sign of code, markup, or a table. */
const CODE = /[<>{}()[\]=;|"#]/u;

/** Returns whether a unit has no code block with a call. Quotation marks in the content of a file are escaped. */
function isNoBlock(unit: string): boolean {
  return !/```/u.test(unit) || !/(?<!\\)"(?:args|arguments)"\s*:/u.test(unit);
}

/** Returns the longest line of a unit, also between line breaks that JSON escapes: a request would have it so. */
function longestLine(unit: string): string {
  const parts = unit.split(/\n|\\n/u).map((part) => part.trim());
  return parts.toSorted((one, other) => other.length - one.length)[0] ?? '';
}

/** Purposes whose words are a thought or a message, and not the content of a file or an answer. */
const PURPOSES_OF_WORDS: ReadonlySet<Purpose> = new Set<Purpose>([
  'think',
  'regenerate',
  'report',
  'summary',
]);
/** Newest messages in which the request of the user is looked for. */
const NEWEST_MESSAGES = 4;
/** Maximum characters of a repeated text in its warning. */
const MAX_QUOTE = 100;

/** Watches the reply to a request. What the user asks for may be repetitive. `earlier` is the unit that the reply before was stopped for. */
export function watchReply(
  { purpose, messages }: ChatRequest,
  isSmall: boolean,
  earlier: string | null,
): RepetitionWatch {
  const isAsked = (text: string): boolean =>
    messages
      .slice(-NEWEST_MESSAGES)
      .some(({ role, content }) => role === 'user' && readText(content).includes(text));
  return new RepetitionWatch(isAsked, PURPOSES_OF_WORDS.has(purpose), isSmall, earlier);
}

/** Returns where a stopped reply is cut: after two repetitions, or as many as show what it repeats. */
export function endToShow({ start, unit, end }: RepeatedText): number {
  const length = Math.ceil(MIN_UNIT / unit.length) * unit.length;
  return end ?? start + 2 * length;
}

/** Returns the unit that a reply was stopped for: it ends with it twice, or with two lines that begin with it. Null for another end. */
export function unitAtEnd(text: string): string | null {
  const last = text.length - 1;
  for (let length = MIN_UNIT; length <= Math.min(MAX_UNIT, text.length / 2); length += 1) {
    if (text.charCodeAt(last - length) !== text.charCodeAt(last)) continue; // the end of the unit before
    const unit = text.slice(-length);
    if (text.endsWith(unit, text.length - length)) return unit;
  }
  const end = text.slice(-MAX_UNIT);
  if (!isOfWords(end.slice(Math.max(end.lastIndexOf('\n'), end.lastIndexOf('\\n'))))) return null;
  const [before, line] = linesOf(end).slice(-2);
  return line !== undefined && before?.text.startsWith(line.text) ? line.text : null;
}

/** Returns the warning about a reply that was stopped. */
export function stoppedReply(
  role: string,
  purpose: Purpose,
  { unit, times }: RepeatedText,
): AgentEvent<'warning'> {
  const quote = unit.trim().slice(0, MAX_QUOTE);
  const what = quote === '' ? 'blanks' : JSON.stringify(quote);
  return {
    type: 'warning',
    code: 'model-request',
    message: `A reply was stopped, because it repeated ${what} ${times} times.`,
    detail: { role, purpose, times },
  };
}

function readText(content: ChatRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
