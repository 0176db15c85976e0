import { describe, expect, test } from 'vitest';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/index.js';
import { lint } from '../../../../src/tools/lint/index.js';
import { EditorHarness, numberedLines } from './harness.js';
import { textsOf } from '../../files/texts-of.js';

const CODE = 'def f():\n    a = 1\n    return a\ndef g():\n    b = 2\n    return b\n';

function replacing(first: number, firstContent: string, last: number, lastContent: string, content: string) {
  return {
    path: '/f.py',
    first_replaced_line_number: first,
    first_replaced_line_content: firstContent,
    last_replaced_line_number: last,
    last_replaced_line_content: lastContent,
    new_content: content,
  };
}

describe('writing a whole file', () => {
  const note =
    ' It is one line in which \\n is two characters. If you meant line breaks, write it again with real ones.';

  test('A-180 creates directories', async () => {
    const editor = await EditorHarness.over({});
    expect(await editor.run('write', { path: 'sub/x', content: 'a\nb' })).toBe(
      'The file x has been successfully created: /sub/x, 2 lines.',
    );
    expect(textsOf(editor.files)).toEqual({ '/sub/x': 'a\nb' });
  });

  test.each([
    ['/a.py', 'print("a\\nb")', ''],
    ['/a.json', '{"text": "line 1\\nline 2"}', ''],
    ['/a.js', 'text.split("\\n").map((line) => /\\n$/.test(line));', ''],
    ['/a.sh', 'printf "a\\n"', note],
    ['/a.txt', 'C:\\new\\names', note],
    ['/a.unknown', 'a\\nb', note],
    ['/broken.json', '{"text": \\n', note],
  ])('leaves backslash-n in %s as it is: %s', async (path, content, expected) => {
    const editor = await EditorHarness.over({}, { linters: lint() });
    for (const command of ['write', 'create_file']) {
      const file = `/${command}${path}`;
      expect((await editor.run(command, { path: file, content })).includes(note)).toBe(expected === note);
      expect(textsOf(editor.files)).toMatchObject({ [file]: content });
    }
  });

  test.each([
    ['/a.json', '{\\n  "a": 1\\n}\\n', '{\n  "a": 1\n}\n'],
    ['/a.py', 'def f():\\n    return 1\\n', 'def f():\n    return 1\n'],
    ['/a.js', 'const a = 1;\\nconst b = 2;\\n', 'const a = 1;\nconst b = 2;\n'],
  ])('reads backslash-n as a line break where only that makes %s valid', async (path, content, written) => {
    const editor = await EditorHarness.over({}, { linters: lint() });
    for (const command of ['write', 'create_file']) {
      const output = await editor.run(command, { path: `/${command}${path}`, content });
      expect(output).not.toContain('two characters');
      expect(textsOf(editor.files)).toMatchObject({ [`/${command}${path}`]: written });
    }
  });

  test('says that nothing changed when the file has exactly this content, and changes nothing', async () => {
    const editor = await EditorHarness.over({ '/menu.md': '# Menu\ntea\n' });
    const { revision } = editor.files;
    expect(await editor.run('write', { path: '/menu.md', content: '# Menu\ntea\n' })).toBe(
      'Nothing changed, the file already has exactly this content: /menu.md, 2 lines.',
    );
    expect(await editor.run('create_file', { path: '/menu.md', content: '# Menu\ntea\n' })).toBe(
      '[Nothing changed, the file already has exactly this content: /menu.md]',
    );
    expect(editor.files.revision).toBe(revision);
    expect(editor.state).toMatchObject({ current_file: '/menu.md', current_line: 1 });
  });

  // A model with 1.5 billion parameters moved a function, and wrote the files without `export`.
  test.each([
    ['/bill.js', 'export function bill(cents) {}\n', 'function bill(cents) {}\n', 'bill'],
    [
      '/a.ts',
      'export const a = 1;\nexport class B {}\nexport default function c() {}\n',
      'export const b = 1;\n',
      'a, B, c',
    ],
    ['/a.py', 'def a():\n    pass\n\nclass B:\n    pass\n', 'def a():\n    return 1\n', 'B'],
    ['/a.js', 'export const a = 1;\n', 'const a = 2;\nexport { a };\n', null],
    ['/a.js', 'export function a() {}\n', 'export const a = () => 1;\n', null],
    ['/a.md', 'export function a() {}\n', 'nothing\n', null],
  ])(
    '%s: names what others cannot use of a replaced module any more',
    async (path, before, content, lost) => {
      const editor = await EditorHarness.over({ [path]: before });
      const output = await editor.run('write', { path, content });
      expect(output).toContain(`has been replaced: ${path}, `);
      const note = `Other files cannot use these of it any more: ${lost}. If`;
      if (lost === null) expect(output).not.toContain('any more');
      else expect(output).toContain(note);
    },
  );

  // It wrote four pages of one comment each, and reported that the site was ready.
  test.each([
    ['/a.html', '', '<!-- Your index.html content here -->', true],
    ['/a.js', 'one();\ntwo();\n', 'one();\n// ... existing code ...\n', true],
    ['/a.css', '', '/* Add your styles here */', true],
    ['/a.py', '', '# rest of the code remains unchanged', true],
    ['/a.js', '// Add more tests here\none();\n', '// Add more tests here\ntwo();\n', false],
    ['/a.js', '', '// Returns the sum. It is used here and there.\nadd();\n', false],
    ['/a.md', '', '# Other files\n', false],
    ['/a.css', '', '#here { color: red }\n', false],
  ])('%s: names a comment in place of content, of %j then %j: %s', async (path, before, content, isNamed) => {
    const editor = await EditorHarness.over(before === '' ? {} : { [path]: before });
    const output = await editor.run('write', { path, content });
    expect(output.includes('It has a placeholder: ')).toBe(isNamed);
  });

  test('every old name of the path is accepted', async () => {
    const editor = await EditorHarness.over({});
    for (const name of ['path', 'file_path', 'filename', 'file_name']) {
      await editor.run('write', { [name]: `/${name}`, content: 'x' });
    }
    expect(Object.keys(textsOf(editor.files))).toEqual(['/file_name', '/file_path', '/filename', '/path']);
  });

  test('A-194 a path out of the workspace is rejected', async () => {
    const editor = await EditorHarness.over({ '/a': 'x' });
    for (const path of ['../x', '/../etc/passwd', 'C:\\x']) {
      expect((await editor.refusal('write', { path, content: '' })).code).toBe('permission');
      expect((await editor.refusal('read', { path })).code).toBe('permission');
      expect((await editor.refusal('search_dir', { path, search_term: 'x' })).code).toBe('permission');
    }
  });
});

