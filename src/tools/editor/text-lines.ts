/** Returns the number of lines of a text, at least 1; see `TextLines`. */
export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    count += 1;
  return count;
}

/** Returns the number of lines of a text in words, such as `1 line` or `12 lines`. */
export function linesInWords(text: string): string {
  if (text === '') return 'empty';
  const count = countLines(text);
  return `${count} line${count === 1 ? '' : 's'}`;
}

/**
 * Line index of a text. Lines end at `\n`. A last line without a line break is a normal line, and an empty text is one empty line. A byte
 * order mark precedes line 1 and is not part of it. Stores only the positions where lines start.
 */
export class TextLines {
  readonly #starts: number[];

  constructor(readonly text: string) {
    this.#starts = [text.startsWith('\ufeff') ? 1 : 0];
    for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  /** Number of lines, at least 1. */
  get count(): number {
    return this.#starts.length;
  }

  /** Returns the start of line `number`, counted from 1. For a line after the last, returns the end of the text. */
  start(number: number): number {
    return this.#starts[number - 1] ?? this.text.length;
  }

  /** Returns the line that contains the character at a position. For the end of the text, returns the last line. */
  numberAt(place: number): number {
    let low = 1;
    for (let high = this.count; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if (this.start(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns a line with its line break, if it has one. */
  raw(number: number): string {
    return this.text.slice(this.start(number), this.start(number + 1));
  }

  /** Returns a line without its line break. */
  line(number: number): string {
    return this.raw(number).replace(/\r?\n$/u, '');
  }

  has(number: number): boolean {
    return number >= 1 && number <= this.count;
  }
}
