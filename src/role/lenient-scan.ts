/** Brackets may be nested this deep. */
export const MAX_JSON_DEPTH = 64;

/** A missing closing quote costs a second look at the rest of the text, which is why only so many are looked for. */
const MAX_RECOVERIES = 8;
/** A comment longer than this is not skipped when guessing whether a quote ends a string. */
const MAX_COMMENT_AHEAD = 200;

/** What a lenient reading made of a text: its structure, and apart from it its strings. */
export interface LenientScan {
  /** The structure with a placeholder `"#0#"`, `"#1#"`, … for every string, without comments, brackets paired. */
  skeleton: string;
  strings: string[];
  /** How many values stand side by side; with more than one the skeleton is the list of them. */
  roots: number;
  /** Where the last value ends in the source, exclusive. */
  end: number;
  /** Every string and bracket was ended by the text itself. */
  closed: boolean;
  /** Brackets are nested deeper than allowed; the rest was not read. */
  tooDeep: boolean;
  /** Where in the source a position of the skeleton comes from. */
  sourceOf(position: number): number;
}

interface Container {
  /** As written. Whether it is an object or an array shows when it is closed: models mix the two up. */
  open: '{' | '[';
  piece: number;
  /** A colon was seen. */
  keyed: boolean;
  /** It holds a bracket where a key should be. */
  nested: boolean;
  filled: boolean;
  /** The current entry has its colon, */
  colon: boolean;
  /** and something after it. */
  valued: boolean;
  /** The piece the current entry starts with. */
  entry: number;
}

/**
 * Reads what should be JSON from `start` on, once and from left to right, and decides what a strict parser cannot: where strings end
 * that hold unescaped quotes or line breaks, and which bracket is meant. Ends with the outermost value. Linear in the text's length.
 */
export function scanLeniently(text: string, start = 0): LenientScan {
  return new Scanner(text, start).run();
}

