import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, missingCharacter, toLatin1 } from '../../../src/core/text-encoding.js';

const bytes = (...codes: number[]): Uint8Array => Uint8Array.from(codes);

describe('decodeText', () => {
  it.each([
    ['UTF-8', bytes(0x61, 0xc3, 0xa9), 'aé'],
    ['UTF-8', bytes(0xef, 0xbb, 0xbf, 0x61), '\ufeffa'],
    ['UTF-8', bytes(), ''],
    ['UTF-16 LE', bytes(0xff, 0xfe, 0x61, 0, 0xe9, 0, 0x3d, 0xd8, 0x00, 0xde), '\ufeffaé😀'],
    ['UTF-16 BE', bytes(0xfe, 0xff, 0, 0x61, 0x20, 0xac), '\ufeffa€'],
    ['Windows-1252', bytes(0x63, 0x61, 0x66, 0xe9, 0x20, 0x80, 0x93, 0x94), 'café €“”'],
  ])('reads %s', (encoding, content, text) => {
    expect(decodeText(content)).toEqual({ text, encoding });
    expect(encodeText(text, encoding as 'UTF-8')).toEqual(content);
  });

  it.each([
    ['a NUL', bytes(0x61, 0, 0x62)],
    ['UTF-16 without a byte order mark', bytes(0x61, 0, 0x62, 0)],
    ['half a character of UTF-16', bytes(0xff, 0xfe, 0x3d, 0xd8)],
    ['half a unit of UTF-16', bytes(0xff, 0xfe, 0x61)],
    ['UTF-32', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ['control characters', bytes(0xe9, 0x01, 0x02)],
    ['bytes that Windows-1252 lacks', bytes(0xe9, 0x81)],
    ['a picture', readFileSync('docs/images/demo.webp')],
  ])('rejects %s', (_, content) => {
    expect(decodeText(content)).toBeNull();
  });

  it('restores every content that it can read', () => {
    const anyBytes = fc.uint8Array({ maxLength: 40 });
    const marked = fc.tuple(fc.constantFrom([0xff, 0xfe], [0xfe, 0xff], []), anyBytes);
    fc.assert(
      fc.property(marked, ([mark, rest]) => {
        const content = bytes(...mark, ...rest);
        const decoded = decodeText(content);
        if (decoded !== null) expect(encodeText(decoded.text, decoded.encoding)).toEqual(content);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('toLatin1', () => {
  it('has one character for each byte, of any bytes', () => {
    const ascii = fc.uint8Array({ max: 0x7f, maxLength: 40 });
    const text = fc.string({ unit: 'binary', maxLength: 20 }).map((each) => new TextEncoder().encode(each));
    fc.assert(
      fc.property(fc.oneof(ascii, text, fc.uint8Array({ maxLength: 40 })), (content) => {
        const marked = bytes(0xef, 0xbb, 0xbf, ...content);
        for (const each of [content, marked])
          expect(Uint8Array.from(toLatin1(each), (character) => character.charCodeAt(0))).toEqual(each);
      }),
    );
  });
});

describe('encodeText', () => {
  it('adds the byte order mark of UTF-16', () => {
    expect(encodeText('a', 'UTF-16 LE')).toEqual(bytes(0xff, 0xfe, 0x61, 0));
  });

  it('names the first character that the encoding lacks', () => {
    expect(missingCharacter('naïve €', 'Windows-1252')).toBeNull();
    expect(() => encodeText('é → 😀', 'Windows-1252')).toThrow(
      'Windows-1252 has no "→" (U+2192). Use another character, or store the file as UTF-8.',
    );
    expect(missingCharacter('\0a', 'Windows-1252')).toBeNull();
    expect(missingCharacter('a\x81', 'Windows-1252')).toBe('\x81');
  });
});
