import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ThoughtText } from '../../../scripts/try/thought-text.js';

function shown(...pieces: string[]): string[] {
  const thought = new ThoughtText();
  return pieces.map((piece) => thought.push(piece));
}

describe('the words of a reply', () => {
  it('stream in as they come', () => {
    expect(shown('I will', ' write ', 'it.')).toEqual(['I will', ' write ', 'it.']);
  });

  it('end where the commands begin', () => {
    expect(shown('I write it.\n\n', '``', '`json\n[{"command_name"', '…')).toEqual([
      'I write it.\n',
      '',
      '',
      '',
    ]);
    expect(shown('Now.\n[', '\n{"command_name": "end"}]')).toEqual(['Now.\n', '']);
    expect(shown('{"thought": "x"}')).toEqual(['']);
  });

  it('may hold code and brackets of their own', () => {
    expect(shown('`a` and [b]\n[c] {d}\n')).toEqual(['`a` and [b]\n[c] {d}\n']);
  });

  it('keep empty lines between them, and none at the end', () => {
    expect(shown('a\n', '\n', 'b\n', '\n')).toEqual(['a\n', '', '\nb\n', '']);
  });

  it('are the same whatever the pieces', () => {
    const parts = fc.constantFrom('word', ' ', '\n', '`', '```', '[', '{', '"', '[x]');
    fc.assert(
      fc.property(fc.array(parts), (pieces) => {
        const text = pieces.join('');
        const whole = new ThoughtText().push(`${text}\nword`);
        const characters = new ThoughtText();
        const streamed = `${text}\nword`.replace(/[^]/g, (character) => characters.push(character));
        expect(streamed).toBe(whole);
      }),
    );
  });
});
