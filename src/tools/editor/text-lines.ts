/**
 * A text seen as lines (spec 14.2). Lines end at `\n`; a last line without one is a line like any other, and an empty text is one empty
 * line. A byte order mark stands before line 1, not in it. Only the places where lines begin are kept.
 */
export class TextLines {
  readonly #starts: number[];

  constructor(readonly text: string) {
    this.#starts = [text.startsWith('\ufeff') ? 1 : 0];
    for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  /** At least 1. */
  get count(): number {
    return this.#starts.length;
  }

  /** Where line `number` begins, counted from 1; the end of the text for a line after the last. */
  start(number: number): number {
    return this.#starts[number - 1] ?? this.text.length;
  }

  /** The line that holds the character at a place; the last one for the end of the text. */
  numberAt(place: number): number {
    let low = 1;
    for (let high = this.count; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if (this.start(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** A line with its line break, if it has one. */
  raw(number: number): string {
    return this.text.slice(this.start(number), this.start(number + 1));
  }

  /** A line without its line break. */
  line(number: number): string {
    return this.raw(number).replace(/\r?\n$/u, '');
  }

  has(number: number): boolean {
    return number >= 1 && number <= this.count;
  }
}
