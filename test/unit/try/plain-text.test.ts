import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLine, plainLine, plainText } from '../../../scripts/try/plain-text.js';

const hostile = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\r',
    '\u001b',
    '[',
    ']',
    '0',
    ';',
    'm',
    '\u0007',
    '\u009b',
    '\u202e',
    '\\',
  ),
  maxLength: 60,
});

describe('text of a model in a terminal', () => {
  it('keeps words, tabs and lines', () => {
    expect(plainText('Grüße\t👍\r\nzwei')).toBe('Grüße\t👍\nzwei');
  });

  it.each([
    ['colors', 'a\u001b[31mred\u001b[0m', 'ared'],
    ['a title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a link', '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['a cleared screen', '\u001b[2J\u001b[Hb', 'b'],
    ['C1 controls', '\u009b31mx', 'x'],
    ['an overwritten line', 'safe\rrm -rf', 'saferm -rf'],
    ['reversed text', 'txt.\u202eexe', 'txt.exe'],
  ])('removes %s', (_what, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it('never contains a control character, however it is split', () => {
    fc.assert(
      fc.property(fc.array(hostile), (pieces) => {
        expect(pieces.map(plainText).join('')).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
      }),
    );
  });

  it('is cut to one line', () => {
    expect(plainLine('  one\n\n two \u001b[1mthree ', 20)).toBe('one two three');
    expect(plainLine('abcdef', 4)).toBe('abc…');
  });
});

describe('an event as a line of JSON', () => {
  it('has the same content and can be printed', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = jsonLine({ text });
        expect(line).toMatch(/^[^\p{Cc}\u202e]*\n$/u);
        expect(JSON.parse(line)).toEqual({ text });
      }),
    );
  });
});
