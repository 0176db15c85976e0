import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../../../src/agent/json/scanner.js';
import { REPLIES } from '../../../corpus/replies.js';
import { repairJson } from './repair-json.js';

describe('repairing JSON', () => {
  test('valid JSON is never altered', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat({ max: 4 }), (compact, indent) => {
        const text = JSON.stringify(JSON.parse(compact), null, indent);
        expect(repairJson(text)).toBe(text);
      }),
    );
  });

  test('reads valid objects and lists exactly even when their surroundings are invalid', () => {
    // Long keys and keys with quotes must not be guessed.
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(readJson(JSON.stringify([value]))).toEqual({
          ok: true,
          value: JSON.parse(JSON.stringify([value])) as unknown,
          repaired: false,
        });
      }),
    );
  });

  test('removes a trailing comma without changing strings', () => {
    // Quotes, commas and colons that look like structure are the difficult cases.
    const text = fc
      .array(fc.constantFrom('"', ',', ':', '}', ']', '\\', '\n', ' ', 'a', '#0#', '//', "'"))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const literal = texts.map((each) => `{"text": ${JSON.stringify(each)}}`).join(', ');
        expect(readJson(`[${literal},]`)).toMatchObject({
          ok: true,
          repaired: true,
          value: texts.map((each) => ({ text: each })),
        });
      }),
    );
  });

  test('does not change a repaired text any further', () => {
    const samples = fc.oneof(
      fc.string(),
      fc.constantFrom(...REPLIES.map((reply) => reply.reply)),
      fc
        .array(fc.constantFrom('[', ']', '{', '}', '"a"', ':', ',', "'", 'x', '\\'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(samples, (text) => {
        const once = repairJson(text);
        if (once !== null) expect(repairJson(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['missing commas', '[1 "a" {"b": 2 "c": 3}]', [1, 'a', { b: 2, c: 3 }]],
    ['extra commas', '[,1,,2,{,"a": 3,,"b": 4,},]', [1, 2, { a: 3, b: 4 }]],
    ['missing values', '{"a":, "b":}', { a: null, b: null }],
    ['missing colons', '{"a": 1, "b" 2, "c"[3], d {}}', { a: 1, b: 2, c: [3], d: {} }],
    ['constants of other languages', '[True, False, None, undefined, NaN]', [true, false, null, null, 'NaN']],
    ['numbers that JSON does not have', '[.5, 2., -.5, 1e, 2E+, 007, -]', [0.5, 2, -0.5, 1, 2, '007', '-']],
    ['text without quotes', '{a b: c d, "e": f: g, h: /i/j.txt}', { 'a b': 'c d', e: 'f: g', h: '/i/j.txt' }],
    ['text without quotes on several lines', '[one two\nthree]', ['one two', 'three']],
    ['joined strings', `["a" + 'b'+"c"]`, ['abc']],
    ['ellipses', '[1, 2, ..., {"a": 3, ...}, …]', [1, 2, { a: 3 }]],
    ['a missing bracket before another object', '[{"a": 1, {"b": 2}]', [{ a: 1 }, { b: 2 }]],
    [
      'a key that is the name of a prototype',
      '{"__proto__": [1,]}',
      JSON.parse('{"__proto__": [1]}') as unknown,
    ],
  ])('reads %s', (_, text, value) => {
    expect(readJson(text)).toEqual({ ok: true, value, repaired: true });
  });

  test.each([
    ['{"a": 1, "b"}', 'colon expected at line 1, column 14'],
    ['{"a": f("b"), "c": 1}', 'colon expected at line 1, column 13 (near ", \\"c\\": 1}")'],
    ['{"a": 1,\n: 2}', 'object key expected at line 2, column 1 (near ": 2}")'],
    ['[+]', 'value expected at line 1, column 2 (near "+]")'],
    ['', 'it holds no value'],
  ])('reports what is wrong with %s, and where', (text, error) => {
    expect(readJson(text)).toEqual({ ok: false, error });
  });

  test('rejects heavily broken structure with advice', () => {
    expect(readJson(`[${'1 '.repeat(40_000)}`)).toEqual({
      ok: false,
      error: 'it holds more than 10000 values; send fewer at once',
    });
  });

  test('repairs a long text with a small error', () => {
    const content = 'x = "y"\n'.repeat(30_000);
    expect(readJson(`[{"content": ${JSON.stringify(content)},}]`)).toEqual({
      ok: true,
      value: [{ content }],
      repaired: true,
    });
  });
});