describe('creating a file', () => {
  test('A-181 it has one line break and is open; creating it again fails', async () => {
    const editor = await EditorHarness.over({});
    expect(await editor.run('create_file', { filename: 'd/a.txt' })).toBe('[File /d/a.txt created.]');
    expect([editor.text('/d/a.txt'), editor.state['current_file'], editor.state['current_line']]).toEqual([
      '\n',
      '/d/a.txt',
      1,
    ]);
    expect(await editor.refusal('create_file', { path: '/d/a.txt' })).toEqual({
      code: 'invalid',
      message:
        'The file /d/a.txt already exists. ' +
        'Use Editor.open_file to see it, Editor.write to replace it, or choose another name.',
    });
  });

  test('it can have initial content', async () => {
    const editor = await EditorHarness.over({});
    await editor.run('create_file', { path: '/a', content: 'one\ntwo' });
    expect(editor.text('/a')).toBe('one\ntwo');
  });
});

describe('replacing lines', () => {
  test('A-182 the file is changed, opened and shown around the edit', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const output = await editor.run(
      'edit_file_by_replace',
      replacing(5, '    b = 2', 5, '    b = 2', '    b = 9'),
    );
    expect(output).toBe(
      '[File: /f.py (6 lines total after edit)]\n' +
        '(this is the beginning of the file)\n' +
        '001|def f():\n002|    a = 1\n003|    return a\n004|def g():\n005|    b = 9\n006|    return b\n' +
        '(this is the end of the file)\n' +
        '[File updated (edited at line 5)].',
    );
    expect(editor.text('/f.py')).toBe(CODE.replace('b = 2', 'b = 9'));
    expect([editor.state['current_file'], editor.state['current_line']]).toEqual(['/f.py', 5]);
  });

  test('line numbers may be written as strings', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    await editor.run('edit_file_by_replace', {
      ...replacing(1, 'def f():', 2, '    a = 1', 'def f(a):'),
      first_replaced_line_number: '1',
      last_replaced_line_number: ' 2 ',
    });
    expect(editor.text('/f.py')).toBe(CODE.replace('def f():\n    a = 1', 'def f(a):'));
    const wrong = { ...replacing(1, '', 1, '', ''), first_replaced_line_number: 'one' };
    const { code, message } = await editor.refusal('edit_file_by_replace', wrong);
    expect([code, message]).toEqual(['tool-input', expect.stringContaining('first_replaced_line_number')]);
  });

  test('several lines are replaced by several others', async () => {
    const editor = await EditorHarness.over({ '/f.py': '1\n2\n3\n4' });
    await editor.run('edit_file_by_replace', replacing(2, '2', 4, '4', 'two\n\nthree\n'));
    expect(editor.text('/f.py')).toBe('1\ntwo\n\nthree\n');
  });

  test('A-184 a line beyond the end is marked as out of range', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const { code, message } = await editor.refusal(
      'edit_file_by_replace',
      replacing(6, '    return b', 9, 'end', 'x'),
    );
    expect([code, message]).toEqual([
      'invalid',
      'last_replaced_line_number does not match last_replaced_line_content.\n' +
        'Line 9 is [out of range, the file has lines 1 to 6]\n' +
        'but last_replaced_line_content is "end"\n' +
        'The edit was not applied; the file has 6 lines. Open the correct file with Editor.open_file and look at its lines, ' +
        'then give line numbers and contents that belong together. Do not repeat the same command.',
    ]);
  });

  test('line numbers below one do not count from the end', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    for (const number of [0, -1]) {
      const { message } = await editor.refusal(
        'edit_file_by_replace',
        replacing(number, '    return b', number, '    return b', 'x'),
      );
      expect(message).toContain(`Line ${number} is [out of range, the file has lines 1 to 6]`);
    }
  });

  test('A-185 compares trailing spaces of the argument, not of the file', async () => {
    const editor = await EditorHarness.over({ '/f.py': 'a  \nb\n' });
    const { message } = await editor.refusal('edit_file_by_replace', replacing(2, 'b ', 2, 'b ', 'x'));
    expect(message).toContain('Line 2 is "b"\nbut first_replaced_line_content is "b "');
    await editor.run('edit_file_by_replace', replacing(1, 'a', 1, 'a', 'x'));
    expect(editor.text('/f.py')).toBe('x\nb\n');
  });

  test('reports all mismatches at once, with the lines around and the place of the content', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const { message } = await editor.refusal(
      'edit_file_by_replace',
      replacing(1, 'return a', 2, '    return b', 'x'),
    );
    expect(message.split('\n').slice(0, -1)).toEqual([
      'first_replaced_line_number does not match first_replaced_line_content.',
      'Line 1 is "def f():"',
      'but first_replaced_line_content is "return a"',
      'The lines around it:',
      'The 001 line is "def f():"',
      'The 002 line is "    a = 1"',
      'The 003 line is "    return a"',
      'The 004 line is "def g():"',
      'last_replaced_line_number does not match last_replaced_line_content.',
      'Line 2 is "    a = 1"',
      'but last_replaced_line_content is "    return b"',
      'The lines around it:',
      'The 001 line is "def f():"',
      'The 002 line is "    a = 1"',
      'The 003 line is "    return a"',
      'The 004 line is "def g():"',
      'The 005 line is "    b = 2"',
      'That content is in line 6.',
    ]);
  });

  test('content of several lines is quoted on one', async () => {
    const editor = await EditorHarness.over({ '/f.py': 'a\nb\n' });
    const { message } = await editor.refusal('edit_file_by_replace', replacing(1, 'a\nb', 1, 'a', 'x'));
    expect(message).toContain('first_replaced_line_content is "a\\nb"\n');
  });

  test('a range that ends before it starts is rejected with the valid range', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const { message } = await editor.refusal(
      'edit_file_by_replace',
      replacing(5, '    b = 2', 2, '    a = 1', 'x'),
    );
    expect(message).toContain(
      'last_replaced_line_number is 2, before first_replaced_line_number, which is 5. Allowed are 5 to 6.\n' +
        'The edit was not applied',
    );
  });

  test('A-187 empty content removes the lines completely', async () => {
    const editor = await EditorHarness.over({ '/f.py': '1\n2\n3\n4\n' });
    expect(await editor.run('edit_file_by_replace', replacing(2, '2', 3, '3', ''))).toContain(
      '(2 lines total',
    );
    expect(editor.text('/f.py')).toBe('1\n4\n');
    await editor.run('edit_file_by_replace', replacing(1, '1', 2, '4', ''));
    expect(editor.text('/f.py')).toBe('');
  });

  test('does not create a missing file', async () => {
    const editor = await EditorHarness.over({});
    expect((await editor.refusal('edit_file_by_replace', replacing(1, '', 1, '', 'x'))).code).toBe(
      'not-found',
    );
  });
});

