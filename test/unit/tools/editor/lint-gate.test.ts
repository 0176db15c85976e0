import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Linter, Problem } from '../../../../src/core/linter.js';
import { EditorHarness } from './harness.js';

const CODE = 'def f():\n    x = 0\n    y = 1\n    a = 1\n    b = 2\n    return a + b\n';

function replacing(line: number, content: string, by: string, path = '/f.py') {
  return {
    path,
    first_replaced_line_number: line,
    first_replaced_line_content: content,
    last_replaced_line_number: line,
    last_replaced_line_content: content,
    new_content: by,
  };
}

/** A linter that reports every line with a certain word. */
function finding(...words: string[]): Linter {
  return {
    check: async (_, text) =>
      text
        .split('\n')
        .flatMap((content, i) =>
          words
            .filter((word) => content.includes(word))
            .map((word): Problem => ({ line: i + 1, message: word })),
        ),
  };
}

/** Returns the report about an edit that is not applied. */
async function reportOf(
  editor: EditorHarness,
  command: string,
  args: Record<string, unknown>,
): Promise<string> {
  const { code, message } = await editor.refusal(command, args);
  expect(code).toBe('invalid');
  return message;
}

const NOT_CHECKED: Linter = { check: async () => null };

describe('an edit with new errors', () => {
  test('A-195 is not applied; errors, both windows, indentation and advice are reported', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const { state } = editor;
    expect(await reportOf(editor, 'edit_file_by_replace', replacing(5, '    b = 2', '   b = (9'))).toBe(
      `[Your edit introduced new syntax errors. Read what they say, correct your edit and try again.]
ERRORS:
/f.py:5: unindent does not match any outer indentation level
/f.py:5:8: '(' was never closed
[What the file would have looked like with your edit]
-------------------------------------------------
(this is the beginning of the file)
001|def f():
002|    x = 0
003|    y = 1
004|    a = 1
005|   b = (9
006|    return a + b
(this is the end of the file)
-------------------------------------------------
[The original file, without your edit]
-------------------------------------------------
(this is the beginning of the file)
001|def f():
002|    x = 0
003|    y = 1
004|    a = 1
005|    b = 2
006|    return a + b
(this is the end of the file)
-------------------------------------------------
Your changes were not applied; the file is as it was.
The previous line is "    a = 1", its indentation is 4 spaces.
The error line is "   b = (9", its indentation is 3 spaces.
If the indentation is what is wrong, try 0 or 7 spaces.
Correct the line numbers or the code of your edit. Do not repeat the same command: it would lead to the same errors.`,
    );
    expect(editor.text('/f.py')).toBe(CODE);
    expect(editor.state).toEqual(state);
    expect(await editor.run('undo_edit')).toBe('[Nothing to undo.]');
  });

  test('A-195 is rejected in every editing command', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const bad = [
      reportOf(editor, 'insert_content_at_line', {
        path: '/f.py',
        line_number: 3,
        insert_content: '  z = 1',
      }),
      reportOf(editor, 'append_file', { path: '/f.py', content: 'print((1)' }),
      reportOf(editor, 'replace_text', { path: '/f.py', old: 'a + b', new: 'a + b]' }),
    ];
    const reports = await Promise.all(bad);
    expect(reports.map((report) => report.split('\n').slice(1, 3))).toEqual([
      ['ERRORS:', '/f.py:3: unindent does not match any outer indentation level'],
      ['ERRORS:', "/f.py:7:6: '(' was never closed"],
      ['ERRORS:', "/f.py:6:17: unmatched ']'"],
    ]);
    expect(editor.text('/f.py')).toBe(CODE);
  });

  test('windows are centered on the edit and show twenty lines more than were inserted', async () => {
    const text = Array.from({ length: 100 }, (_, i) => `a${i + 1} = 1\n`).join('');
    const editor = await EditorHarness.over({ '/f.py': text });
    const report = await reportOf(editor, 'edit_file_by_replace', replacing(50, 'a50 = 1', '(\n(\n('));
    expect(report.match(/^\((\d+ more .*)\)$/gmu)).toEqual([
      '(38 more lines above)',
      '(41 more lines below)',
      '(38 more lines above)',
      '(39 more lines below)',
    ]);
  });

  test('the reported indentation is that of the error, not of the start of the edit (R-147)', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const report = await reportOf(editor, 'append_file', {
      path: '/f.py',
      content: 'def g():\n    c = 1\n     d = 2',
    });
    expect(report).toContain(
      'The previous line is "    c = 1", its indentation is 4 spaces.\n' +
        'The error line is "     d = 2", its indentation is 5 spaces.\n' +
        'If the indentation is what is wrong, try 1 or 9 spaces.',
    );
  });

  // A model with 1.5 billion parameters changed the indentation of a JSON file because of this advice.
  test('indentation is not mentioned where it has no meaning', async () => {
    const editor = await EditorHarness.over({ '/a.json': '{\n  "a": 1\n}\n' });
    const report = await reportOf(editor, 'append_file', { path: '/a.json', content: '  "b": 2' });
    expect(report).toContain('/a.json:4:');
    expect(report).not.toContain('indentation');
  });

  test('ten errors are listed, the others counted', async () => {
    const editor = await EditorHarness.over({ '/f.py': 'a = 1\n' });
    const report = await reportOf(editor, 'append_file', { path: '/f.py', content: ')\n'.repeat(14) });
    expect(report.split('\n').slice(10, 13)).toEqual([
      "/f.py:10:1: unmatched ')'",
      "/f.py:11:1: unmatched ')'",
      '… 4 more',
    ]);
  });
});

