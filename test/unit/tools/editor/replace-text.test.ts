import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { replaceText } from '../../../../src/tools/editor/replace-text.js';
import { EditorHarness } from './harness.js';

const CODE = 'def f():\n    a = 1\n    return a\ndef g():\n    b = 2\n    return b\n';

describe('replacing a text that occurs once', () => {
  test('finds and changes it, and shows the place', async () => {
    const editor = await EditorHarness.over({ '/f.py': CODE });
    const output = await editor.run('replace_text', { path: '/f.py', old_str: 'b = 2', new_str: 'b = 9' });
    expect(output).toMatch(
      /^\[File: \/f\.py \(6 lines total after edit\)\]\n[^]*\n005\| {4}b = 9\n[^]*\n\[File updated \(edited at line 5\)\]\.$/u,
    );
    expect(editor.text('/f.py')).toBe(CODE.replace('b = 2', 'b = 9'));
  });

  test.each([
    ['several lines', 'a\nb\nc\n', 'a\nb', 'x\ny\nz', 'x\ny\nz\nc\n'],
    ['removed lines', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['line breaks as in the file', 'a\r\nb\r\nc', 'a\nb', 'x\ny', 'x\r\ny\r\nc'],
    ['spaces at the ends of lines', 'a  \nb\n', 'a\nb', 'x', 'x\n'],
    [
      'a missing indentation',
      'if x:\n    a\n    b\n',
      'a\nb',
      'c\n  d\n\ne',
      'if x:\n    c\n      d\n\n    e\n',
    ],
    ['too much indentation', 'a:\n  b\n', '      b ', '      c\n        d', 'a:\n  c\n    d\n'],
    ['other indentation', 'a:\n\tb\n', '  b ', '  c', 'a:\n  c\n'],
    ['empty lines around', 'a\nb\n', '\n a \n\n', '\nx\n', 'x\nb\n'],
    ['removed lines, whatever their spaces', 'a\n  b  \nc\n', 'b\t', '', 'a\nc\n'],
  ])('%s', (_, before, old, by, after) => {
    expect(replaceText(before, old, by).text).toBe(after);
  });

  test.each([
    [
      'twice',
      'a\nb\na\n',
      'a',
      'old is not unique. It occurs in these lines:\n001|a\n003|a\nGive the whole line',
    ],
    [
      'in lines that occur once',
      '* Black tea: 3.00\n  * Green tea: 3.00\n',
      '3.00',
      'one of these:\n{"old": "* Black tea: 3.00", "new": "* Black tea: b = 2"}\n{"old": "* Green tea: 3.00", "new": "* Green tea: b = 2"}\nOr to replace it everywhere:\n{"old": "3.00", "new": "b = 2", "replace_all": true}\n',
    ],
    [
      'as a name',
      'const sum = 1;\nprint(sum);\n',
      'sum',
      'not unique. To replace it everywhere, as the same command does when it is given again:\n{"old": "sum", "new": "b = 2", "replace_all": true}\nIt occurs in these lines; to replace it in one of them only, give the whole line in old and in new:\n001|const sum = 1;\n002|print(sum);\n',
    ],
    ['in symbols that overlap', 'a---b', '--', 'old is not unique.'],
    ['often', 'a\n'.repeat(9), 'a', '004|a\n005|a\nand further down.'],
    ['twice except for spaces', ' a \nb\n  a\n', '\ta', 'It occurs in these lines:\n001| a \n003|  a\n'],
    [
      'nowhere',
      CODE,
      'retrun b\nx',
      'old was not found in the file.\nLines like its first one:\nThe 006 line is "return b"\n',
    ],
    [
      'nowhere, and similar lines have quotation marks', // small models left them out
      '{\n  "port": 80,\n}\n',
      'port: 80',
      'The 002 line is "\\"port\\": 80,"\n',
    ],
    [
      'nowhere, and nothing similar',
      CODE,
      'zzz',
      'old was not found in the file.\nThe edit was not applied. Copy old exactly',
    ],
    ['without a text', CODE, ' \n', 'old is empty.'],
    ['by the same text', CODE, 'b = 2', 'old and new are the same'],
  ])('%s it is rejected with advice', async (_, before, old, advice) => {
    const editor = await EditorHarness.over({ '/f.py': before });
    const { code, message } = await editor.refusal('replace_text', { path: '/f.py', old, new: 'b = 2' });
    expect([code, message]).toEqual(['invalid', expect.stringContaining(advice)]);
  });

  // It renamed calc a second time, and changed calculator, too.
  it('leaves longer words when the name was replaced already, alone or everywhere', async () => {
    const before = 'export function calc() {}\nexport const calculator = calc;\n';
    const editor = await EditorHarness.over({ '/price.js': before, '/b.txt': 'colours\n' });
    const rename = { path: '/price.js', old: 'calc', new: 'total', replace_all: true };
    await editor.run('replace_text', rename);
    const after = 'export function total() {}\nexport const calculator = total;\n';
    for (const again of [rename, { ...rename, replace_all: false }]) {
      expect(await editor.run('replace_text', again)).toBe(
        'Nothing changed: old is only a part of longer words, such as in line 2, and new is there already. To replace that part, too, give the longer word in old and in new.',
      );
      expect(editor.text('/price.js')).toBe(after);
    }
    await editor.run('replace_text', { path: '/b.txt', old: 'colour', new: 'color' });
    expect(editor.text('/b.txt')).toBe('colors\n');
  });

  // It gave a list of renames again, whose first one was done, and never came to the second.
  it('says that a name is replaced already, and where it is left', async () => {
    const editor = await EditorHarness.over({ '/faq.md': 'Is Acorn free?\n', '/guide.md': '# Acorn\n' });
    const rename = { path: '/faq.md', old: 'Acorn', new: 'Chestnut' };
    await editor.run('replace_text', rename);
    const done = 'Nothing changed: old is not in the file, and new is there already.';
    for (const again of [rename, { ...rename, replace_all: true }])
      expect(await editor.run('replace_text', again)).toBe(
        `${done} The text is in another file: "path": "/guide.md"`,
      );
    await editor.run('replace_text', { ...rename, path: '/guide.md' });
    expect(await editor.run('replace_text', rename)).toBe(done);
    const { message } = await editor.refusal('replace_text', { ...rename, old: 'Is Acorn', new: 'Chestnut' });
    expect(message).toContain('old was not found in the file.');
  });

  // A model changed the page in place of its script, and a line in the wrong one of two files.
  it('names the files that have a text which this one lacks', async () => {
    const editor = await EditorHarness.over({
      '/list.html': '<ul></ul>\n',
      '/list.js': "add.on('press', more);\n",
      '/other.js': 'more();\n',
    });
    const arguments_ = { path: '/list.html', old: "on('press'", new: "on('click'" };
    expect((await editor.refusal('replace_text', arguments_)).message).toMatch(
      /\nThe text is in another file, to which the same command goes when it is given again: "path": "\/list\.js"$/,
    );
    await editor.files.write('/copy.js', "on('press')");
    expect((await editor.refusal('replace_text', arguments_)).message).toContain(
      'Do not repeat the same command.\nThe text is in another file: "path": "/copy.js" or "path": "/list.js"',
    );
    expect(
      (await editor.refusal('replace_text', { path: '/list.html', old: 'none', new: 'x' })).message,
    ).not.toContain('The text is in');
  });

  test('agrees with an exhaustive search', () => {
    const lines = fc.array(fc.constantFrom('a', ' a', 'b ', ''), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, (all, sought) => {
        const old = sought.join('\n');
        fc.pre(old.trim() !== '' && !all.join('\n').includes(old));
        const wanted = old
          .trim()
          .split(/\s*?\n/u)
          .map((line) => line.trim());
        const places = all.flatMap((_, i) =>
          wanted.every((line, k) => all[i + k]?.trim() === line) ? [i + 1] : [],
        );
        const replace = () => replaceText(all.join('\n'), old, 'new');
        if (places.length === 1)
          expect([replace().line, replace().text.includes('new')]).toEqual([places[0], true]);
        else expect(replace).toThrow(places.length === 0 ? 'not found' : 'not unique');
      }),
      { numRuns: 1000 },
    );
  });

  test('is fast on adversarial texts', () => {
    const text = 'a\n'.repeat(100_000);
    expect(() => replaceText(text, ' a\n'.repeat(50_000), 'x')).toThrow('not unique');
    expect(() => replaceText(text, `${' a\n'.repeat(50_000)}b`, 'x')).toThrow('not found');
  });
});