describe('inserting lines', () => {
  const insert = (editor: EditorHarness, line: unknown, content: string) =>
    editor.run('insert_content_at_line', { file_name: '/a', line_number: line, insert_content: content });

  test.each([
    ['before a line', '1\n2\n', 2, 'new', '1\nnew\n2\n', 2],
    ['several at the beginning', '1\n2\n', 1, 'x\ny\n', 'x\ny\n1\n2\n', 1],
    ['at the end', '1\n2\n', 3, 'new', '1\n2\nnew\n', 3],
    ['at the end of a last line without line break', '1\n2', 3, 'new', '1\n2\nnew\n', 3],
    ['before such a line', '1\n2', 2, 'new', '1\nnew\n2', 2],
    ['into an empty file', '', 1, 'new', 'new\n', 1],
    ['into a file of one blank line', ' \n', 2, 'new', 'new\n', 1],
    ['with a number as string', '1\n2\n', '2', 'new', '1\nnew\n2\n', 2],
  ])('%s', async (_, before, line, content, after, at) => {
    const editor = await EditorHarness.over({ '/a': before });
    expect(await insert(editor, line, content)).toContain(`\n[File updated (edited at line ${at})].`);
    expect(editor.text('/a')).toBe(after);
    expect([editor.state['current_file'], editor.state['current_line']]).toEqual(['/a', at]);
  });

  test('rejects an invalid line with the valid range', async () => {
    const editor = await EditorHarness.over({ '/a': '1\n2\n' });
    for (const line of [0, -1, 4]) {
      const args = { path: '/a', line_number: line, insert_content: 'x' };
      expect((await editor.refusal('insert_content_at_line', args)).message).toContain(
        `line_number is ${line}. Allowed are 1 to 3.\nThe edit was not applied; the file has 2 lines.`,
      );
    }
    const args = { path: '/a', line_number: null, insert_content: 'x' };
    expect((await editor.refusal('insert_content_at_line', args)).code).toBe('tool-input');
  });
});

