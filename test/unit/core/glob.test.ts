import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPath } from '../../../src/core/glob.js';

describe('a pattern of paths', () => {
  test.each([
    ['/src/*.ts', '/src/a.ts', true],
    ['src/*.ts', '/src/a.ts', true],
    ['/src/*.ts', '/src/deep/a.ts', false],
    ['/src/**/*.ts', '/src/a.ts', true],
    ['/src/**/*.ts', '/src/deep/er/a.ts', true],
    ['/src/**', '/src', false],
    ['/src/**', '/src/a', true],
    ['**/a', '/a', true],
    ['*.ts', '/any/where/a.ts', true],
    ['a?c', '/x/abc', true],
    ['/a?c', '/a/c', false],
    ['**', '/a', true],
    ['/', '/a', false],
  ])('%s and %s', (pattern, path, fits) => {
    expect(matchesPath(path, pattern)).toBe(fits);
  });

  test('is the expression it represents', () => {
    const name = fc.stringMatching(/^[ab]{1,3}$/u);
    const wanted = fc.oneof(fc.constant('**'), fc.stringMatching(/^[ab*?]{1,3}$/u));
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 5 }),
        fc.array(wanted, { minLength: 2, maxLength: 5 }),
        (names, pattern) => {
          const parts = pattern.map((each, index) => {
            if (each === '**') return index === pattern.length - 1 ? '(?:/[^/]+)+' : '(?:/[^/]+)*';
            return `/${each.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}`;
          });
          const path = `/${names.join('/')}`;
          expect(matchesPath(path, `/${pattern.join('/')}`)).toBe(
            new RegExp(`^${parts.join('')}$`, 'u').test(path),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('is fast on adversarial input', () => {
    expect(matchesPath(`/${'a'.repeat(255)}`.repeat(4), '/**/*a*a*b'.repeat(40))).toBe(false);
    expect(matchesPath('/a'.repeat(64), `${'/**/a'.repeat(64)}/b`)).toBe(false);
  });
});
