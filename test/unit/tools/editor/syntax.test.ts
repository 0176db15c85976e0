import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtInLinter } from '../../../../src/tools/editor/editor.js';
import { jsonProblems } from '../../../../src/tools/editor/syntax/json-syntax.js';
import { pythonProblems } from '../../../../src/tools/editor/syntax/python-syntax.js';

/** `line: message` of each problem. */
const found = (text: string) => pythonProblems(text).map(({ line, message }) => `${line}: ${message}`);

describe('the structure of Python', () => {
  test.each([
    ['nothing', ''],
    [
      'comments and empty lines of any indentation',
      '  # a\n\ndef f():\n# b\n      \n        # c\n    return 1\n  # d\n',
    ],
    ['brackets over lines', 'x = [\n1,\n      {2: (3,\n4)}]\ndef f(a,\n  b):\n    pass'],
    ['strings of all kinds', `a = r"\\\\" + b'\\'' + """x\n  "y" ( \n""" + '''it's''' + rb"\\\\"\nb = ""`],
    ['a string that continues in the next line', 'a = "b\\\nc"\nd = "e\\\r\nf"\r\n'],
    ['statements that continue in the next line', 'if a and \\\n        b:\n    c = 1\n'],
    ['blocks in one line, and after a comment', 'if x: y\nelse: z\nwhile 1:  # go\n\tbreak\nclass A: pass'],
    ['colons that open no block', 'x: int = 1\ny = {1: 2}\nz = a[1:2]\nf = lambda: 0\nif (n := 1): pass\n'],
    ['words that start like statements', 'iffy = 1\nwithin = 2\nformat(x)\nclasses = []\n'],
    ['decorators, async, match', '@a.b(1)\nasync def f():\n  match x:\n    case [1, _]:\n      await y\n'],
    ['nested quotes of Python 3.12', 'x = f"{a["b"]}" + f"{\nc}"\n'],
    ['tabs', 'if a:\n\tif b:\n\t\tc\n\td\n'],
    ['Windows line breaks and a byte order mark', '\ufeffif a:\r\n    b\r\nc\r\n'],
    ['except* and with in brackets', 'try:\n    a\nexcept* E:\n    b\nwith (a as b, c as d):\n    e\n'],
  ])('reports nothing for %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test.each([
    ['a bracket that stays open', 'a\nb = (1\nc\n', ["2: '(' was never closed"]],
    ['two of them', 'a = (1\nb = [\n', ["1: '(' was never closed", "2: '[' was never closed"]],
    ['an extra bracket', 'a\nb)\n', ["2: unmatched ')'"]],
    ['another bracket', 'a = (1]\n', ["1: closing parenthesis ']' does not match opening parenthesis '('"]],
    ['an unterminated string', 'a\nb = "c\nd\n', ['2: unterminated string literal']],
    ['a long one', 'a = """\nb\n', ['1: unterminated triple-quoted string literal']],
    ['lines too far right', 'a\n  b\n  c\nd\n', ['2: unexpected indent']],
    [
      'a line between two indentations',
      'if a:\n    b\n  c\n    d\ne\n',
      ['3: unindent does not match any outer indentation level'],
    ],
    ['a missing block', 'def f():\nx = 1\n', ['2: expected an indented block after line 1']],
    ['one at the end', 'x = 1\nif x:\n    # nothing\n', ['4: expected an indented block after line 2']],
    ['a missing colon', 'def f()\n    return 1\n', ["1: expected ':'", '2: unexpected indent']],
    ['else without an if', 'if a:\n  b\nelse\n  c', ["3: expected ':'", '4: unexpected indent']],
  ])('reports %s', (_, text, problems) => {
    expect(found(text)).toEqual(problems);
  });

  test('is fast on adversarial texts', () => {
    for (const part of ['(', ' ', "'a' ", 'a ', '\\', '\t', '"""', '\n ', 'f"{', '#', "'"]) {
      expect(pythonProblems(part.repeat(200_000)).length).toBeLessThanOrEqual(200_001);
    }
    expect(pythonProblems(') '.repeat(1000)).length).toBe(50);
  });
});

describe('JSON', () => {
  test('has no problem exactly when the platform parses it', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      ' ',
      '\n',
      '"a"',
      '""',
      '1',
      '-0.5e+3',
      '01',
      '1.',
      'true',
      'null',
      'nul',
      '"\\u00e9"',
      '"\\x"',
      "'a'",
      '//',
    );
    const text = fc.oneof(
      fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join('')),
      fc.json(),
      fc
        .tuple(fc.json(), fc.nat(), token)
        .map(
          ([text, at, extra]) =>
            text.slice(0, at % (text.length + 1)) + extra + text.slice(at % (text.length + 1)),
        ),
    );
    fc.assert(
      fc.property(text, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(jsonProblems(text).length).toBe(isJson ? 0 : 1);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['{"a": 1\n"b": 2}', 2, 1, "not JSON: expected ',' or a closing bracket"],
    ['{\n  "a": [1, 2,]\n}', 2, 14, 'not JSON: expected a value'],
    ['{"a": 1,\n}', 2, 1, 'not JSON: expected a name in double quotes'],
    ["{'a': 1}", 1, 2, "not JSON: expected a name in double quotes or '}'"],
    ['{"a" 1}', 1, 6, "not JSON: expected ':'"],
    ['[1]\n[2]', 2, 1, 'not JSON: expected the end of the file'],
    ['[1,\n', 1, 4, 'not JSON: expected a value'],
    ['', 1, 1, 'not JSON: expected a value, such as {"name": 1} or ["text"]'],
  ])('reports the place: %j', (text, line, column, message) => {
    expect(jsonProblems(text)).toEqual([{ line, column, message }]);
  });

  test('deep and long texts cause no problem', () => {
    expect(jsonProblems('['.repeat(100_000) + ']'.repeat(100_000))).toEqual([]);
    expect(jsonProblems(JSON.stringify('\\"'.repeat(500_000)))).toEqual([]);
    expect(jsonProblems(`"${'a'.repeat(3_000_000)}`).length).toBe(1);
  });
});

describe('built-in checks', () => {
  test('A-199 has no result for an unknown language', async () => {
    for (const path of [
      '/a.txt',
      '/a.xyz',
      '/Makefile',
      '/a.js',
      '/a.css',
      '/a.sql',
      '/tsconfig.json',
      '/json',
    ])
      expect(await builtInLinter.check(path, '((( {"')).toBeNull();
  });

  test('the language follows from the name', async () => {
    expect(await builtInLinter.check('/d/A.PY', '(')).toEqual([
      { line: 1, column: 1, message: "'(' was never closed" },
    ]);
    expect(await builtInLinter.check('/a.json', '{}')).toEqual([]);
  });
});