describe('appending lines', () => {
  const append = (editor: EditorHarness, content: string) =>
    editor.run('append_file', { path: '/a', content });

  test('A-190 to three lines, the edit is reported at the third', async () => {
    const editor = await EditorHarness.over({ '/a': 'Line 1\nLine 2\nLine 3\n' });
    const output = await append(editor, 'Line 4\nLine 5\n');
    expect(output).toMatch(
      /^\[File: \/a \(5 lines total after edit\)\]\n[^]*\n\[File updated \(edited at line 3\)\]\.$/u,
    );
    expect(editor.text('/a')).toBe('Line 1\nLine 2\nLine 3\nLine 4\nLine 5\n');
  });

  test('A-190 a missing final line break is added first', async () => {
    const editor = await EditorHarness.over({ '/a': 'one' });
    await append(editor, 'two');
    expect(editor.text('/a')).toBe('one\ntwo\n');
  });

  test('A-191 an empty file or one blank line becomes the new lines', async () => {
    for (const before of ['', '\n', '  \n', ' ']) {
      const editor = await EditorHarness.over({ '/a': before });
      expect(await append(editor, 'new')).toContain('(edited at line 1)');
      expect(editor.text('/a')).toBe('new\n');
    }
  });

  test('does not create a missing file', async () => {
    const editor = await EditorHarness.over({ '/b': '' });
    const { code, message } = await editor.refusal('append_file', { path: '/a', content: 'x' });
    expect([code, message]).toEqual(['not-found', expect.stringContaining('Editor.write')]);
  });
});

