import type { JsonValue } from '../../core/json.js';
import { checked, markCut, type ReadJson } from './value.js';

/** Part of JSON: a decoded string, a run of other characters, or punctuation. `at` is an index of the source. */
export interface Token {
  type: TokenType;
  text: string;
  at: number;
  /** On a bracket: the text of its object or list is cut off. */
  isCut?: boolean;
}

export type TokenType = 'string' | 'word' | '{' | '}' | '[' | ']' | ',' | ':';

class UnreadableToken extends Error {}

/** Words of JSON, Python, and JavaScript. */
const CONSTANTS = new Map<string, JsonValue>([
  ['true', true], ['True', true], ['false', false], ['False', false], ['null', null], ['None', null], ['undefined', null],
]); // prettier-ignore
/** A number, also without digits before or after the point or in the exponent. Leading zeros make it text. */
const NUMBER_TOKEN = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d*)?$/;
const ELLIPSIS = /^(?:\.{3}|…)$/;

/**
 * Reads the value in tokens whose brackets are paired; several values become one list, in which equal neighbors count once. Tolerates missing and extra commas, missing values
 * and colons, text without quotes, joined strings (`'a' + 'b'`), and ellipses. Fails where a key, a colon, or a value is missing.
 *
 * @param roots Number of objects and lists that follow each other.
 */
export function readTokens(source: string, tokens: readonly Token[], roots: number): ReadJson {
  let index = 0;
  const text = () => tokens[index]?.text ?? '';
  const position = () => tokens[index]?.at ?? source.length;
  const is = (type: TokenType) => tokens[index]?.type === type;
  const isPlus = () => is('word') && text() === '+';
  const isCloser = () => is('}') || is(']');
  const unreadable = (expected: string) =>
    new UnreadableToken(`${expected} expected at ${positionInWords(source, position())}`);

  function skip(type: TokenType): boolean {
    const isNext = is(type);
    if (isNext) index++;
    return isNext;
  }

  /** Returns whether an entry is next. Skips commas and ellipses and, outside of brackets, closing brackets. */
  function hasEntry(isOutside = false): boolean {
    while (is(',') || (is('word') && ELLIPSIS.test(text())) || (isOutside && isCloser())) index++;
    return index < tokens.length && !isCloser();
  }

  /** Reads values up to a closing bracket; outside of brackets, to the end of the tokens. */
  function readItems(isOutside = false): JsonValue[] {
    const items: JsonValue[] = [];
    while (hasEntry(isOutside)) items.push(readValue());
    return isOutside ? items : closed(items, ']');
  }

  function readObject(): JsonValue {
    const entries: [string, JsonValue][] = [];
    // A bracket in place of a key belongs to the outer value: the closing bracket before it is missing, or follows later.
    while (hasEntry() && !is('{') && !is('[')) {
      const isQuoted = is('string');
      if (!isQuoted && !is('word')) throw unreadable('object key');
      const key = isQuoted ? readString() : readText();
      const hasColon = skip(':');
      const isMissing = is(',') || is('}');
      const isApart = isQuoted || /\s/.test(source.charAt(position() - 1)); // `)"a"` is no key and value
      if (!hasColon && (isMissing || !isApart)) throw unreadable('colon');
      entries.push([key, isMissing ? null : readValue()]);
    }
    return closed(Object.fromEntries(entries), '}');
  }

  function closed<Value extends JsonValue>(value: Value, closer: '}' | ']'): Value {
    if (tokens[index]?.isCut === true) markCut(value);
    skip(closer);
    return value;
  }

  function readValue(): JsonValue {
    if (is('string')) return readString();
    if (is('word') && !isPlus()) return readWord();
    if (skip('{')) return readObject();
    if (skip('[')) return readItems();
    throw unreadable('value');
  }

  function readString(): string {
    let joined = text();
    index++;
    while (isPlus()) {
      index++;
      if (!is('string')) break;
      joined += text();
      index++;
    }
    return joined;
  }

  function readWord(): JsonValue {
    const word = text();
    const constant = CONSTANTS.get(word);
    if (constant === undefined && !NUMBER_TOKEN.test(word)) return readText(':');
    index++;
    return constant === undefined ? Number(word.replace(/[eE][+-]?$/, '')) : constant;
  }

  /** Reads text without quotes: the words up to the end of the line, with the space between them. */
  function readText(punctuation: TokenType = 'word'): string {
    const start = position();
    let end = start;
    while ((is('word') || is(punctuation)) && !source.slice(end, position()).includes('\n')) {
      end = position() + text().length;
      index++;
    }
    return source.slice(start, end);
  }

  try {
    const values = readItems(true).filter((value, at, all) => roots < 2 || !isEqual(value, all[at - 1]));
    const value = roots > 1 || values.length > 1 ? values.flat() : values[0];
    return value === undefined ? { ok: false, error: 'it holds no value' } : checked(value, true);
  } catch (error) {
    if (error instanceof UnreadableToken) return { ok: false, error: error.message };
    throw error;
  }
}

function isEqual(one: JsonValue, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function positionInWords(text: string, index: number): string {
  const before = text.slice(0, index).split('\n');
  const near = text.slice(index, index + 24).split('\n')[0] ?? '';
  const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return near === '' ? where : `${where} (near ${JSON.stringify(near)})`;
}
