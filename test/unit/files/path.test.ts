import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { baseName, parentOf, resolvePath } from '../../../src/files/path.js';

function refusal(path: string, workingDirectory?: string): RoleZeroError {
  try {
    resolvePath(path, workingDirectory);
  } catch (error) {
    if (error instanceof RoleZeroError) return error;
  }
  throw new Error(`not rejected: ${JSON.stringify(path)}`);
}

test.each([
  ['a.txt', '/', '/a.txt'],
  ['a.txt', '/src', '/src/a.txt'],
  ['./a.txt', '/src', '/src/a.txt'],
  ['../a.txt', '/src', '/a.txt'],
  ['/a.txt', '/src', '/a.txt'],
  ['.', '/src', '/src'],
  ['/', '/src', '/'],
  ['a//b///c/', '/', '/a/b/c'],
  ['a/./b/../c', '/', '/a/c'],
  ['..', '/src/deep', '/src'],
  ['...', '/', '/...'],
  ['.env', '/', '/.env'],
  ['with space/ä ö/日本語.md', '/', '/with space/ä ö/日本語.md'],
  ['wait….txt', '/', '/wait….txt'],
  ['第一．txt', '/', '/第一．txt'],
  ['½ 👩‍💻.txt', '/', '/½ 👩‍💻.txt'],
  ['ab:c.txt/note: x', '/', '/ab:c.txt/note: x'],
])('%s relative to %s is %s', (path, workingDirectory, expected) => {
  expect(resolvePath(path, workingDirectory)).toBe(expected);
});

test('treats percent signs as ordinary characters: nothing is decoded', () => {
  expect(resolvePath('%2e%2e/%2e%2e%2fetc/x')).toBe('/%2e%2e/%2e%2e%2fetc/x');
  expect(resolvePath('/..%2f..%5cx')).toBe('/..%2f..%5cx');
  expect(resolvePath('%252e%252e%00')).toBe('/%252e%252e%00');
});

const TRAVERSALS = [
  '..',
  '../x',
  '/..',
  '/../etc/passwd',
  '../../../../etc/passwd',
  'a/../../x',
  './../x',
  '/a/b/../../../x',
  'a/b/c/../../../../etc',
  '/./../x',
  '//..//x',
  '..//x',
  '..\\x',
  '..\\..\\windows\\system32',
  'a\\..\\..\\x',
  '\\\\server\\share',
  '\\x',
  '.\\x',
  'C:\\Windows',
  'C:/Windows/system.ini',
  'c:x.txt',
  'c:',
  '/C:/Windows',
  'a/d:/x',
  '..\u2215x',
  '..\u2044..\u2044etc',
  'a\u29f8b',
  '..\uff0fx',
  '..\uff3cx',
  '..\ufe68x',
  '..\u2216x',
  'a\u2571b',
  '\u2100', // NFKC: a/c
  'x\u2105y', // NFKC: c/o
  '\uff0e\uff0e/x',
  '\uff0e./x',
  '\u2024\u2024/x',
  '\u2025/x', // Two dots in one character.
  '\ufe52\ufe52/x',
  '\ufe30/x',
  '\u3002\u3002/x',
  '\uff61\uff61/x',
  '\ua4f8\ua4f8/x',
  '.\u200b./x',
  '\u200b../x',
  '.\u00ad./x',
  '..\ufe0f/x',
  '\u200b',
  'a/\uff0e/b',
];
test.each(TRAVERSALS.map((path) => [JSON.stringify(path), path]))('A-194 rejects %s', (_, path) => {
  const error = refusal(path);
  expect(error.code).toBe('permission');
  expect(error.message).toMatch(/^The path ".+" .+\. .+\.$|^The path ".+" .+ use fewer "\.\."\.$/u);
});

test.each([
  ['', 'is empty'],
  ['a\0b', '"a\\u0000b" contains a control character'],
  ['a\nb', '"a\\nb" contains a control character'],
  ['a\u007fb', '"a\\u007fb" contains a control character'],
  ['a\u0085b', '"a\\u0085b" contains a control character'],
  ['a\u2028b', '"a\\u2028b" contains a control character'],
  ['txt.\u202eexe', '"txt.\\u202eexe" contains a control character'],
  ['a\ud800b', '"a\\ud800b" contains half a character'],
  ['\udc00', 'half a character'],
  ['file:///etc/passwd', 'is a URL'],
  ['https://example.com/x', 'is a URL'],
  ['a'.repeat(256), 'a name of 256 characters; at most 255'],
  [`/${'a/'.repeat(65)}`, 'is 65 names deep; at most 64'],
  [`${'a'.repeat(200)}/`.repeat(6), 'has 1206 characters; at most 1024'],
])('%j cannot be a path', (path, why) => {
  const error = refusal(path);
  expect([error.code, error.message]).toEqual(['invalid', expect.stringContaining(why)]);
  expect(error.message.length).toBeLessThan(400);
});

test('rejects a path that is too long or too deep where it is used', () => {
  const long = `/${'a'.repeat(250)}`.repeat(4);
  expect(refusal('b'.repeat(100), long).message).toContain('means 1105 characters; at most 1024');
  expect(refusal('b/c', `/a`.repeat(63)).message).toContain('is 65 names deep');
  expect(resolvePath('../b', `/a`.repeat(64))).toBe(`${'/a'.repeat(63)}/b`);
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '..', '/', '//', '\\', '%2e', '%2f', 'C:', '\u2044', '\uff0e', '\u2025', '\0', 'a'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const path = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

  test('results in a normalized path inside, or is rejected', () => {
    fc.assert(
      fc.property(path, fc.constantFrom('/', '/a', '/a/b'), (given, workingDirectory) => {
        let resolved: string;
        try {
          resolved = resolvePath(given, workingDirectory);
        } catch (error) {
          expect(['permission', 'invalid']).toContain((error as RoleZeroError).code);
          return;
        }
        expect(resolved).toMatch(/^\//u);
        const names = resolved.slice(1).split('/');
        if (resolved !== '/') for (const name of names) expect(['', '.', '..']).not.toContain(name);
        expect(resolvePath(resolved)).toBe(resolved);
        expect(resolved).not.toMatch(/[\\\0]/u);
      }),
      { numRuns: 2000 },
    );
  });
});

test('parents and names', () => {
  expect(['/', '/a', '/a/b.txt'].map((path) => [parentOf(path), baseName(path)])).toEqual([
    ['/', ''],
    ['/', 'a'],
    ['/a', 'b.txt'],
  ]);
});