test('edits use the line breaks of the file and preserve its byte order mark', async () => {
  const editor = await EditorHarness.over({ '/f.py': '\ufeffone\r\ntwo\r\n' });
  await editor.run('edit_file_by_replace', replacing(1, 'one', 1, 'one', '1\n1b'));
  await editor.run('append_file', { path: '/f.py', content: 'three' });
  await editor.run('insert_content_at_line', { path: '/f.py', line_number: 1, insert_content: 'zero' });
  expect(editor.text('/f.py')).toBe('\ufeffzero\r\n1\r\n1b\r\ntwo\r\nthree\r\n');
});

test('a binary file is not edited: writing it back would damage it', async () => {
  const editor = await EditorHarness.over({ '/a': new Uint8Array([0x61, 0xff, 0x01, 0x0a]) });
  expect((await editor.refusal('append_file', { path: '/a', content: 'x' })).message).toContain(
    'not a text file',
  );
  expect(await editor.files.readBytes('/a')).toEqual(new Uint8Array([0x61, 0xff, 0x01, 0x0a]));
});

test('applies 100 edits to 10,000 lines', async () => {
  const editor = await EditorHarness.over({ '/f.py': numberedLines(10_000) });
  for (let number = 90; number <= 9_000; number += 90) {
    await editor.run(
      'edit_file_by_replace',
      replacing(number, `line ${number}`, number, `line ${number}`, `edited ${number}`),
    );
  }
  const expected = numberedLines(10_000).replace(/^line (\d+)$/gmu, (line, digits: string) => {
    const number = Number(digits);
    return number % 90 === 0 && number <= 9_000 ? `edited ${number}` : line;
  });
  expect(editor.text('/f.py')).toBe(expected);
});

