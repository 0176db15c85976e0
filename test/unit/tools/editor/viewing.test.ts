import { describe, expect, test } from 'vitest';
import { EditorHarness, numberedLines, shownWindow } from './harness.js';

const BEGIN = '(this is the beginning of the file)';
const END = '(this is the end of the file)';

describe('opening a file', () => {
  test('A-165 shows header, begin, numbered lines, end, and nothing after', async () => {
    const editor = await EditorHarness.over({ '/d/five.txt': 'a\n  b\n\nd\ne' });
    expect(await editor.run('open_file', { path: 'd/five.txt' })).toBe(
      `[File: /d/five.txt (5 lines total)]\n${BEGIN}\n001|a\n002|  b\n003|\n004|d\n005|e\n${END}`,
    );
    expect(editor.state).toEqual({
      current_file: '/d/five.txt',
      current_line: 1,
      window: 200,
      working_dir: '/',
    });
  });

  test('A-166 shows the requested number of lines', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(1000) });
    const output = await editor.run('open_file', { path: '/a', line_number: 1, context_lines: 50 });
    expect(shownWindow(output)).toEqual([BEGIN, 1, 50, '(950 more lines below)']);
  });

  test('A-167 shows the lines around a line', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(1000) });
    const output = await editor.run('open_file', { path: '/a', line_number: 300 });
    expect(shownWindow(output)).toEqual(['(199 more lines above)', 200, 400, '(600 more lines below)']);
  });

  test('A-169 windows at the edges of 3000 lines', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(3000) });
    const open = async (line: number) =>
      shownWindow(await editor.run('open_file', { path: '/a', line_number: line }));
    expect([await open(101), await open(102), await open(2900)]).toEqual([
      [BEGIN, 1, 200, '(2800 more lines below)'],
      ['(1 more lines above)', 2, 202, '(2798 more lines below)'],
      ['(2800 more lines above)', 2801, 3000, END],
    ]);
    expect(await editor.run('open_file', { path: '/a', line_number: 1000 })).toContain('\n1000|line 1000\n');
  });

  test('A-170 small windows still show a line on each side', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(100) });
    for (const size of [1, 2, 3, '2']) {
      const output = await editor.run('open_file', { path: '/a', line_number: 50, context_lines: size });
      expect(shownWindow(output).slice(1, 3)).toEqual([49, 51]);
    }
  });

  test('limits a window to 2000 lines, and uses the default for 0', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(5000) });
    for (const [size, last] of [
      [9999, 2000],
      [0, 200],
      [-1, 200],
      [null, 200],
    ]) {
      const output = await editor.run('open_file', { path: '/a', context_lines: size });
      expect(shownWindow(output)[2]).toBe(last);
    }
  });

  test('A-172 rejects an invalid line with the valid range', async () => {
    const editor = await EditorHarness.over({ '/a': 'one\ntwo\nthree\n' });
    for (const [line, shown] of [
      [0, '0'],
      [4, '4'],
      ['2', '"2"'],
      [1.5, '1.5'],
      [true, 'true'],
    ]) {
      expect(await editor.refusal('open_file', { path: '/a', line_number: line })).toEqual({
        code: 'invalid',
        message: `line_number must be a whole number from 1 to 3: /a has 3 lines. It was ${String(shown)}.`,
      });
    }
  });

  test('A-172 a missing file is rejected with similar names', async () => {
    const editor = await EditorHarness.over({ '/src/main.ts': '', '/src/domain.ts': '', '/x': '' });
    expect(await editor.refusal('open_file', { path: 'main.ts' })).toEqual({
      code: 'not-found',
      message:
        'There is no file /main.ts. Similar files: /src/main.ts, /src/domain.ts. ' +
        'Use Editor.find_file to look for a file, Editor.write to make a new one.',
    });
    const empty = await EditorHarness.over({});
    expect((await empty.refusal('read', { path: '/a' })).message).toBe(
      'There is no file /a. The workspace has no files yet; Editor.write makes one.',
    );
  });

  test('a directory is rejected with its content', async () => {
    const editor = await EditorHarness.over({ '/d/a': '', '/d/b': '' });
    expect((await editor.refusal('open_file', { path: '/d' })).message).toBe(
      '/d is a directory, not a file. It contains /d/a, /d/b.',
    );
  });

  test('A-173 an empty file is one empty line', async () => {
    const editor = await EditorHarness.over({ '/a': '' });
    expect(await editor.run('open_file', { path: '/a' })).toBe(
      `[File: /a (1 lines total)]\n${BEGIN}\n001|\n${END}`,
    );
  });

  test('a window shows the beginning of a line that would fill it', async () => {
    const editor = await EditorHarness.over({ '/a': 'x'.repeat(5000) });
    expect(await editor.run('open_file', { path: '/a' })).toContain(
      `001|${'x'.repeat(2000)}… (3000 more characters)\n`,
    );
  });

  test('Windows line breaks and a byte order mark are not shown', async () => {
    const editor = await EditorHarness.over({ '/a': '\ufeffone\r\ntwo\r\n' });
    expect(await editor.run('open_file', { path: '/a' })).toContain(`\n001|one\n002|two\n${END}`);
  });

  test('a binary file is not opened', async () => {
    const editor = await EditorHarness.over({ '/a': new Uint8Array([0x61, 0xff, 0x01]), '/b': 'a\0b' });
    for (const path of ['/a', '/b']) {
      expect((await editor.refusal('open_file', { path })).message).toContain(`${path} is not a text file`);
    }
  });

  test('a replacement character in the file is text', async () => {
    const editor = await EditorHarness.over({ '/a': 'a\ufffdb' });
    expect(await editor.run('open_file', { path: '/a' })).toContain('001|a\ufffdb');
  });
});

