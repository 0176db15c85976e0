/** Characters of a part from which on it is too long to parse. */
export const MAX_PARSED_CHARACTERS = 20_000;
/** Characters from which on the next safe place ends a part. */
const ENOUGH = 2_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line that can belong to what is before a blank line: of a list or a quotation, or indented. */
const CONTINUES = /^(?:[ \t]|[-*+>]|\d{1,9}[.)])/;
/** The address of links elsewhere in the text. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,999}\]:/m;

/**
 * Splits Markdown into parts that mean the same when each is parsed alone: after a blank line, outside of code, lists, and quotations, and
 * after each block of code. Only in a short text can links be named elsewhere. In WebKit, parsing takes time quadratic in the length of a text.
 */
export function inParts(text: string): string[] {
  if (text.length <= MAX_PARSED_CHARACTERS && DEFINITION.test(text)) return [text];
  const parts: string[] = [];
  let part = '';
  let fence: string | null = null;
  let isAfterBlock = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, mark] = FENCE.exec(line) ?? [];
    const isBlank = line.trim() === '';
    const isSafe = fence === null && isAfterBlock && !isBlank && (isCode(part) || !CONTINUES.test(line));
    if (isSafe && part !== '' && (part.length >= ENOUGH || isCode(part) || mark !== undefined)) {
      parts.push(part);
      part = '';
    }
    part += line;
    const isEnd = fence !== null && mark !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (isEnd) fence = null;
    else fence ??= mark ?? null;
    isAfterBlock = isBlank || (isEnd && isCode(part));
  }
  return part === '' ? parts : [...parts, part];
}

/** Returns whether a part is code from its first to its last line. */
export function isCode(part: string): boolean {
  return FENCE.test(part);
}
