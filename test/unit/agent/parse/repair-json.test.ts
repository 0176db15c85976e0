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

  test('rejects heavily broken structure with advice', () => {
    expect(readJson(`[${'1 '.repeat(40_000)}`)).toEqual({
      ok: false,
      error: 'it is not valid JSON and too long to be repaired; send fewer commands at once',
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
