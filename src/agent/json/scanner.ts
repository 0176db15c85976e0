import { readTokens, type Token, type TokenType } from './read-tokens.js';
import { endOfString, parseStrictly, readValid, scanStrictly } from './strict.js';
import { checked, LIMITS, type ReadJson, TOO_DEEP } from './value.js';

/** JSON found in a text; `end` is the index after it. Not closed if the end of the text or a fence cuts it off. */
export interface FoundJson {
  source: string;
  end: number;
  isClosed: boolean;
  read: () => ReadJson;
}

/**
 * Reads what is meant as JSON at `start`: exactly if it is valid or the beginning of valid JSON. Otherwise decides, in one pass, what a
 * strict parser cannot: where a string ends that contains unescaped quotes or line breaks, and which bracket is meant. Linear.
 *
 * @param isEnded The text is no beginning of a longer one: what is not closed was forgotten.
 */
export function scanJson(text: string, start = 0, isEnded = false): FoundJson {
  const rest = text.slice(start);
  const found = (end: number, isClosed: boolean, read: (source: string) => ReadJson): FoundJson => {
    const source = rest.slice(0, end);
    return { source, end: start + end, isClosed, read: () => read(source) };
  };
  const strict = scanStrictly(rest, isEnded);
  if (strict !== null && !(strict.isClosed && nextRoot(rest, strict.end, rest.charAt(0)) >= 0)) {
    return found(strict.end, strict.isClosed, () => checked(strict.value, !strict.isClosed));
  }
  const { end, isClosed, tokens, roots } = new Scanner(rest, isEnded).scan();
  const read = (source: string) => (tokens === null ? TOO_DEEP : readTokens(source, tokens, roots));
  return found(end, isClosed, (source) => readEscaped(source) ?? read(source));
}

/** Reads JSON as it was meant; valid JSON is never altered. Never throws. */
export function readJson(text: string, isEnded = false): ReadJson {
  const valid = readValid(text);
  if (valid !== null) return valid;
  const read = scanJson(text, 0, isEnded).read();
  return read.ok ? { ...read, repaired: true } : read;
}

