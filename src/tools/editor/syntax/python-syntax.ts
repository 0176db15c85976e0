import { defined } from '../../../core/defined.js';
import type { Problem } from '../../../core/linter.js';

/**
 * Matches whitespace, a line break, a string start with prefix and quote, an opening bracket, a closing bracket, or a colon. Also matches a
 * whole word, or any other character.
 */
const PYTHON_TOKEN =
  /([^\S\n]+|#[^\n]*|\\\n)|(\n)|([rbuft]{0,2})("""|'''|"|')|([([{])|([)\]}])|(:(?!=))|[\p{L}\p{N}_]+|[^]/giuy;
/** Statements that need a colon. */
const COMPOUND = /^(?:async|class|def|elif|else|except|finally|for|if|try|while|with)$/u;
const CLOSING_BRACKETS: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
const MAX_SYNTAX_PROBLEMS = 50;

/**
 * Checks the shape of a Python text: brackets, string literals, indentation and colons. Messages use Python's own wording. Further grammar
 * is not checked, and valid Python is always accepted. Takes linear time.
 */
export function pythonProblems(source: string): Problem[] {
  return new PythonShape(source.replace(/^\ufeff/u, '').replace(/\r\n?/gu, '\n')).problems();
}

interface Statement {
  firstWord: string;
  line: number;
  /** Outside brackets: anywhere in the statement (`hasColon`), or as its last token (`endsInColon`). */
  hasColon: boolean;
  endsInColon: boolean;
}

class PythonShape {
  readonly #token = new RegExp(PYTHON_TOKEN);
  readonly #found: Problem[] = [];
  readonly #brackets: { mark: string; line: number; column: number }[] = [];
  /** Columns of the blocks around the current statement. */
  readonly #indents = [0];
  #statement: Statement | null = null;
  /** Line of a statement that must be followed by a block. */
  #opened: number | null = null;
  #line = 1;
  #lineStart = 0;

  constructor(readonly text: string) {}

  problems(): Problem[] {
    for (let match = this.#next(); match !== null; match = this.#next()) this.#read(match);
    if (this.#brackets.length === 0) this.#endStatement();
    if (this.#opened !== null) this.#report(`expected an indented block after line ${this.#opened}`);
    for (const { mark, line, column } of this.#brackets) {
      this.#report(`'${mark}' was never closed`, line, column);
    }
    return this.#found.sort((a, b) => a.line - b.line);
  }

  #next(): RegExpExecArray | null {
    return this.#token.exec(this.text);
  }

  #read(match: RegExpExecArray): void {
    const [whole, blank, lineBreak, prefix, quote, opening, closing, colon] = match;
    if (blank !== undefined || lineBreak !== undefined) {
      if (lineBreak !== undefined && this.#brackets.length === 0) this.#endStatement();
      this.#countLines(match.index);
      return;
    }
    const statement = (this.#statement ??= this.#begin(whole, match.index));
    if (this.#brackets.length === 0) {
      statement.endsInColon = colon !== undefined;
      statement.hasColon ||= colon !== undefined;
    }
    const column = match.index - this.#lineStart + 1;
    if (opening !== undefined) this.#brackets.push({ mark: opening, line: this.#line, column });
    else if (closing !== undefined) this.#close(closing, column);
    else if (quote !== undefined) this.#skipString(match.index, prefix ?? '', quote, column);
  }

  #begin(firstWord: string, at: number): Statement {
    this.#indent(indentColumns(this.text.slice(this.#lineStart, at)));
    return { firstWord, line: this.#line, hasColon: false, endsInColon: false };
  }

  #endStatement(): void {
    const statement = this.#statement;
    this.#statement = null;
    if (statement === null) return;
    if (statement.endsInColon) this.#opened = statement.line;
    else if (!statement.hasColon && COMPOUND.test(statement.firstWord)) {
      this.#report("expected ':'", statement.line);
    }
  }

  #indent(column: number): void {
    const indents = this.#indents;
    const current = indents.at(-1) ?? 0;
    if (this.#opened !== null && column <= current) {
      this.#report(`expected an indented block after line ${this.#opened}`);
    } else if (this.#opened === null && column > current) {
      this.#report('unexpected indent');
    }
    this.#opened = null;
    if (column > current) indents.push(column);
    while (column < (indents.at(-1) ?? 0)) {
      if (column > (indents.at(-2) ?? 0)) {
        this.#report('unindent does not match any outer indentation level');
        return; // stays in the inner block: otherwise, its remaining lines would be reported as well
      }
      indents.pop();
    }
  }

  #close(mark: string, column: number): void {
    const last = this.#brackets.pop();
    if (last === undefined) this.#report(`unmatched '${mark}'`, this.#line, column);
    else if (CLOSING_BRACKETS[last.mark] !== mark) {
      const message = `closing parenthesis '${mark}' does not match opening parenthesis '${last.mark}'`;
      this.#report(message, this.#line, column);
    }
  }

  #skipString(start: number, prefix: string, quote: string, column: number): void {
    const from = this.#token.lastIndex;
    const end = stringEnd(this.text, from, quote);
    if (end !== -1) {
      this.#token.lastIndex = end;
      this.#countLines(start);
    } else if (quote.length === 3) {
      this.#report('unterminated triple-quoted string literal', this.#line, column);
      this.#giveUp();
    } else {
      this.#token.lastIndex = endOfLine(this.text, from);
      const read = this.text.slice(from, this.#token.lastIndex);
      // Since Python 3.12, the braces of an f-string may contain line breaks. The text after that cannot be checked here.
      const goesOn = /[ft]/iu.test(prefix) && read.lastIndexOf('{') > read.lastIndexOf('}');
      if (goesOn) this.#giveUp();
      else this.#report('unterminated string literal', this.#line, column);
    }
  }

  /** Stops checking: the rest of the text cannot be interpreted. */
  #giveUp(): void {
    this.#token.lastIndex = this.text.length;
    this.#brackets.length = 0;
    this.#statement = null;
  }

  /** Updates the line position for line breaks in the text read since `start`. */
  #countLines(start: number): void {
    const read = this.text.slice(start, this.#token.lastIndex);
    for (let at = read.indexOf('\n'); at !== -1; at = read.indexOf('\n', at + 1)) {
      this.#line += 1;
      this.#lineStart = start + at + 1;
    }
  }

  #report(message: string, line = this.#line, column?: number): void {
    if (this.#found.length >= MAX_SYNTAX_PROBLEMS) return;
    this.#found.push({ line, ...defined({ column }), message });
  }
}

/** Returns the column where a line starts. A tab advances to the next multiple of eight. */
function indentColumns(blanks: string): number {
  let columns = 0;
  for (const blank of blanks) columns += blank === '\t' ? 8 - (columns % 8) : 1;
  return columns;
}

/** Returns the end of a string that starts with a quote; −1 if it is unterminated. */
function stringEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === '\n' && quote.length === 1) return -1;
  }
  return -1;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}
