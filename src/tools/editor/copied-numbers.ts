/** The start of a line as the editor shows it. */
const NUMBERED = /^(\d{3,})\|/;

/** What the model learns about numbers that were left out. */
export const WITHOUT_NUMBERS = ' The line numbers that were copied from the view were left out.';

/**
 * Returns content without the line numbers that a model has copied with the lines of a file: when each of at least two lines has one, they
 * count on, and half of the lines are in the file without them.
 *
 * @param before the file as it is; null for a new one
 */
export function withoutCopiedNumbers(content: string, before: string | null): string {
  const lines = content.replace(/\r?\n$/u, '').split('\n');
  const numbers = lines.map((line) => Number(NUMBERED.exec(line)?.[1] ?? NaN));
  const [first = NaN] = numbers;
  if (before === null || lines.length < 2 || !numbers.every((number, index) => number === first + index))
    return content;
  const known = new Set(before.split('\n').map((line) => line.trimEnd()));
  const copied = lines.filter((line) => known.has(line.replace(NUMBERED, '').trimEnd()));
  return copied.length * 2 < lines.length ? content : dropNumbers(content);
}

/**
 * Reads a text of which each line begins with a number, as the editor shows them.
 *
 * @returns the text without the numbers, and the first number; null when a line has no number, or they do not count on
 */
export function readCopiedLines(content: string): { text: string; first: number } | null {
  const lines = content.replace(/\r?\n$/u, '').split('\n');
  const numbers = lines.map((line) => Number(NUMBERED.exec(line)?.[1] ?? NaN));
  const [first = NaN] = numbers;
  if (!numbers.every((number, index) => number === first + index)) return null;
  return { text: dropNumbers(content), first };
}

/** Removes the number from each line that begins with one. */
export function dropNumbers(content: string): string {
  return content.replace(/^\d{3,}\|/gmu, '');
}
