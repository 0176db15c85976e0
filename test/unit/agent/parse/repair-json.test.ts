import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../../../src/agent/parse/scanner.js';
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

  test('valid objects and lists are read exactly even when something around them is not valid', () => {
    // long keys, keys with quotes in them: nothing of this may be guessed at
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
    // quotes, commas and colons that look like structure are what makes this hard
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

  test('a repair is repaired no further', () => {
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

  test('too much broken structure is refused with advice', () => {
    expect(readJson(`[${'1 '.repeat(40_000)}`)).toEqual({
      ok: false,
      error: 'it is not valid JSON and too long to be repaired; send fewer commands at once',
    });
  });

  test('a long text with a small fault is repaired', () => {
    const content = 'x = "y"\n'.repeat(30_000);
    expect(readJson(`[{"content": ${JSON.stringify(content)},}]`)).toEqual({
      ok: true,
      value: [{ content }],
      repaired: true,
    });
  });
});
