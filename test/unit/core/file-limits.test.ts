import { describe, expect, it } from 'vitest';
import { checkFileSizes } from '../../../src/core/file-limits.js';

const limits = { fileBytes: 10, totalBytes: 25 };
const bytes = (path: string, size: number) => ({ path, content: new Uint8Array(size) });
const text = (path: string, content: string) => ({ path, content });

describe('the sizes of files that are to be written', () => {
  it('accepts what may fit, and what is no content', () => {
    const files = [bytes('/a', 10), text('/b', 'x'.repeat(10)), { path: '/c' }, text('/d', 'ü'.repeat(5))];
    expect(() => checkFileSizes(files, limits)).not.toThrow();
    expect(() => checkFileSizes([{ path: '/e', content: 7 as never }], limits)).not.toThrow();
  });

  it.each([
    ['bytes', bytes('/a', 11), 11],
    ['text', text('/a', 'x'.repeat(11)), 11],
    ['text of several bytes a character', text('/a', 'ü'.repeat(11)), 22],
  ])('rejects too many of %s with the size and the limit', (_what, file, size) => {
    expect(() => checkFileSizes([bytes('/b', 1), file], limits)).toThrow(
      `/a was not written: it would have ${size} bytes and a file may have 10. Remove what is not needed or write less; the application can raise limits.fileBytes.`,
    );
  });

  it('rejects files that are too large together', () => {
    const files = [bytes('/a', 10), bytes('/b', 10), bytes('/c', 10)];
    expect(() => checkFileSizes(files, limits)).toThrow(
      '/c was not written: all files together would have at least 30 bytes of 25.',
    );
  });
});