const FULL_WIDTH: Partial<Record<string, string>> = {
  '：': ':',
  '，': ',',
  '；': ',',
  ';': ',',
  '｛': '{',
  '｝': '}',
  '［': '[',
  '］': ']',
};
/** Opening quote → what may close it. */
const QUOTES: Partial<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”“"',
  '”': '”"',
  '„': '“”"',
  '＂': '＂',
  '‘': '’‘',
  '’': '’',
};
const SPACE = /\s+/y;
const BARE = /[^\s,:;{}[\]"'`#“”„＂‘’：，；｛｝［］]+/y;
/** Read here, because the library takes their slashes for comments and regular expressions. */
const BARE_PATH = /(?:https?:\/\/|\.{0,2}\/|~\/)[^\s,"'`}\]]+/y;
const QUOTED_KEY = /(?:"[^"\\\n]{0,64}"|'[^'\\\n]{0,64}'|“[^”\n]{0,64}[”"])\s*[:：]/y;
/** A key at which the text was cut off. */
const CUT_KEY = /["'][\w .$-]{0,64}["']?\s*$/y;
const BARE_KEY = /[A-Za-z_$][\w$.-]{0,63}\s*[:：]/y;
const PLAIN_VALUE = /[-\d]|(?:true|false|null|undefined|True|False|None|NaN)\b/y;
/** Between two values of one block: a comma, or one tool-call tag closed and the next opened. */
const BETWEEN_ROOTS = /\s*(,?)\s*(?:<\/(\w+)>\s*<\2>\s*)?/y;

class Scanner {
  private readonly pieces: string[] = [];
  private readonly sources: number[] = [];
  private readonly strings: string[] = [];
  private readonly stack: Container[] = [];
  private at: number;
  private end: number;
  private roots = 0;
  private lastRoot: '{' | '[' = '[';
  private recoveries = 0;
  private bareKeys = false;
  private closed = true;
  private tooDeep = false;

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.at = start;
    this.end = start;
  }

  run(): LenientScan {
    while (this.at < this.text.length && !this.tooDeep) {
      if (this.stack.length === 0 && this.roots > 0 && !this.goesOn()) break;
      if (this.text.startsWith('```', this.at)) break;
      this.step();
    }
    if (this.stack.length > 0) {
      this.closed = false;
      this.dropCutKey();
      while (this.stack.length > 0) this.close(true);
      if (this.tooDeep) this.end = this.text.length;
    }
    if (this.roots > 1) {
      this.pieces.push(']');
      this.pieces.unshift('[');
      this.sources.push(this.end);
      this.sources.unshift(0);
    }
    const { pieces, sources, strings, roots, end, closed, tooDeep } = this;
    const sourceOf = (position: number): number => {
      let piece = 0;
      let length = 0;
      while (piece < pieces.length - 1 && length + (pieces[piece] ?? '').length <= position) {
        length += (pieces[piece] ?? '').length;
        piece++;
      }
      return sources[piece] ?? end;
    };
    return { skeleton: pieces.join(''), strings, roots, end, closed, tooDeep, sourceOf };
  }

  private step(): void {
    const char = this.charAt(this.at);
    if (char === '{' || char === '[') this.open(char);
    else if (char === '}' || char === ']') this.closer(char);
    else if (char === ',') this.comma();
    else if (char === ':') this.colon();
    else if (this.skipSpace(this.at) > this.at) this.emitRun(SPACE);
    else if (this.afterComment(this.at, Infinity) > this.at) this.at = this.afterComment(this.at, Infinity);
    else this.scalar(char);
  }

  private scalar(char: string): void {
    const container = this.stack.at(-1);
    if (container?.colon === true && container.valued && match(QUOTED_KEY, this.text, this.at) > this.at) {
      this.emit(',', this.at); // forgotten
      this.nextEntry();
    }
    const closers = QUOTES[char];
    const path = match(BARE_PATH, this.text, this.at);
    if (closers !== undefined) this.string(char, closers);
    else if (path > this.at) {
      this.emitString(this.text.slice(this.at, path));
      this.at = path;
    } else this.emitRun(BARE);
    if (container === undefined) return;
    container.filled = true;
    container.valued = true;
  }

  /** Whether another value of the same block follows the one that has just ended; moves to it, over brackets that are too many. */
  private goesOn(): boolean {
    for (;;) {
      BETWEEN_ROOTS.lastIndex = this.at;
      const comma = BETWEEN_ROOTS.exec(this.text)?.[1] === ',';
      const next = BETWEEN_ROOTS.lastIndex;
      const char = this.charAt(next);
      if (char === '{' ? comma || this.lastRoot === '{' : char === '[' && comma) {
        this.at = next;
        this.emit(',', next);
        return true;
      }
      if (!isCloser(char)) return false;
      this.at = next + 1;
      this.end = this.at;
    }
  }

  private open(char: '{' | '['): void {
    if (this.stack.length >= MAX_JSON_DEPTH) {
      this.tooDeep = true;
      return;
    }
    const outer = this.stack.at(-1);
    if (outer === undefined) this.lastRoot = char;
    else {
      outer.filled = true;
      outer.valued = true;
      if (!outer.colon) outer.nested = true;
    }
    const piece = this.pieces.length;
    this.stack.push({
      open: char,
      piece,
      keyed: false,
      nested: false,
      filled: false,
      colon: false,
      valued: false,
      entry: piece + 1,
    });
    this.emit(char, this.at++);
  }

  private comma(): void {
    this.emit(',', this.at++);
    this.nextEntry();
  }

  private nextEntry(): void {
    const container = this.stack.at(-1);
    if (container === undefined) return;
    container.colon = false;
    container.entry = this.pieces.length;
  }

  private colon(): void {
    const container = this.stack.at(-1);
    if (container !== undefined) {
      container.keyed = true;
      container.colon = true;
      container.valued = false;
      if (!/["\s]$/.test(this.pieces.at(-1) ?? '')) this.bareKeys = true;
    }
    this.emit(':', this.at++);
  }

  /** A closing bracket: of the innermost open one, or else by the reading that leaves the fewest faults. */
  private closer(char: '}' | ']'): void {
    const top = this.stack.at(-1);
    if (top === undefined) {
      this.at++;
      return;
    }
    const wanted = char === '}' ? '{' : '[';
    if (top.open !== wanted && !(wanted === '{' && isObject(top))) {
      const opens = this.stack.map((container) => container.open);
      const { run, next } = this.closersAhead();
      const matching = opens.lastIndexOf(wanted);
      const missing =
        matching < 0 ? Infinity : opens.length - 1 - matching + faults(opens.slice(0, matching), run, next);
      const wrongKind = 1 + faults(opens.slice(0, -1), run, next);
      const tooMany = 1 + faults(opens, run, next);
      if (missing <= wrongKind && missing <= tooMany) {
        while (this.stack.length - 1 > matching) this.close();
      } else if (tooMany < wrongKind) {
        this.at++;
        return;
      }
    }
    this.at++;
    this.close();
  }

  /** The closing brackets that follow this one, and the character after them. */
  private closersAhead(): { run: string[]; next: string } {
    const run: string[] = [];
    let at = this.skipSpace(this.at + 1);
    while (isCloser(this.text.charAt(at)) && run.length <= MAX_JSON_DEPTH) {
      run.push(this.text.charAt(at) === '}' ? '{' : '[');
      at = this.skipSpace(at + 1);
    }
    return { run, next: this.text.charAt(at) };
  }

  private close(cutOff = false): void {
    const container = this.stack.pop();
    if (container === undefined) return;
    const { open, keyed, nested, filled } = container;
    const closesObject = keyed || (open === '{' && !nested && (cutOff || !filled));
    this.pieces[container.piece] = closesObject ? '{' : '[';
    this.emit(closesObject ? '}' : ']', this.at);
    if (this.stack.length > 0) return;
    this.roots++;
    this.end = this.at;
  }

  /** A key without its colon, where the text was cut off, says nothing. */
  private dropCutKey(): void {
    const container = this.stack.at(-1);
    if (container === undefined || container.colon || container.nested) return;
    if (container.open === '{') {
      this.pieces.length = container.entry;
      this.sources.length = container.entry;
    }
  }

  private string(quote: string, closers: string): void {
    const start = this.at;
    const triple = quote.repeat(3);
    if (quote !== '`' && this.text.startsWith(triple, start)) {
      const end = this.text.indexOf(triple, start + 3);
      if (end > 0) {
        this.emitString(decode(this.text.slice(start + 3, end), quote));
        this.at = end + 3;
        return;
      }
    }
    let end = start + 1;
    while (end < this.text.length) {
      const char = this.text.charAt(end);
      if (char === '\\') end++;
      else if (closers.includes(char) && this.endsString(end + 1)) break;
      end++;
    }
    this.at = end + 1;
    if (end >= this.text.length) {
      this.closed = false;
      end = this.missingQuote(start + 1);
      this.at = end;
    }
    this.emitString(decode(this.text.slice(start + 1, end), quote));
  }

  /** Whether a quote right before `at` can be the end of its string, judged by what follows. */
  private endsString(at: number): boolean {
    const container = this.stack.at(-1);
    if (container !== undefined && isObject(container) && !container.colon) return true; // keys hold no quotes
    let depth = this.stack.length;
    let next = this.skipSpace(at);
    if (/[:：]/.test(this.text.charAt(next))) return container?.open === '[' && !container.filled; // ["a": 1] is an object
    while (isCloser(this.text.charAt(next))) {
      depth--;
      next = this.skipSpace(next + 1);
    }
    if (next >= this.text.length || depth <= 0 || this.text.startsWith('```', next)) return true;
    const inner = this.stack[depth - 1];
    const inList = inner !== undefined && !isObject(inner);
    const char = this.text.charAt(next);
    if (char === '+')
      return depth === this.stack.length && this.text.charAt(this.skipSpace(next + 1)) in QUOTES;
    const isComma = /[,，;；]/.test(char);
    const then = this.skipComments(isComma ? next + 1 : next);
    if (then >= this.text.length || this.startsEntry(then)) return true;
    if (isComma || then > next) {
      if (match(CUT_KEY, this.text, then) > then) return true;
      const follows = this.text.charAt(then);
      if (isCloser(follows) || (then > next && /[,，]/.test(follows))) return true;
      return inList && (follows in QUOTES || follows === '[' || match(PLAIN_VALUE, this.text, then) > then);
    }
    return inList && char in QUOTES && /\n/.test(this.text.slice(at, next)); // a list, comma forgotten
  }

  /** Whether an entry of an object, or another object or list of one, starts here. */
  private startsEntry(at: number): boolean {
    if (match(QUOTED_KEY, this.text, at) > at) return true;
    if (this.bareKeys && match(BARE_KEY, this.text, at) > at) return true;
    const char = this.charAt(at);
    if (char !== '{' && char !== '[') return false;
    const inside = this.charAt(this.skipSpace(at + 1));
    return inside in QUOTES || isCloser(inside) || inside === '{';
  }

  /**
   * Where a string ends whose closing quote is nowhere: before the next key, before the brackets at the end of a line that only closes,
   * or before the brackets at the very end. Without any of them the text was cut off inside the string.
   */
  private missingQuote(from: number): number {
    if (this.recoveries++ >= MAX_RECOVERIES) return this.text.length;
    let at = from;
    while (at < this.text.length) {
      const char = this.text.charAt(at);
      if (char !== ',' && char !== '，' && char !== '\n') {
        at++;
        continue;
      }
      const next = this.skipSpace(at + 1);
      if (match(QUOTED_KEY, this.text, next) > next) return at;
      if (isCloser(this.text.charAt(next)) && /[\n]/.test(this.text.slice(at, next))) return at;
      at = Math.max(at + 1, next);
    }
    let end = this.text.length;
    while (end > from && /[\s}\]`]/.test(this.text.charAt(end - 1))) end--;
    return /[}\]]/.test(this.text.slice(end)) ? end : this.text.length;
  }

  private emit(piece: string, source: number): void {
    this.pieces.push(piece);
    this.sources.push(source);
  }

  private emitString(value: string): void {
    this.emit(`"#${this.strings.length}#"`, this.at);
    this.strings.push(value);
  }

  private emitRun(pattern: RegExp): void {
    const end = Math.max(match(pattern, this.text, this.at), this.at + 1);
    this.emit(this.text.slice(this.at, end), this.at);
    this.at = end;
  }

  /** The character, full-width punctuation as ASCII. */
  private charAt(at: number): string {
    const char = this.text.charAt(at);
    return FULL_WIDTH[char] ?? char;
  }

  private skipSpace(at: number): number {
    return match(SPACE, this.text, at);
  }

  /** Past a comment that starts here and is no longer than allowed; else `at`. */
  private afterComment(at: number, longest: number): number {
    const block = this.text.startsWith('/*', at);
    if (!block && !this.text.startsWith('//', at) && this.text.charAt(at) !== '#') return at;
    const limit = Math.min(this.text.length, at + longest);
    let end = at + 1;
    if (block) {
      while (end < limit && !this.text.startsWith('*/', end)) end++;
      return end < limit ? end + 2 : longest === Infinity ? limit : at;
    }
    while (end < limit && this.text.charAt(end) !== '\n') end++;
    return end < limit || limit === this.text.length ? end : at;
  }

  private skipComments(from: number): number {
    let at = this.skipSpace(from);
    for (let comments = 0; comments < 4; comments++) {
      const end = this.afterComment(at, MAX_COMMENT_AHEAD);
      if (end === at) break;
      at = this.skipSpace(end);
    }
    return at;
  }
}

/** What a bracket opened, as far as it is known yet. */
function isObject(container: Container): boolean {
  return container.open === '{' || container.keyed;
}

/** How badly these closing brackets fit what is open, what stands after them considered. */
function faults(opens: readonly string[], run: readonly string[], next: string): number {
  const open = [...opens];
  let count = 0;
  for (const closer of run) {
    if (open.at(-1) !== closer) count++;
    open.pop();
  }
  if (next === '') return count + open.length;
  return open.length === 0 && next === ',' ? count + 1 : count;
}

function isCloser(char: string): boolean {
  return char === '}' || char === ']' || char === '｝' || char === '］';
}

/** The end of a match of the sticky pattern at this place; the place itself when there is none. */
function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const ESCAPES: Partial<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * The text a string stands for. Legal escapes mean what they mean; the backslash of an illegal one (`\d`, `C:\Users`) is meant
 * literally. `\'` is a quote, as in JavaScript and Python, unless the string also has bare ones: then the difference matters.
 */
function decode(inner: string, quote: string): string {
  const quotesAreEscaped = quote === "'" || !/(?:^|[^\\])'/.test(inner);
  return inner.replace(/\\(u[\da-fA-F]{4}|[\s\S])/g, (whole, escape: string) => {
    if (escape.length > 1) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    if (escape === "'" && quotesAreEscaped) return "'";
    if (escape === quote) return quote;
    return ESCAPES[escape] ?? whole;
  });
}
