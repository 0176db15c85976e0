import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passagesOf } from '../../../../src/tools/editor/searching.js';
import { EditorHarness, numberedLines } from './harness.js';

const MANUAL = `# Manual

## Starting
Press the green button.

## Stopping
Press the red button, or close the window.
`;

describe('searching by similarity (R-150)', () => {
  test('lists the best passages of all files first, with their lines', async () => {
    const editor = await EditorHarness.over({
      '/docs/manual.md': MANUAL,
      '/src/engine.ts': 'export function startEngine() {\n  return 1;\n}\n',
      '/src/.hidden.ts': 'startEngine',
      '/src/image': 'start engine\0',
    });
    expect(
      await editor.run('similarity_search', { query: 'where does the engine start?', dir_path: 'src' }),
    ).toBe(
      '[Found 1 passage for "where does the engine start?" in /src, best first]\n' +
        '/src/engine.ts:1-3\n001|export function startEngine() {\n002|  return 1;\n003|}\n' +
        '[End of passages for "where does the engine start?" in /src]',
    );
    const found = await editor.run('similarity_search', { query: 'stopping: the red button' });
    expect(found.split('\n').slice(0, 2)).toEqual([
      '[Found 1 passage for "stopping: the red button" in /, best first]',
      '/docs/manual.md:1-7',
    ]);
  });

  test('names in snake and camel case and the words of a path are found', async () => {
    const editor = await EditorHarness.over({
      '/a.py': 'def parse_user_name(): pass\n',
      '/b.ts': 'const parseUserName = 1;\n',
      '/user-name/parser.txt': 'nothing in it\n',
      '/c.txt': 'other\n',
    });
    const found = await editor.run('similarity_search', { query: 'user name' });
    expect(found.match(/^\/.*:1-1$/gmu)?.toSorted()).toEqual([
      '/a.py:1-1',
      '/b.ts:1-1',
      '/user-name/parser.txt:1-1',
    ]);
  });

  test('shows the relevant lines of a large file, at most five passages', async () => {
    const text = numberedLines(5_000).replace('line 3333\n', 'the needle\n');
    const editor = await EditorHarness.over({ '/big.txt': text });
    const found = await editor.run('similarity_search', { query: 'needle', path: 'big.txt' });
    expect(found).toContain('\n3333|the needle\n');
    expect(found.split('\n').length).toBeLessThan(40);
    const many = await editor.run('similarity_search', { query: 'line', path: '/big.txt' });
    expect(many.match(/^\/big\.txt:/gmu)?.length).toBe(5);
  });

  test('shows nothing without shared words, and rejects a missing path', async () => {
    const editor = await EditorHarness.over({ '/a': 'x' });
    expect(await editor.run('similarity_search', { query: 'zzz' })).toBe(
      '[No passages found for "zzz" in /]',
    );
    expect((await editor.refusal('similarity_search', { query: 'x', path: '/none' })).code).toBe('not-found');
    expect((await editor.refusal('similarity_search', { query: ' ' })).code).toBe('tool-input');
  });

  test('names files that are too large to search', async () => {
    const editor = await EditorHarness.over({ '/a': 'needle', '/b': 'x'.repeat(1_000_001) });
    expect(await editor.run('similarity_search', { query: 'needle' })).toBe(
      '[Found 1 passage for "needle" in /, best first]\n/a:1-1\n001|needle\n' +
        'Not searched, since it is too much: /b. Use Editor.search_file for them.\n' +
        '[End of passages for "needle" in /]',
    );
  });
});

test('covers every line, and prefers to split at empty lines', () => {
  const line = fc.constantFrom('', ' ', 'a', 'bb', 'x'.repeat(5_000));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
      const seen = new Set<number>();
      for (const { first, last, text } of passagesOf('/a', lines.join('\n'))) {
        expect(last - first).toBeLessThan(30);
        expect(text.length).toBeLessThanOrEqual(8_000);
        expect(text.replace(/\n$/u, '')).toBe(lines.slice(first - 1, last).join('\n'));
        for (let number = first; number <= last; number += 1) seen.add(number);
      }
      const missing = lines.filter((each, i) => each.trim() !== '' && !seen.has(i + 1));
      expect(missing).toEqual([]);
    }),
  );
  const text = `${'a\n'.repeat(20)}\n${'b\n'.repeat(30)}`;
  expect(passagesOf('/a', text)[0]).toMatchObject({ first: 1, last: 21 });
});
