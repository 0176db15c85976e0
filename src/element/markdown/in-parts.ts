/** Characters from which on the next safe place ends a part. */
const ENOUGH = 2_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line that can belong to what is before a blank line: of a list or a quotation, or indented. */
const CONTINUES = /^(?:[ \t]|[-*+>]|\d{1,9}[.)])/;
/** The address of links elsewhere in the text. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,999}\]:/m;

/**
 * Splits Markdown into parts that mean the same when each is parsed alone: after a blank line, outside of code, lists, and quotations. In
 * WebKit, parsing takes time quadratic in the length of a text.
 */
export function inParts(text: string): string[] {
  if (DEFINITION.test(text)) return [text];
  const parts: string[] = [];
  let part = '';
  let fence: string | null = null;
  let isAfterBlank = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, mark] = FENCE.exec(line) ?? [];
    const isBlank = line.trim() === '';
    const isSafe = fence === null && isAfterBlank && !isBlank && !CONTINUES.test(line);
    if (isSafe && part !== '' && (part.length >= ENOUGH || mark !== undefined)) {
      parts.push(part);
      part = '';
    }
    part += line;
    if (fence === null) fence = mark ?? null;
    else if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = null;
    isAfterBlank = isBlank;
  }
  return part === '' ? parts : [...parts, part];
}

/** Returns whether a part is code from its first to its last line. */
export function isCode(part: string): boolean {
  return FENCE.test(part);
}
