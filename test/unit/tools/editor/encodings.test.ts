import { describe, expect, it } from 'vitest';
import { fileNews } from '../../../../src/parts/file-news.js';
import { EditorHarness } from './harness.js';

/** "café\nthe naïve line\n" */
const TEXT = 'café\nthe naïve line\n';
const LATIN_1 = Buffer.from(TEXT, 'latin1');
const UTF_16_LE = Buffer.from(`\ufeff${TEXT}`, 'utf16le');
const UTF_16_BE = Buffer.from(UTF_16_LE).swap16();

const FILES = {
  '/l.txt': new Uint8Array(LATIN_1),
  '/le.txt': new Uint8Array(UTF_16_LE),
  '/be.txt': new Uint8Array(UTF_16_BE),
};
const ALL = [
  ['/l.txt', 'Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ['/le.txt', 'UTF-16 LE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['/be.txt', 'UTF-16 BE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
] as const;

const contentOf = async (editor: EditorHarness, path: string): Promise<Buffer> =>
  Buffer.from(await editor.files.readBytes(path));

describe.each(ALL)('a file %s in %s', (path, encoding, bytesOf) => {
  it('is shown with its encoding', async () => {
    const editor = await EditorHarness.over(FILES);
    expect(await editor.run('open_file', { path })).toBe(
      `[File: ${path} (2 lines total; ${encoding})]\n(this is the beginning of the file)\n001|café\n002|the naïve line\n(this is the end of the file)`,
    );
    const content = await editor.run('read', { path });
    expect(content).toBe(
      `file_path: ${path}\nencoding: ${encoding}\nblock_content:\n001|café\n002|the naïve line\n`,
    );
  });

  it('keeps its encoding in every edit, and in undo', async () => {
    const editor = await EditorHarness.over(FILES);
    expect(await editor.run('replace_text', { path, old: 'naïve', new: 'brûlé' })).toContain(
      `(2 lines total after edit; ${encoding})`,
    );
    await editor.run('append_file', { path, content: 'ß' });
    await editor.run('insert_content_at_line', { path, line_number: 1, insert_content: 'Ärger' });
    expect(await contentOf(editor, path)).toEqual(bytesOf('Ärger\ncafé\nthe brûlé line\nß\n'));
    for (let i = 0; i < 3; i += 1)
      expect(await editor.run('undo_edit')).toContain(`after undo; ${encoding})`);
    expect(await contentOf(editor, path)).toEqual(bytesOf(TEXT));
  });

  it('keeps its encoding when it is written as a whole', async () => {
    const editor = await EditorHarness.over(FILES);
    expect(await editor.run('write', { path, content: 'Käse\n' })).toBe(
      `The file ${path.slice(1)} has been replaced: ${path}, 1 line. It is still encoded as ${encoding}.`,
    );
    expect(await contentOf(editor, path)).toEqual(bytesOf('Käse\n'));
    expect(await editor.run('write', { path, content: 'Käse\n' })).toContain('Nothing changed');
    await editor.run('undo_edit');
    expect(await contentOf(editor, path)).toEqual(bytesOf(TEXT));
  });

  it('is searched', async () => {
    const editor = await EditorHarness.over(FILES);
    expect(await editor.run('search_file', { path, search_term: 'naïve' })).toContain(
      'Line 2: the naïve line',
    );
    expect(await editor.run('search_dir', { search_term: 'naïve' })).toContain(
      `${path} (Line 2): the naïve line`,
    );
    expect(await editor.run('similarity_search', { query: 'naïve' })).toContain(`${path}:1-2`);
  });

  it('is listed with its lines and its encoding', async () => {
    const { files } = await EditorHarness.over({ [path]: FILES[path] });
    const { text } = await fileNews(
      files,
      { upTo: undefined, knows: () => false },
      { files: '{files}', filesChanged: '' },
    );
    expect(text).toBe(`"${path}" (2 lines; ${encoding})`);
  });
});

describe('a character that the encoding lacks', () => {
  it('is refused in an edit, which changes nothing', async () => {
    const editor = await EditorHarness.over(FILES);
    expect(await editor.refusal('replace_text', { path: '/l.txt', old: 'naïve', new: '→' })).toEqual({
      code: 'invalid',
      message:
        '/l.txt is encoded as Windows-1252, which has no "→" (U+2192). Nothing was changed. ' +
        'Use another character, or give the whole file to Editor.write, which then stores it as UTF-8.',
    });
    expect(await contentOf(editor, '/l.txt')).toEqual(LATIN_1);
  });

  it('makes a whole file UTF-8, says so to the model, and cannot undo it', async () => {
    const editor = await EditorHarness.over(FILES);
    expect(await editor.run('write', { path: '/l.txt', content: 'a → b\n' })).toContain(
      ' It is stored as UTF-8 now: Windows-1252, which it had, has no "→" (U+2192).',
    );
    expect(await contentOf(editor, '/l.txt')).toEqual(Buffer.from('a → b\n'));
    expect((await editor.refusal('undo_edit')).message).toContain('has another encoding');
  });
});

it('keeps the byte order mark of UTF-8 when a file is written as a whole', async () => {
  const editor = await EditorHarness.over({ '/a.csv': '\ufeffa;b\n' });
  await editor.run('write', { path: '/a.csv', content: 'c;d\n' });
  expect(editor.text('/a.csv')).toBe('\ufeffc;d\n');
});

it('shows the user what changes in a text of another encoding', async () => {
  const { files } = await EditorHarness.over(FILES);
  const stage = files.stage();
  await stage.write('/le.txt', 'new');
  expect(await stage.differences(['/le.txt'], () => 'binary')).toEqual([
    { path: '/le.txt', before: `\ufeff${TEXT}`, after: 'new' },
  ]);
});