/** Reads JSON whose quotes are escaped as in a JSON string; null for any other. */
function readEscaped(source: string): ReadJson | null {
  if (!/^[\s[{]{0,64}\\+"/.test(source)) return null;
  const unescaped = parseStrictly(`"${source.replace(/\r?\n/g, '\\n')}"`);
  const read = typeof unescaped === 'string' && unescaped !== source ? readJson(unescaped) : null;
  return read?.ok === true ? { ...read, repaired: true } : null;
}

type Characters = Partial<Record<string, string>>;

/** What a backslash and a character stand for. */
export const ESCAPES: Characters = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', "'": "'", '\\': '\\', '/': '/' }; // prettier-ignore
const FULL_WIDTH: Characters = { '：': ':', '，': ',', '；': ',', ';': ',', '｛': '{', '｝': '}', '［': '[', '］': ']' }; // prettier-ignore
/** The quotes that can close a string, by the quote that opens it. */
const QUOTES: Characters = { '"': '"', "'": "'", '`': '`', '“': '”“"', '”': '”"', '„': '“”"', '＂': '＂', '‘': '’‘', '’': '’' }; // prettier-ignore
const OPENERS: Characters = { '}': '{', ']': '[' };
const WHITESPACE = /\s+/y;
const JSON_COMMENT = /\/\*[^]*?(?:\*\/|$)|(?:\/\/|#)[^\n]*/y;
const MAX = `{0,${LIMITS.comment}}`;
/** Whitespace and short comments. */
const SPACE_AND_COMMENTS = new RegExp(
  String.raw`\s*(?:(?:/\*[^]${MAX}?\*/|(?://|#)[^\n]${MAX}(?=\n|$))\s*){0,4}`,
  'y',
);
const BARE = /[^\s,:;{}[\]"'`#“”„＂‘’：，；｛｝［］]+/y;
/** Without it, the slashes of a link would start a comment. */
const BARE_PATH = /(?:https?:\/\/|\.{0,2}\/|~\/)[^\s,"'`}\]]+/y;
const QUOTED_KEY = /(?:"[^"\\\n]{0,64}"|'[^'\\\n]{0,64}'|“[^”\n]{0,64}[”"])\s*[:：]/y;
const BARE_KEY = /[A-Za-z_$][\w$.-]{0,63}\s*[:：]/y;
/** An entry of an object, or the start of an object or a list in a list. */
const ENTRY = new RegExp(String.raw`${QUOTED_KEY.source}|[{[｛［]\s*["'\x60“”„＂‘’{}\]｛｝］]`, 'y');
/** What follows a comma or a comment after a string: another one, a closing bracket, or a key at which the text was cut off. */
const END_OF_VALUE = /[,，}\]｝］]|["'][\w .$-]{0,64}["']?\s*$/y;
const ITEM = /["'`“”„＂‘’[［]|[-\d]|(?:true|false|null|undefined|True|False|None|NaN)\b/y;
const CONCATENATION = /\+\s*["'`“”„＂‘’]/y;
const CLOSERS = /((?:\s*[}\]｝］]){0,64})\s*([^]?)/y;
const BETWEEN_ROOTS = /\s*(,?)\s*/y;
/** Ends the JSON of a tool call, whatever is not closed. */
export const CLOSING_TAG = /^\s*<\/(?:tool_calls?|function_calls?|function|tools?|tool_use|invoke)>/;

interface Bracket {
  written: string; // models mix `{` and `[` up: the kind is decided when the bracket closes
  token: number; // its index
  isEmpty: boolean;
  hasColon: boolean;
  isNested: boolean; // contains a bracket where a key should be
  isCut: boolean; // contains a string without an end
  state: 'key' | 'colon' | 'value'; // the last part of the current entry
  entry: number; // index of the first token of the current entry
}

class Scanner {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  readonly #open: Bracket[] = [];
  #at = 0;
  #end: number;
  #roots = 0;
  #lastRoot = '';
  #missingQuotes = 0;
  #hasBareKeys = false;
  #isClosed = true;
  readonly #isEnded: boolean;

  constructor(text: string, isEnded: boolean) {
    this.#text = text;
    this.#isEnded = isEnded;
    this.#end = text.length;
  }

  /** Returns the tokens of the JSON, with paired brackets; null for too many levels. */
  scan(): { end: number; isClosed: boolean; tokens: readonly Token[] | null; roots: number } {
    const text = this.#text;
    while (this.#at < text.length) {
      if (this.#open.length > LIMITS.depth)
        return { end: text.length, isClosed: false, tokens: null, roots: 0 };
      const isAfterRoot = this.#open.length === 0 && this.#roots > 0;
      const next = isAfterRoot ? nextRoot(text, this.#at, this.#lastRoot) : this.#at;
      if (next < 0 || this.#isEndAt(next)) break;
      this.#at = next;
      if (isAfterRoot && !(asciiAt(text, next) in OPENERS)) this.#emit(',', next);
      this.#readToken();
    }
    const cut = this.#open.at(-1);
    if (cut?.written === '{' && cut.state === 'key' && !cut.isNested && this.#tokens.length > cut.entry) {
      this.#tokens.length = cut.entry; // half a key
      cut.isCut = true;
    }
    this.#isClosed &&= cut === undefined;
    while (this.#open.length > 0) this.#close(true);
    return { end: this.#end, isClosed: this.#isClosed, tokens: this.#tokens, roots: this.#roots };
  }

  /** Returns whether a fence or a closing tag ends the JSON here. */
  #isEndAt(at: number): boolean {
    const char = this.#text.charAt(at);
    if (char === '`') return this.#text.startsWith('```', at);
    return char === '<' && CLOSING_TAG.test(this.#text.slice(at, at + 24));
  }

  #readToken(): void {
    const char = asciiAt(this.#text, this.#at);
    const bracket = this.#open.at(-1) ?? newBracket('', 0);
    if (char === '{' || char === '[') this.#openBracket(char, bracket);
    else if (char in OPENERS) this.#readCloser(char, bracket);
    else if (char === ',' || char === ':') this.#readSeparator(char, bracket, this.#at + 1);
    else if (/\s/.test(char)) this.#at = this.#endOf(WHITESPACE);
    else if (char === '\\' && this.#text.charAt(this.#at + 1) in QUOTES) this.#at++;
    else if (this.#endOf(JSON_COMMENT) > this.#at) this.#at = this.#endOf(JSON_COMMENT);
    else this.#readScalar(char, bracket);
  }

  #openBracket(char: '{' | '[', outer: Bracket): void {
    outer.isEmpty = false;
    if (outer.state === 'key') outer.isNested = true;
    else outer.state = 'value';
    if (this.#open.length === 0) this.#lastRoot = char;
    this.#open.push(newBracket(char, this.#tokens.length));
    this.#emit(char, this.#at + 1);
  }

  #readSeparator(char: ',' | ':', bracket: Bracket, end: number): void {
    const last = this.#tokens.at(-1);
    const isBareKey = char === ':' && last?.type === 'word' && last.at + last.text.length === this.#at;
    this.#hasBareKeys ||= isBareKey;
    this.#emit(char, end);
    if (char === ':') bracket.hasColon = true;
    else bracket.entry = this.#tokens.length;
    bracket.state = char === ':' ? 'colon' : 'key';
  }

  #readScalar(char: string, bracket: Bracket): void {
    const isKey = bracket.state === 'value' && this.#endOf(QUOTED_KEY) > this.#at;
    if (isKey) this.#readSeparator(',', bracket, this.#at); // forgotten
    const closers = QUOTES[char];
    const path = this.#endOf(BARE_PATH);
    if (closers !== undefined) this.#readString(char, closers);
    else if (path > this.#at) this.#emit('string', path, this.#text.slice(this.#at, path));
    else this.#emitWord();
    bracket.isEmpty = false;
    if (bracket.state === 'colon') bracket.state = 'value';
  }

  /** Reads a closing bracket: it closes the innermost open one if it can, or else what leaves the fewest faults. */
  #readCloser(char: string, inner: Bracket): void {
    const wanted = OPENERS[char] ?? '';
    let isExtra = false;
    if (this.#open.length > 0 && inner.written !== wanted && !(wanted === '{' && inner.hasColon)) {
      const open = this.#open.map(({ written }) => written);
      CLOSERS.lastIndex = this.#at + 1;
      const [, closers = '', next = ''] = CLOSERS.exec(this.#text) ?? [];
      const ahead = [...(closers.match(/\S/g) ?? []), next].map((each) => FULL_WIDTH[each] ?? each);
      const match = open.lastIndexOf(wanted);
      const missing = match < 0 ? Infinity : open.length - 1 - match + faults(open.slice(0, match), ahead);
      const wrongKind = 1 + faults(open.slice(0, -1), ahead);
      const tooMany = 1 + faults([...open], ahead);
      if (missing <= Math.min(wrongKind, tooMany)) while (this.#open.length - 1 > match) this.#close();
      else isExtra = tooMany < wrongKind;
    }
    this.#at++;
    if (!isExtra) this.#close();
  }

  #close(isCutOff = false): void {
    const bracket = this.#open.pop();
    const opener = this.#tokens[bracket?.token ?? -1];
    if (bracket !== undefined && opener !== undefined) {
      const isEmpty = !bracket.isNested && (isCutOff || bracket.isEmpty);
      const closesObject = bracket.hasColon || (bracket.written === '{' && isEmpty);
      opener.type = closesObject ? '{' : '[';
      this.#emit(closesObject ? '}' : ']', this.#at);
      const closer = this.#tokens.at(-1);
      if (closer !== undefined) closer.isCut = bracket.isCut || (isCutOff && !this.#isEnded);
      if (this.#open.length === 0) this.#roots++;
    }
    if (this.#open.length === 0) this.#end = this.#at;
  }

  #readString(quote: string, closers: string): void {
    const text = this.#text;
    const isTriple = quote !== '`' && text.startsWith(quote.repeat(3), this.#at);
    const tripleEnd = isTriple ? text.indexOf(quote.repeat(3), this.#at + 3) : -1;
    const size = tripleEnd > 0 ? 3 : 1;
    const start = this.#at + size;
    let end = tripleEnd > 0 ? tripleEnd : start;
    for (; size === 1 && end < text.length; end++) {
      if (text.charAt(end) === '\\') end++;
      else if (closers.includes(text.charAt(end)) && this.#endsString(end + 1)) break;
    }
    const isClosed = end < text.length;
    if (!isClosed) end = this.#missingQuote(start);
    this.#isClosed &&= isClosed;
    const bracket = this.#open.at(-1);
    if (bracket !== undefined) bracket.isCut ||= !isClosed;
    this.#emit('string', isClosed ? end + size : end, decode(text.slice(start, end), quote));
  }

  /** Decides from what follows whether the quote before `at` ends its string. */
  #endsString(at: number): boolean {
    const text = this.#text;
    const inner = this.#open.at(-1);
    if (inner?.state === 'key' && (inner.written === '{' || inner.hasColon)) return true; // keys contain no quotes
    let next = this.#endOf(WHITESPACE, at);
    if (asciiAt(text, next) === ':') return inner?.written === '[' && inner.isEmpty; // ["a": 1] is an object
    let depth = this.#open.length;
    for (; asciiAt(text, next) in OPENERS; depth--) next = this.#endOf(WHITESPACE, next + 1);
    if (next >= text.length || depth <= 0 || this.#isEndAt(next)) return true;
    const outer = this.#open[depth - 1];
    const isInList = outer?.written === '[' && !outer.hasColon;
    const char = asciiAt(text, next);
    if (char === '+') return depth === this.#open.length && this.#endOf(CONCATENATION, next) > next;
    const then = this.#endOf(SPACE_AND_COMMENTS, char === ',' ? next + 1 : next);
    if (then >= text.length || this.#endOf(ENTRY, then) > then) return true;
    if (this.#hasBareKeys && this.#endOf(BARE_KEY, then) > then) return true;
    if (then === next) return isInList && char in QUOTES && text.slice(at, next).includes('\n'); // forgotten comma
    return this.#endOf(END_OF_VALUE, then) > then || (isInList && this.#endOf(ITEM, then) > then);
  }

  /** Index where a string without a closing quote ends: before the next key, or before brackets at the start of a line or at the end. */
  #missingQuote(from: number): number {
    const text = this.#text;
    if (this.#missingQuotes++ >= LIMITS.missingQuotes) return text.length;
    for (let at = from; at < text.length; at++) {
      if (!/[,，\n]/.test(text.charAt(at))) continue;
      const next = this.#endOf(WHITESPACE, at + 1);
      if (this.#endOf(QUOTED_KEY, next) > next) return at;
      if (asciiAt(text, next) in OPENERS && text.slice(at, next).includes('\n')) return at;
      at = next - 1;
    }
    return endOfString(text, from);
  }

  /** Adds a token and moves to the end of the text it was read from. */
  #emit(type: TokenType, end: number, text: string = type): void {
    this.#tokens.push({ type, text, at: this.#at });
    this.#at = end;
  }

  #emitWord(): void {
    const end = Math.max(this.#endOf(BARE), this.#at + 1);
    this.#emit('word', end, this.#text.slice(this.#at, end));
  }

  /** Index after the match of a sticky pattern; the index itself if there is none. */
  #endOf(pattern: RegExp, at = this.#at): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : at;
  }
}

/** Index of the next value of the same block, or of an unmatched closing bracket; -1 if there is none. */
function nextRoot(text: string, from: number, last: string): number {
  BETWEEN_ROOTS.lastIndex = from;
  const isAfterComma = BETWEEN_ROOTS.exec(text)?.[1] === ',';
  const next = BETWEEN_ROOTS.lastIndex;
  const char = asciiAt(text, next);
  const isNext = char === '{' ? isAfterComma || last === '{' : char === '[' && isAfterComma;
  return isNext || char in OPENERS ? next : -1;
}

/** The character at an index, with full-width punctuation as ASCII. */
function asciiAt(text: string, at: number): string {
  const char = text.charAt(at);
  return FULL_WIDTH[char] ?? char;
}

function newBracket(written: string, token: number): Bracket {
  return {
    written,
    token,
    isEmpty: true,
    hasColon: false,
    isNested: false,
    isCut: false,
    state: 'key',
    entry: token + 1,
  };
}

/** Counts how badly the closing brackets ahead, and what follows them, fit the open brackets. */
function faults(open: string[], ahead: readonly string[]): number {
  let count = 0;
  for (const char of ahead) {
    if (char in OPENERS && open.pop() !== OPENERS[char]) count++;
    if (char === '') count += open.length;
    if (char === ',' && open.length === 0) count++;
  }
  return count;
}

/**
 * Decodes a string. Illegal escapes are literal (`C:\Users`), and so are `\b` and `\f` before a letter (`C:\bin`, `\frac`). `\'` is a quote
 * unless the string also contains quotes without a backslash.
 */
function decode(inner: string, quote: string): string {
  const isQuoteEscaped = quote === "'" || !/(?:^|[^\\])'/.test(inner);
  return inner.replace(/\\(u[\da-fA-F]{4}|[^])/g, (whole, escape: string, at: number) => {
    if (/^[bf]$/.test(escape) && /^\p{L}/u.test(inner.slice(at + 2, at + 4))) return whole;
    if (escape.length > 1) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    if (escape === quote) return quote;
    return escape === "'" && !isQuoteEscaped ? whole : (ESCAPES[escape] ?? whole);
  });
}
