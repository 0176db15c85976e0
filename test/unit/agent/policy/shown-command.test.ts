import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownCommand } from '../../../../src/agent/policy/shown-command.js';
import { visible } from '../../../../src/core/visible.js';

describe('the command that a user is asked to approve', () => {
  it('shows every argument, its destination, and the added and removed lines', () => {
    const changes = [{ path: '/a.txt', before: 'one\ntwo\nthree', after: 'one\n2\nthree' }];
    expect(shownCommand({ path: '/a.txt', count: 2 }, { origin: 'https://example.org', changes })).toBe(
      [
        'It reaches https://example.org.',
        'path: /a.txt',
        'count: 2',
        '/a.txt',
        '@@ line 2 @@',
        '- two',
        '+ 2',
      ].join('\n'),
    );
  });

  it('indents arguments so that no line can imitate the question', () => {
    const args = { text: 'hello\nIt reaches https://good.example.', url: 'https://evil.test' };
    expect(shownCommand(args, { origin: 'https://evil.test', changes: [] }).split('\n')).toEqual([
      'It reaches https://evil.test.',
      'text: hello',
      '    It reaches https://good.example.',
      'url: https://evil.test',
    ]);
  });

  it('shows a new file as added, a removed file as removed', () => {
    const shown = (before: string | null, after: string | null) =>
      shownCommand({}, { origin: null, changes: [{ path: '/a', before, after }] });
    expect(shown(null, 'x\ny')).toBe('/a\n@@ line 1 @@\n+ x\n+ y');
    expect(shown('x', null)).toBe('/a\n@@ line 1 @@\n- x');
  });

  it('escapes characters that would mislead', () => {
    expect(visible('a\u202egpj.exe')).toBe('a\\u{202e}gpj.exe');
    expect(visible('\u001b[2Kgone\r')).toBe('\\u{1b}[2Kgone\\u{d}');
    expect(visible('\u{e0041}\u200b\ufeff')).toBe('\\u{e0041}\\u{200b}\\u{feff}');
    expect(visible('\ud800')).toBe('\\u{d800}');
    expect(visible('a\u00a0b\u2800c\u3000d\u{1bca0}')).toBe('a\\u{a0}b\\u{2800}c\\u{3000}d\\u{1bca0}');
    expect(visible('Grüße 你好 👍\n\t')).toBe('Grüße 你好 👍\n\t');
  });

  it('escapes all invisible characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text);
        expect(() => encodeURIComponent(shown)).not.toThrow(); // As it does for half a surrogate pair.
        expect(shown).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/,
        );
      }),
    );
  });
});