describe('the result of an edit', () => {
  /** The numbers of the lines that a result shows. */
  const shown = (output: string) => [...output.matchAll(/^(\d+)\|/gmu)].map(([, number]) => Number(number));
  const range = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);

  test('shows the changed line and five lines on both sides', async () => {
    const editor = await EditorHarness.over({ '/big.txt': numberedLines(1_000) });
    const output = await editor.run('replace_text', {
      path: '/big.txt',
      old: 'line 500\n',
      new: 'changed\n',
    });
    expect(shown(output)).toEqual(range(495, 505));
    expect(output).toContain('(494 more lines above)\n495|');
    expect(output).toContain('500|changed\n');
    expect(output).toContain('(495 more lines below)');
  });

  test.each([
    ['the beginning', 1, range(1, 5)],
    ['the end', 20, range(15, 19)],
  ])('shows what surrounds lines removed at %s', async (_, line, expected) => {
    const editor = await EditorHarness.over({ '/f.txt': numberedLines(20) });
    const content = `line ${line}`;
    const output = await editor.run('edit_file_by_replace', {
      ...replacing(line, content, line, content, ''),
      path: '/f.txt',
    });
    expect(shown(output)).toEqual(expected);
  });

  test('leaves out the middle of a long insertion', async () => {
    const editor = await EditorHarness.over({ '/f.txt': numberedLines(100) });
    const output = await editor.run('insert_content_at_line', {
      path: '/f.txt',
      line_number: 50,
      insert_content: numberedLines(200),
    });
    expect(shown(output)).toEqual([...range(45, 64), ...range(235, 254)]);
    expect(output).toContain('064|line 15\n(170 more lines of the new content)\n235|line 186\n');
  });

  // A model with 1.5 billion parameters wrote a file as it had seen it.
  test.each([
    ['write', { path: '/f.txt', content: '001|line 1\n002|line 2\n003|new\n' }, 'line 1\nline 2\nnew\n'],
    ['append_file', { path: '/f.txt', content: '002|line 2\n003|new' }, 'line 1\nline 2\nline 2\nnew\n'],
    ['write', { path: '/f.txt', content: '001|Anna\n002|Ben\n' }, '001|Anna\n002|Ben\n'],
    ['write', { path: '/f.txt', content: '001|line 1\n003|line 2\n' }, '001|line 1\n003|line 2\n'],
    ['write', { path: '/f.txt', content: '001|line 1' }, 'line 1'],
    ['write', { path: '/f.txt', content: '002|line 1' }, '002|line 1'],
    ['append_file', { path: '/f.txt', content: '\n003|line 3\n004|line 4' }, numberedLines(4)],
    ['append_file', { path: '/f.txt', content: '003|line 3' }, numberedLines(3)],
    ['append_file', { path: '/f.txt', content: '007|line 3' }, `${numberedLines(2)}007|line 3\n`],
  ])('has no line numbers that were copied from the view (%s %j)', async (command, input, expected) => {
    const editor = await EditorHarness.over({ '/f.txt': numberedLines(2) });
    const output = await editor.run(command, input);
    expect(editor.text('/f.txt')).toBe(expected);
    if (command === 'write') expect(output.includes('were left out')).toBe(!expected.startsWith('0'));
  });

  // After a change it wrote the changed line alone, and all others were lost.
  test('is not replaced by some of its numbered lines', async () => {
    const editor = await EditorHarness.over({ '/f.txt': numberedLines(3) });
    const { code, message } = await editor.refusal('write', { path: '/f.txt', content: '002|line 2' });
    expect([code, message]).toEqual([
      'conflict',
      'Nothing was written. Your content begins with line 2 of /f.txt, and the rest of its 3 lines would be lost. Change a part with Editor.replace_text, or give the whole content, without line numbers.',
    ]);
    expect(editor.text('/f.txt')).toBe(numberedLines(3));
  });

  // It copied a file as it had seen it.
  test.each([
    ['001|Anna\n002|Ben\n', 'Anna\nBen\n'],
    ['002|Ben', 'Ben'],
    ['001|Clara\n002|Dora\n', '001|Clara\n002|Dora\n'],
  ])('has no line numbers that were copied from another file (%j)', async (content, expected) => {
    const think = [commands(['Editor.write', { path: '/copy.txt', content }]), commands(['end', {}])];
    const role = new RoleZero({ model: scriptedModel({ think }), tools: editor(), summarize: false });
    const { files, memory } = await runRole(role, 'Copy /names.txt', {
      files: { '/names.txt': 'Anna\nBen\n' },
    });
    expect(files['/copy.txt']).toBe(expected);
    expect(memory.some((message) => message.content.includes('were left out'))).toBe(expected !== content);
  });

  test('moves the open file there, so that the window shows more', async () => {
    const editor = await EditorHarness.over({ '/f.txt': numberedLines(100) });
    await editor.run('replace_text', { path: '/f.txt', old: 'line 50\n', new: 'changed\n' });
    expect(shown(await editor.run('goto_line', { line_number: 50 }))).toEqual(range(1, 100));
  });

  test('shows the place of an edit that is undone', async () => {
    const editor = await EditorHarness.over({ '/f.txt': numberedLines(100) });
    await editor.run('replace_text', { path: '/f.txt', old: 'line 50\n', new: 'changed\n' });
    expect(shown(await editor.run('undo_edit', {}))).toEqual(range(45, 55));
  });
});
