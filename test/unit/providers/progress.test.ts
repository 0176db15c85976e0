import { describe, expect, it } from 'vitest';
import {
  pieceSize,
  readingProgress,
  readingSpeed,
  threadsHere,
} from '../../../src/providers/local/progress.js';

describe('the progress of reading a prompt', () => {
  it('reports the time left at the speed since the first piece', () => {
    let at = 0;
    const progressOf = readingProgress(() => at);
    const text = (read: { total: number; processed: number }) => progressOf(read)?.text;
    expect(text({ total: 900, processed: 300 })).toBe('Reading the prompt, 300 of 900 tokens.');
    at = 10_000;
    expect(text({ total: 900, processed: 400 })).toBe(
      'Reading the prompt, 400 of 900 tokens, about 50 s left.',
    );
    at = 110_000;
    expect(text({ total: 900, processed: 500 })).toBe(
      'Reading the prompt, 500 of 900 tokens, about 4 min left.',
    );
  });

  it('comes about every second, at any speed', () => {
    expect([0.5, 3.9, 20, 60, 5_000].map(pieceSize)).toEqual([8, 8, 16, 64, 512]);
  });

  it('is estimated from the size of the file, and from the threads', () => {
    expect(readingSpeed(1e9)).toBeGreaterThan(0); // measured here
    const small = readingSpeed(1e9, 1, 1e9);
    expect(readingSpeed(100e9, 1, 1e9)).toBeCloseTo(small / 100);
    expect(readingSpeed(1e9, 100, 1e9)).toBeCloseTo(small * 100);
    expect(threadsHere()).toBe(1); // no cross-origin isolation in Node
  });
});
