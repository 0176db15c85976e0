import type { JsonValue } from '../../core/json.js';
import { markCut } from './cut.js';

/** Part of JSON: a decoded string, a run of other characters, or punctuation. `at` is an index of the source. */
export interface Token {
  type: TokenType;
  text: string;
  at: number;
  /** On a bracket: the text of its object or list is cut off. */
  isCut?: boolean;
}

export type TokenType = 'string' | 'word' | '{' | '}' | '[' | ']' | ',' | ':';

/** Thrown for tokens that are no value; `at` is an index of the source. */
export class UnreadableToken extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Words of JSON, Python, and JavaScript. */
const CONSTANTS = new Map<string, JsonValue>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
]);
/** A number, also without digits before or after the point or in the exponent. Leading zeros make it text. */
const NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d*)?$/;
const PLUS = /^\+$/;
const ELLIPSIS = /^(?:\.{3}|…)$/;

/**
 * Reads the values in tokens whose brackets are paired. Tolerates missing and extra commas, missing values and colons, text without quotes,
 * joined strings (`'a' + 'b'`), and ellipses.
 *
 * @throws UnreadableToken where a key, a colon, or a value is missing.
 */
export function readTokens(source: string, tokens: readonly Token[]): JsonValue[] {
  return new Reader(source, tokens).readItems();
}

class Reader {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(source: string, tokens: readonly Token[]) {
    this.#source = source;
    this.#tokens = tokens;
  }

  /** Reads values up to a closing bracket, or to the end of the tokens. */
  readItems(closer?: ']'): JsonValue[] {
    const items: JsonValue[] = [];
    while (this.#hasEntry(closer === undefined)) items.push(this.#readValue());
    if (closer !== undefined) this.#readCloser(closer, items);
    return items;
  }

  #readObject(): JsonValue {
    const entries: [string, JsonValue][] = [];
    // A bracket in place of a key belongs to the outer value: the closing bracket before it is missing, or follows later.
    while (this.#hasEntry() && !this.#is('{') && !this.#is('[')) {
      const isQuoted = this.#is('string');
      const key = this.#readKey();
      const hasColon = this.#skip(':');
      const isMissing = this.#is(',') || this.#is('}');
      const isApart = isQuoted || /\s/.test(this.#source.charAt(this.#at - 1)); // `)"a"` is no key and value
      if (!hasColon && (isMissing || !isApart)) throw this.#unreadable('colon');
      entries.push([key, isMissing ? null : this.#readValue()]);
    }
    const value: JsonValue = Object.fromEntries(entries);
    this.#readCloser('}', value);
    return value;
  }

  #readCloser(closer: '}' | ']', value: JsonValue): void {
    if (this.#tokens[this.#index]?.isCut === true) markCut(value);
    this.#skip(closer);
  }

  #readKey(): string {
    if (this.#is('string')) return this.#readString();
    if (this.#is('word')) return this.#readText();
    throw this.#unreadable('object key');
  }

  #readValue(): JsonValue {
    if (this.#is('string')) return this.#readString();
    if (this.#is('word')) return this.#readWord();
    if (this.#skip('{')) return this.#readObject();
    if (this.#skip('[')) return this.readItems(']');
    throw this.#unreadable('value');
  }

  #readString(): string {
    let text = this.#text;
    this.#index++;
    while (this.#isWord(PLUS)) {
      this.#index++;
      if (!this.#is('string')) break;
      text += this.#text;
      this.#index++;
    }
    return text;
  }

  #readWord(): JsonValue {
    if (this.#isWord(PLUS)) throw this.#unreadable('value');
    const word = this.#text;
    const constant = CONSTANTS.get(word);
    if (constant === undefined && !NUMBER.test(word)) return this.#readText(':');
    this.#index++;
    return constant === undefined ? Number(word.replace(/[eE][+-]?$/, '')) : constant;
  }

  /** Reads text without quotes: the words up to the end of the line, with the space between them. */
  #readText(punctuation: TokenType = 'word'): string {
    const start = this.#at;
    let end = start;
    while (this.#is('word') || this.#is(punctuation)) {
      if (this.#source.slice(end, this.#at).includes('\n')) break;
      end = this.#at + this.#text.length;
      this.#index++;
    }
    return this.#source.slice(start, end);
  }

  /** Returns whether an entry is next. Skips commas and ellipses and, outside of brackets, closing brackets. */
  #hasEntry(isOutside = false): boolean {
    const isCloser = () => this.#is('}') || this.#is(']');
    while (this.#is(',') || this.#isWord(ELLIPSIS) || (isOutside && isCloser())) this.#index++;
    return this.#index < this.#tokens.length && !isCloser();
  }

  #is(type: TokenType): boolean {
    return this.#tokens[this.#index]?.type === type;
  }

  #isWord(pattern: RegExp): boolean {
    return this.#is('word') && pattern.test(this.#text);
  }

  #skip(type: TokenType): boolean {
    const isNext = this.#is(type);
    if (isNext) this.#index++;
    return isNext;
  }

  #unreadable(expected: string): UnreadableToken {
    return new UnreadableToken(`${expected} expected`, this.#at);
  }

  get #text(): string {
    return this.#tokens[this.#index]?.text ?? '';
  }

  get #at(): number {
    return this.#tokens[this.#index]?.at ?? this.#source.length;
  }
}