describe('replacing each occurrence', () => {
  test('changes all of them, and shows the lines and the number', async () => {
    const editor = await EditorHarness.over({ '/a.md': 'Is Acorn free?\n\nRemove Acorn: delete Acorn.\n' });
    const output = await editor.run('replace_text', { path: '/a.md', old: 'Acorn', new: 'Nut', all: true });
    expect(editor.text('/a.md')).toBe('Is Nut free?\n\nRemove Nut: delete Nut.\n');
    expect(output).toContain('001|Is Nut free?\n002|\n003|Remove Nut: delete Nut.\n');
    expect(output).toContain('(3 occurrences were replaced.)');
  });

  // A model renamed `calc`, and damaged `calculator`.
  test('leaves what is inside of longer words where others are whole words, and says so', async () => {
    const code = 'function calc() {}\nconst calculator = calculus(calc);\n';
    const editor = await EditorHarness.over({ '/a.js': code });
    const rename = { path: '/a.js', old: 'calc', new: 'total', replace_all: true };
    const output = await editor.run('replace_text', rename);
    expect(editor.text('/a.js')).toBe('function total() {}\nconst calculator = calculus(total);\n');
    expect(output).toContain('(2 occurrences were replaced. Inside of longer words, 2 were left.)');
    expect(replaceText('someone', 'some', 'any', true).text).toBe('anyone');
    expect(replaceText('红苹果树，苹果。', '苹果', '梨', true).text).toBe('红梨树，梨。');
  });

  test('agrees with String.replaceAll, and names lines that exist', () => {
    const text = fc.array(fc.constantFrom('-', '+', '\n'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (all, sought, by) => {
        const [before, old, after] = [all.join(''), sought.join(''), by.join('')];
        fc.pre(old.trim() !== '' && before.includes(old) && old !== after);
        const edited = replaceText(before, old, after, true);
        expect(edited.text).toBe(before.replaceAll(old, after));
        const { added } = edited;
        expect(added.first).toBeGreaterThanOrEqual(1);
        expect(added.last).toBeLessThanOrEqual(Math.max(1, edited.text.split('\n').length));
      }),
      { numRuns: 1000 },
    );
  });

  test('finds what looks the same once, and rejects it when it is there twice', () => {
    expect(replaceText('say(“a”);\n', 'say("a")', 'tell("a")', true).text).toBe('tell(“a”);\n');
    expect(() => replaceText('say(“a”);\nsay(“a”);\n', 'say("a")', 'x', true)).toThrow('not unique');
    expect(() => replaceText('a\n', 'a', 'a', true)).toThrow('old and new are the same');
  });
});

