import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineChanges } from '../../../demo/state/line-changes.js';

const marks = (before: string | null, now: string) =>
  lineChanges(before, now).map(({ text, fresh, gap }) => `${gap ? '-' : ''}${fresh ? '+' : ''}${text}`);

describe('marking what changed in a file', () => {
  it('marks nothing in a file that is seen for the first time', () => {
    expect(marks(null, 'a\nb\n')).toEqual(['a', 'b']);
  });
  it('marks lines that are new or rewritten', () => {
    expect(marks('a\nb\nc\n', 'a\nB\nc\nd\n')).toEqual(['a', '+B', 'c', '+d']);
  });
  it('marks where lines are gone', () => {
    expect(marks('a\nb\nc\n', 'a\nc\n')).toEqual(['a', '-c']);
  });
  it('finds two changes far from each other', () => {
    expect(marks('a\nb\nc\nd\ne', 'a\nB\nc\nD\ne')).toEqual(['a', '+B', 'c', '+D', 'e']);
  });
  it('shows every line, and only lines that were there before unmarked and in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, now) => {
        const lines = lineChanges(before, now);
        const old = before.split('\n');
        let from = 0;
        for (const { text, fresh } of lines) if (!fresh) from = old.indexOf(text, from) + 1 || NaN;
        expect(Number.isNaN(from)).toBe(false);
        expect(lines.map((line) => line.text).join('\n')).toBe(now.replace(/\n$/, ''));
      }),
    );
  });
});