describe('an edit without new errors', () => {
  test('A-197 is accepted despite existing errors, of syntax or not', async () => {
    const undefinedName = `${CODE}print(nobody)\n`;
    const editor = await EditorHarness.over(
      { '/f.py': undefinedName, '/broken.py': `${CODE})\n` },
      { linters: [finding('nobody'), NOT_CHECKED] },
    );
    for (const path of ['/f.py', '/broken.py'])
      expect(
        await editor.run('edit_file_by_replace', replacing(5, '    b = 2', '    b = 9', path)),
      ).toContain('[File updated (edited at line 5)].');
  });

  test('A-197 is accepted with the built-in checks alone', async () => {
    const editor = await EditorHarness.over({ '/f.py': `${CODE}print(nobody)\nx = (1\n` });
    expect(await editor.run('edit_file_by_replace', replacing(5, '    b = 2', '    b = 9'))).toContain(
      'File updated',
    );
  });

  test('may leave a wrong line as it is, but a second one is new (R-146)', async () => {
    const editor = await EditorHarness.over({ '/a.x': 'bad\ngood\nbad\n' }, { linters: [finding('bad')] });
    const edit = (line: number, content: string, by: string) =>
      editor.run('edit_file_by_replace', replacing(line, content, by, '/a.x'));
    expect(await edit(1, 'bad', 'still bad')).toContain('File updated');
    expect(
      await reportOf(editor, 'edit_file_by_replace', replacing(1, 'still bad', 'bad\nbad', '/a.x')),
    ).toContain('ERRORS:\n/a.x:2: bad\n[');
    expect(await edit(1, 'still bad', 'fine')).toContain('File updated');
    expect(editor.text('/a.x')).toBe('fine\ngood\nbad\n');
  });

  test('is not blamed for an error elsewhere that an earlier one masked', async () => {
    const first: Linter = {
      check: async (path, text) => ((await finding('bad', 'worse').check(path, text)) ?? []).slice(0, 1),
    };
    const editor = await EditorHarness.over({ '/a.x': 'bad\n1\n2\n3\nworse\n' }, { linters: [first] });
    expect(await editor.run('edit_file_by_replace', replacing(1, 'bad', 'good', '/a.x'))).toContain(
      'File updated',
    );
  });

  test('A-199 accepts files without a linter', async () => {
    const editor = await EditorHarness.over({ '/a.txt': 'a\n', '/a.xyz': 'a\n' });
    for (const path of ['/a.txt', '/a.xyz'])
      expect(await editor.run('append_file', { path, content: 'if ((( {"' })).toContain('File updated');
  });

  test('A-201 is always accepted without auto-lint', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE }, { autoLint: false, linters: [finding('b')] });
    expect(await editor.run('edit_file_by_replace', replacing(5, '    b = 2', '   b = (9'))).toContain(
      'File updated',
    );
    expect(editor.text('/f.py')).toBe(CODE.replace('    b = 2', '   b = (9'));
  });

  // A model with 1.5 billion parameters wrote `food: 85, travel: 105` to a JSON file, and reported it as done.
  test('whole files are written with errors, which the result names', async () => {
    const editor = await EditorHarness.over({});
    const write = (path: string, content: string) => editor.run('write', { path, content });
    const output = await write('/f.py', 'def f(:\n');
    expect(editor.text('/f.py')).toBe('def f(:\n');
    expect(output).toMatch(
      /^The file f\.py has been successfully created: .*\nIt has syntax errors\. .*\n\/f\.py:1/u,
    );
    expect(await write('/sums.json', 'food: 85')).toContain('It has syntax errors.');
    expect(await write('/sums.json', '{"food": 85}')).not.toContain('errors');
  });
});

describe('a failing linter', () => {
  afterEach(() => vi.useRealTimers());

  test('does not block the edit, and the failure is reported', async () => {
    const failing: Linter = { check: () => Promise.reject(new Error('out of order')) };
    const editor = await EditorHarness.over({ '/a.x': 'a\n' }, { linters: [failing] });
    expect((await editor.run('append_file', { path: '/a.x', content: 'b' })).split('\n').slice(-2)).toEqual([
      '[File updated (edited at line 1)].',
      '(Its syntax could not be checked: out of order)',
    ]);
    expect(editor.text('/a.x')).toBe('a\nb\n');
  });

  test('that never replies delays the edit by at most ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent: Linter = { check: () => new Promise(() => undefined) };
    const editor = await EditorHarness.over({ '/a.x': 'a\n' }, { linters: [silent] });
    const output = editor.run('append_file', { path: '/a.x', content: 'b' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await output).toContain(
      '(Its syntax could not be checked: The check did not end within 10 seconds.)',
    );
    expect(editor.text('/a.x')).toBe('a\nb\n');
  });

  test('with invalid lines gets the nearest lines shown', async () => {
    const lost: Linter = {
      check: async (_, text) => (text.includes('b') ? [{ line: 99, message: 'lost' }] : []),
    };
    const editor = await EditorHarness.over({ '/a.py': 'a\n' }, { linters: [lost] });
    expect(await reportOf(editor, 'append_file', { path: '/a.py', content: 'b' })).toContain(
      'The error line is "b"',
    );
  });

  test('is not called for large files', async () => {
    const editor = await EditorHarness.over({ '/f.py': '# \n'.repeat(400_000) });
    expect(await editor.run('append_file', { path: '/f.py', content: '(' })).toContain(
      'The file is too large for it.)',
    );
  });
});