describe('moving in the open file', () => {
  test('A-174 goto_line shows the lines around it', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(1000), '/four': numberedLines(4) });
    await editor.run('open_file', { path: '/a' });
    const output = await editor.run('goto_line', { line_number: 500 });
    expect(shownWindow(output)).toEqual(['(399 more lines above)', 400, 600, '(400 more lines below)']);
    await editor.run('open_file', { path: '/four' });
    for (const line of [-1, 100, '2', undefined]) {
      expect((await editor.refusal('goto_line', { line_number: line })).message).toContain('from 1 to 4');
    }
  });

  test('A-176 scrolls by the default window size', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(1000) });
    await editor.run('open_file', { path: '/a', line_number: 800, context_lines: 300 });
    expect(shownWindow(await editor.run('scroll_up')).slice(1, 3)).toEqual([500, 700]);
    expect(editor.state['current_line']).toBe(600);
  });

  test('scrolling stops at both ends', async () => {
    const editor = await EditorHarness.over({ '/a': numberedLines(300) });
    await editor.run('open_file', { path: '/a' });
    const lines: unknown[] = [];
    for (const command of ['scroll_down', 'scroll_down', 'scroll_up', 'scroll_up']) {
      await editor.run(command);
      lines.push(editor.state['current_line']);
    }
    expect(lines).toEqual([201, 300, 100, 1]);
  });

  test('A-177 advises to open a file first', async () => {
    const editor = await EditorHarness.over({ '/a': '' });
    for (const [command, args] of [
      ['goto_line', { line_number: 1 }],
      ['scroll_down', {}],
      ['scroll_up', {}],
    ] as const) {
      expect(await editor.refusal(command, args)).toEqual({
        code: 'invalid',
        message: 'No file is open. Use Editor.open_file first.',
      });
    }
  });

  test('an open file that was removed is named', async () => {
    const editor = await EditorHarness.over({ '/a': '' });
    await editor.run('open_file', { path: '/a' });
    await editor.files.remove('/a');
    expect((await editor.refusal('scroll_down')).message).toContain('There is no file /a.');
  });

  test('uses the window size and the directory of the options, also in the descriptions', async () => {
    const editor = await EditorHarness.over(
      { '/src/a': numberedLines(100) },
      { window: 10, workingDirectory: '/src' },
    );
    await editor.run('open_file', { path: 'a', line_number: 50 });
    expect(shownWindow(await editor.run('scroll_down')).slice(1, 3)).toEqual([55, 65]);
  });
});

describe('reading', () => {
  test('A-178 path and numbered lines, without a header', async () => {
    const editor = await EditorHarness.over({ '/d/a.txt': 'one\ntwo\r\nthree' });
    expect(await editor.run('read', { path: 'd/a.txt' })).toBe(
      'file_path: /d/a.txt\nblock_content:\n001|one\n002|two\r\n003|three',
    );
    expect(editor.state).toEqual({});
  });

  test('A-178 an empty file has no content', async () => {
    const editor = await EditorHarness.over({ '/a': '' });
    expect(await editor.run('read', { path: '/a' })).toBe('file_path: /a\nblock_content:\n');
  });

  test('A-178 fifty thousand bytes are read, one more is an error', async () => {
    const editor = await EditorHarness.over({ '/a': 'x'.repeat(50_000), '/b': 'x'.repeat(50_001) });
    expect(await editor.run('read', { path: '/a' })).toBe(
      `file_path: /a\nblock_content:\n001|${'x'.repeat(50_000)}`,
    );
    expect(await editor.run('read', { path: '/b' })).toBe(
      'file_path: /b\nblock_content:\nThe file is too large to be read as a whole. Use Editor.similarity_search to find what you ' +
        'need in it, or Editor.open_file with a line number and Editor.scroll_down to go through it.',
    );
  });

  test('A-178 a file of many tokens is rejected, too', async () => {
    const editor = await EditorHarness.over({ '/a': 'a b '.repeat(6_000) });
    expect(await editor.run('read', { path: '/a' })).toContain('Editor.similarity_search');
  });

  test('shows a notice for binary files', async () => {
    const editor = await EditorHarness.over({ '/a': new Uint8Array([0x89, 0x50, 0]) });
    expect(await editor.run('read', { path: '/a' })).toBe(
      'file_path: /a\nblock_content:\n(This is not a text file; its content cannot be shown.)',
    );
  });

  test('a missing file is not found', async () => {
    const editor = await EditorHarness.over({});
    expect((await editor.refusal('read', { path: '/a' })).code).toBe('not-found');
  });
});
