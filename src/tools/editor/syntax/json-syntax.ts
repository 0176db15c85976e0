import type { Problem } from '../../../core/linter.js';

/** Matches a token with the whitespace before it. Strings are matched in runs, so that long strings do not exhaust the stack. */
const JSON_TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\x00-\x1f]*)*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b)/y;

type ExpectedToken = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or closing bracket' | 'end';

/**
 * Returns the first position at which a text is not valid JSON; empty if it is valid. The platform's parser does not report the position,
 * or reports it in a platform-specific message. Takes linear time.
 */
export function jsonProblems(text: string): Problem[] {
  const open: ('{' | '[')[] = [];
  let expected: ExpectedToken = 'value';
  const token = new RegExp(JSON_TOKEN);
  token.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    const next: ExpectedToken | null =
      match === null ? null : nextExpected(expected, match[1], match[2] !== undefined, open);
    if (next === null) {
      const blank = /[ \t\r\n]*/y;
      blank.lastIndex = start;
      blank.exec(text);
      if (blank.lastIndex === text.length) break;
      return [problemAt(text, blank.lastIndex, expected)];
    }
    expected = next;
  }
  return expected === 'end' ? [] : [problemAt(text, text.trimEnd().length, expected)];
}

/** Returns what is expected after a token, or null if the token itself is unexpected. */
function nextExpected(
  expected: ExpectedToken,
  mark: string | undefined,
  isText: boolean,
  open: ('{' | '[')[],
): ExpectedToken | null {
  const after = (): ExpectedToken => (open.length === 0 ? 'end' : ', or closing bracket');
  switch (mark) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return null;
      open.push(mark);
      return mark === '{' ? 'key or }' : 'value or ]';
    case '}':
    case ']':
      if (open.at(-1) !== (mark === '}' ? '{' : '[')) return null;
      if (!expected.endsWith(mark) && !expected.startsWith(',')) return null;
      open.pop();
      return after();
    case ',':
      if (!expected.startsWith(',')) return null;
      return open.at(-1) === '{' ? 'key' : 'value';
    case ':':
      return expected === ':' ? 'value' : null;
  }
  if (expected.startsWith('key')) return isText ? ':' : null;
  return expected.startsWith('value') ? after() : null;
}

function problemAt(text: string, place: number, expected: ExpectedToken): Problem {
  const before = text.slice(0, place);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  // A small model wrote lines of `food: 65`, and the same again.
  const example = before.trim() === '' ? ', such as {"name": 1} or ["text"]' : '';
  return {
    line,
    column: place - lineStart + 1,
    message: `not JSON: expected ${EXPECTED_NAMES[expected]}${example}`,
  };
}

const EXPECTED_NAMES: Record<ExpectedToken, string> = {
  value: 'a value',
  'value or ]': "a value or ']'",
  key: 'a name in double quotes',
  'key or }': "a name in double quotes or '}'",
  ':': "':'",
  ', or closing bracket': "',' or a closing bracket",
  end: 'the end of the file',
};
