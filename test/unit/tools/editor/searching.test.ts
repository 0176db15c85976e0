import { describe, expect, test } from 'vitest';
import { EditorHarness, numberedLines } from './harness.js';

describe('searching a directory', () => {
  test('A-202 finds lines below it, sorted by path, and skips hidden files but not hidden directories', async () => {
    const editor = await EditorHarness.over({
      '/src/b.ts': 'no\n  const needle = 1;  \n',
      '/src/a/deep.ts': 'needle\nno\nneedle needle',
      '/src/.hidden.ts': 'needle',
      '/src/.config/x': 'needle',
      '/src/image': 'needle\0',
      '/other.ts': 'needle',
    });
    expect(await editor.run('search_dir', { search_term: 'needle', dir_path: 'src' })).toBe(
      '[Found 4 matches for "needle" in /src]\n' +
        '/src/.config/x (Line 1): needle\n' +
        '/src/a/deep.ts (Line 1): needle\n' +
        '/src/a/deep.ts (Line 3): needle needle\n' +
        '/src/b.ts (Line 2): const needle = 1;\n' +
        '[End of matches for "needle" in /src]',
    );
    expect(await editor.run('search_dir', { search_term: 'needle' })).toContain(
      '[Found 5 matches for "needle" in /]',
    );
  });

  test('A-203 reports no match, and rejects a missing directory with similar ones', async () => {
    const editor = await EditorHarness.over({ '/source/a': 'x' });
    expect(await editor.run('search_dir', { search_term: 'zzz' })).toBe('No matches found for "zzz" in /');
    expect(await editor.refusal('search_dir', { search_term: 'x', path: '/sources' })).toEqual({
      code: 'not-found',
      message: 'There is no directory /sources. Similar directories: /source.',
    });
    expect((await editor.refusal('search_dir', { search_term: 'x', path: '/zzz' })).message).toBe(
      'There is no directory /zzz. There are /, /source.',
    );
  });

  test('takes a file for a directory with that file alone', async () => {
    const editor = await EditorHarness.over({ '/d/a': 'x', '/d/b': 'x' });
    expect(await editor.run('search_dir', { search_term: 'x', path: '/d/a' })).toBe(
      '[Found 1 matches for "x" in /d/a]\n/d/a (Line 1): x\n[End of matches for "x" in /d/a]',
    );
  });

  test('A-205 a term is literal and case-sensitive', async () => {
    const editor = await EditorHarness.over({ '/a': 'some text\nsome.*\nSome.*' });
    expect(await editor.run('search_dir', { search_term: 'some.*' })).toBe(
      '[Found 1 matches for "some.*" in /]\n/a (Line 2): some.*\n[End of matches for "some.*" in /]',
    );
  });

  test('a hundred files with matches are listed, one more is an error', async () => {
    const editor = await EditorHarness.over({});
    for (let i = 0; i < 100; i += 1) await editor.files.write(`/${i}`, 'x');
    expect(await editor.run('search_dir', { search_term: 'x' })).toContain(
      '[Found 100 matches for "x" in /]',
    );
    await editor.files.write('/100', 'x');
    expect(await editor.run('search_dir', { search_term: 'x' })).toBe(
      'More than 100 files matched for "x" in /: 101 files. ' +
        'Narrow the search: a longer search_term, or a directory further down.',
    );
  });

  test('two hundred matches are shown, the others counted', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(150), '/b': numberedLines(150) });
    const output = (await editor.run('search_dir', { search_term: 'line' })).split('\n');
    expect([output.length, output[0], output[200], output[201]]).toEqual([
      203,
      '[Found 300 matches for "line" in /]',
      '/b (Line 50): line 50',
      '… 100 more',
    ]);
  });

  test('a long line is cut around the match', async () => {
    const editor = await EditorHarness.over({ '/a': `${'a'.repeat(1000)}needle${'b'.repeat(1000)}` });
    const output =
      (await editor.run('search_file', { search_term: 'needle', path: '/a' })).split('\n')[1] ?? '';
    expect(output).toMatch(/^Line 1: …a+needleb+…$/u);
    expect(output.length).toBe('Line 1: '.length + 300);
  });

  test('a term must be part of a line', async () => {
    const editor = await EditorHarness.over({ '/a': 'x' });
    for (const term of ['', 'a\nb']) {
      const { code, message } = await editor.refusal('search_dir', { search_term: term });
      expect([code, message]).toEqual(['tool-input', expect.stringContaining('search_term: must')]);
    }
  });
});

describe('searching a file', () => {
  test('A-206 lists lines between a found and an end line', async () => {
    const editor = await EditorHarness.over({ '/a': '  foo\nbar\nfoo bar\n' });
    const found =
      '[Found 2 matches for "foo" in /a]\nLine 1: foo\nLine 3: foo bar\n[End of matches for "foo" in /a]';
    expect(await editor.run('search_file', { search_term: 'foo', file_path: 'a' })).toBe(found);
    expect(await editor.run('search_file', { search_term: 'zzz', file_path: 'a' })).toBe(
      '[No matches found for "zzz" in /a]',
    );
    await editor.run('open_file', { path: '/a' });
    expect(await editor.run('search_file', { search_term: 'foo' })).toBe(found);
    expect(await editor.run('search_file', { search_term: 'foo', path: null })).toBe(found);
  });

  test('A-206 rejects a missing file, or no file when none is open', async () => {
    const editor = await EditorHarness.over({ '/a': '' });
    expect(await editor.refusal('search_file', { search_term: 'x' })).toEqual({
      code: 'not-found',
      message: 'No file is open. Give the path of the file to search, or use Editor.open_file first.',
    });
    expect((await editor.refusal('search_file', { search_term: 'x', path: '/b' })).code).toBe('not-found');
  });

  test('A-208 stores the places of lines, counted from 0, with the term', async () => {
    const editor = await EditorHarness.over({ '/a': 'foo\nbar\nfoo' });
    await editor.run('search_file', { search_term: 'foo', path: '/a' });
    expect(editor.state).toEqual({ last_search: { path: '/a', symbol: 'foo', lines: [0, 2] } });
  });
});

describe('finding files', () => {
  const files = {
    '/src/app.ts': '',
    '/src/app.test.ts': '',
    '/src/deep/.env': '',
    '/test/app.test.ts': '',
    '/app/readme.md': '',
  };

  test.each([
    ['app', '/', ['/src/app.test.ts', '/src/app.ts', '/test/app.test.ts']],
    ['*.test.ts', '/', ['/src/app.test.ts', '/test/app.test.ts']],
    ['app.??', '/', ['/src/app.ts']],
    ['.env', './', ['/src/deep/.env']],
    ['app', 'test', ['/test/app.test.ts']],
    ['src/app', '/', ['/src/app.test.ts', '/src/app.ts']],
    ['src/*.ts', '/', ['/src/app.test.ts', '/src/app.ts']],
  ])('%s in %s', async (name, path, found) => {
    const editor = await EditorHarness.over(files);
    const place = path === 'test' ? '/test' : '/';
    expect(await editor.run('find_file', { file_name: name, dir_path: path })).toBe(
      [
        `[Found ${found.length} matches for "${name}" in ${place}]`,
        ...found,
        `[End of matches for "${name}" in ${place}]`,
      ].join('\n'),
    );
  });

  test('reports no match, and rejects a missing directory', async () => {
    const editor = await EditorHarness.over(files);
    expect(await editor.run('find_file', { file_name: 'App' })).toBe('[No matches found for "App" in /]');
    expect((await editor.refusal('find_file', { file_name: 'a', path: '/none' })).code).toBe('not-found');
  });
});