describe('a text that looks the same', () => {
  it.each([
    ['curly quotes', 'say(“it’s”);\n', 'say("it\'s")', 'tell("it\'s")', 'tell(“it’s”);\n'],
    ['plain quotes', "a = 'x'\nb\n", 'a = ‘x’', 'a = ‘y’', "a = 'y'\nb\n"],
    ['no-break spaces', '10\u00a0000 km\n', '10 000 km', '20 000 km', '20\u00a0000 km\n'],
    ['en dashes', '1914–1918: war\n', '1914-1918: war', '1914-1918: peace', '1914–1918: peace\n'],
    ['an ellipsis', 'wait…\n', 'wait...', 'wait..!', 'wait..!\n'],
    ['decomposed accents', 'cafe\u0301 noir\n', 'café noir', 'café crème', 'cafe\u0301 crème\n'],
    ['composed accents', 'café noir\n', 'cafe\u0301 noir', 'thé noir', 'thé noir\n'],
    ['invisible characters', 'soft\u00adware\n', 'software', 'hardware', 'hardware\n'],
    ['a byte order mark', '\ufeff“a”\nb\n', '"a"\nb', '"a"\nc', '\ufeff“a”\nc\n'],
    [
      'other quotes and other indentation',
      'if x:\n    say(“a”)\n    b\n',
      'say("a")\nb',
      'say("c")\nb',
      'if x:\n    say("c")\n    b\n',
    ],
  ])('is found despite %s', (_, before, old, by, after) => {
    expect(replaceText(before, old, by).text).toBe(after);
  });

  it('is replaced exactly where old and new differ', () => {
    const quotes = fc.array(fc.constantFrom('a', '’', '…', 'e\u0301', ' '), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(quotes, quotes, (one, other) => {
        const plain = (parts: string[]): string =>
          parts.join('').normalize().replaceAll('’', "'").replaceAll('…', '...');
        const [old, by] = [plain(one), plain(other)];
        fc.pre(old.trim() !== '' && old !== by);
        const { text } = replaceText(`[${one.join('')}]`, `[${old}]`, `[${by}]`);
        expect(plain([text])).toBe(`[${by}]`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('names the difference', async () => {
    const editor = await EditorHarness.over({ '/a.txt': 'it’s a\u00a0test\n' });
    expect(
      await editor.run('replace_text', { path: '/a.txt', old: "it's a test", new: "it's one test" }),
    ).toContain('(old was found although the file has "’" (U+2019) where old has "\'" (U+0027).)');
    expect(editor.text('/a.txt')).toBe('it’s one\u00a0test\n');
    expect(await editor.run('replace_text', { path: '/a.txt', old: 'one test', new: 'a test' })).toContain(
      'the file has U+00A0 where old has U+0020.',
    );
  });

  it('is not replaced when there are several', async () => {
    const editor = await EditorHarness.over({ '/a.txt': '‘a’\nb\n’a‘\n' });
    expect(
      (await editor.refusal('replace_text', { path: '/a.txt', old: "'a'", new: 'c' })).message,
    ).toContain('old is not unique. It occurs in these lines:\n001|');
  });

  it('is found with the line numbers of the editor', async () => {
    const editor = await EditorHarness.over({ '/a.js': 'f() {\n  return 1;\n}\ng() {\n  return 1;\n}\n' });
    const output = await editor.run('replace_text', {
      path: '/a.js',
      old: '005|  return 1;',
      new: '005|  return 2;',
    });
    expect(output).toContain('(The line numbers in old and new were left out.)');
    expect(editor.text('/a.js')).toBe('f() {\n  return 1;\n}\ng() {\n  return 2;\n}\n');
    await editor.run('replace_text', { path: '/a.js', old: '001|f() {\n002|  return 1;', new: '001|f() {' });
    expect(editor.text('/a.js')).toBe('f() {\n}\ng() {\n  return 2;\n}\n');
    expect(
      (await editor.refusal('replace_text', { path: '/a.js', old: '002|nothing', new: '' })).message,
    ).toContain('old was not found in the file.');
  });

  it('identifies the line of a range', async () => {
    const editor = await EditorHarness.over({ '/a.txt': 'it’s\n  b\n' });
    await editor.run('edit_file_by_replace', {
      path: '/a.txt',
      first_replaced_line_number: 1,
      first_replaced_line_content: "it's",
      last_replaced_line_number: 2,
      last_replaced_line_content: '002|  b',
      new_content: 'c',
    });
    expect(editor.text('/a.txt')).toBe('c\n');
    expect(
      (
        await editor.refusal('edit_file_by_replace', {
          path: '/a.txt',
          first_replaced_line_number: 1,
          first_replaced_line_content: '002|c',
          last_replaced_line_number: 1,
          last_replaced_line_content: 'c',
          new_content: 'd',
        })
      ).message,
    ).toContain('Line 1 is "c"');
  });
});
