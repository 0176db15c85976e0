/** Where the commands of a reply begin: a fence, or a JSON array or object at the beginning of a line. */
const COMMANDS = /^[ \t]*(?:```|~~~|\[[ \t]*(?:\{|\n|$)|\{[ \t]*(?:"|\n|$))/;
/** What may still become such a beginning when more of the line has come. */
const UNDECIDED = /^[ \t]*(?:`{0,2}|~{0,2}|[[{][ \t]*)$/;

/** The words of a reply as it streams in, without the commands after them: those have lines of their own when they run. */
export class ThoughtText {
  /** What of the last line was not given out yet. */
  #held = '';
  /** Empty lines, which only matter when more words follow. */
  #blank = '';
  /** The line's beginning is known to be words. */
  #inWords = false;
  #ended = false;

  /** What can be shown now that `text` has come as well. */
  push(text: string): string {
    let shown = '';
    for (const piece of text.split(/(?<=\n)/)) {
      if (this.#ended) break;
      shown += this.take(piece);
    }
    return shown;
  }

  private take(piece: string): string {
    const line = this.#held + piece;
    if (!this.#inWords) {
      const whole = line.endsWith('\n');
      if (!whole && UNDECIDED.test(line)) {
        this.#held = line;
        return '';
      }
      if (line.trim() === '') {
        this.#blank += line;
        this.#held = '';
        return '';
      }
      if (COMMANDS.test(line)) {
        this.#ended = true;
        return '';
      }
    }
    const shown = this.#blank + line;
    this.#held = '';
    this.#blank = '';
    this.#inWords = !line.endsWith('\n');
    return shown;
  }
}
