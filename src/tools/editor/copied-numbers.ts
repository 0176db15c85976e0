/** The start of a line as the editor shows it. */
const NUMBERED = /^(\d{3,})\|/;

/** What the model learns about numbers that were left out. */
export const WITHOUT_NUMBERS = ' The line numbers that were copied from the view were left out.';

/**
 * Returns content without the line numbers that a model has copied with the lines of a file: when each line has one, they count on, and half
 * of the lines are in one of the files without them. A single line must have the number that it has there.
 *
 * @param sources the texts from which the lines may be
 */
export function withoutCopiedNumbers(content: string, sources: readonly string[]): string {
  const copied = readCopiedLines(content);
  if (copied === null) return content;
  const plain = completeLinesOf(copied.text).map((line) => line.trimEnd());
  const isCopied = sources.some((source) => {
    const lines = source.split('\n').map((line) => line.trimEnd());
    if (plain.length === 1) return plain[0] !== '' && lines[copied.first - 1] === plain[0];
    const known = new Set(lines);
    return plain.filter((line) => known.has(line)).length * 2 >= plain.length;
  });
  return isCopied ? copied.text : content;
}

/**
 * Returns content for the end of a file without line numbers with which a model counts on from its last line. Blank lines may precede them.
 */
export function withoutCountingOn(content: string, before: string): string {
  const copied = readCopiedLines(content.replace(/^(?:[ \t]*\r?\n)+/u, ''));
  return copied?.first === completeLinesOf(before).length + 1 ? copied.text : content;
}

/**
 * Reads a text of which each line begins with a number, as the editor shows them.
 *
 * @returns the text without the numbers, and the first number; null when a line has no number, or they do not count on
 */
export function readCopiedLines(content: string): { text: string; first: number } | null {
  if (!NUMBERED.test(content)) return null; // most have no number in the first line either
  const numbers = completeLinesOf(content).map((line) => Number(NUMBERED.exec(line)?.[1] ?? NaN));
  const [first = NaN] = numbers;
  if (!numbers.every((number, index) => number === first + index)) return null;
  return { text: dropNumbers(content), first };
}

function completeLinesOf(content: string): string[] {
  return content.replace(/\r?\n$/u, '').split('\n');
}

/** Removes the number from each line that begins with one. */
export function dropNumbers(content: string): string {
  return content.replace(/^\d{3,}\|/gmu, '');
}
