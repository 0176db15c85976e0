import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  keepEdits,
  MAX_EDIT,
  MAX_HISTORY,
  pastEdits,
  recordEdit,
  withoutEdit,
} from '../../../../src/tools/editor/undoing.js';
import { EditorHarness, numberedLines } from './harness.js';
import { textsOf } from '../../files/texts-of.js';

const TEN = numberedLines(10);

function replaceLine(editor: EditorHarness, number: number, content: string, by: string, path = '/a') {
  return editor.run('edit_file_by_replace', {
    path,
    first_replaced_line_number: number,
    first_replaced_line_content: content,
    last_replaced_line_number: number,
    last_replaced_line_content: content,
    new_content: by,
  });
}

describe('undoing edits', () => {
  test('A-193 undoes the last edit, then the one before it, then reports nothing to undo', async () => {
    const editor = await EditorHarness.over({ '/a': 'one\ntwo\n' });
    await replaceLine(editor, 2, 'two', 'TWO');
    await editor.run('append_file', { path: '/a', content: 'three' });
    expect(await editor.run('undo_edit')).toBe(
      '[File: /a (2 lines total after undo)]\n' +
        '(this is the beginning of the file)\n001|one\n002|TWO\n(this is the end of the file)\n' +
        '[Edit undone (at line 2). Edits of it that can still be undone: 1.]',
    );
    expect(editor.text('/a')).toBe('one\nTWO\n');
    expect(await editor.run('undo_edit', { file_name: 'a' })).toContain(
      '(at line 2). Edits of it that can still be undone: 0.',
    );
    expect(editor.text('/a')).toBe('one\ntwo\n');
    expect(await editor.run('undo_edit')).toBe('[Nothing to undo.]');
    expect(await editor.run('undo_edit', { path: '/a' })).toBe('[Nothing to undo in /a.]');
  });

  test('uses separate edits per file; without a path, those of the file edited last', async () => {
    const editor = await EditorHarness.over({ '/a': 'a\n', '/b': 'b\n' });
    await editor.run('append_file', { path: '/a', content: 'more' });
    await editor.run('append_file', { path: '/b', content: 'more' });
    await editor.run('undo_edit', { path: '/a' });
    expect(textsOf(editor.files)).toEqual({ '/a': 'a\n', '/b': 'b\nmore\n' });
    await editor.run('undo_edit', { path: null });
    expect(textsOf(editor.files)).toEqual({ '/a': 'a\n', '/b': 'b\n' });
  });

  test('restores an overwritten file, and removes a created one', async () => {
    const editor = await EditorHarness.over({ '/a': 'old\r\ntext' });
    await editor.run('write', { path: '/a', content: 'new' });
    await editor.run('create_file', { path: '/b' });
    expect(await editor.run('undo_edit')).toBe(
      '[Edit undone: the file /b is removed again. Edits of it that can still be undone: 0.]',
    );
    expect(editor.state['current_file']).toBeNull();
    await editor.run('undo_edit');
    expect(textsOf(editor.files)).toEqual({ '/a': 'old\r\ntext' });
  });

  test('stores undo data as plain data, which survives a reload', async () => {
    const before = await EditorHarness.over({ '/a': 'a\n' });
    await before.run('append_file', { path: '/a', content: 'b' });
    const after = await EditorHarness.over(textsOf(before.files));
    after.state = JSON.parse(JSON.stringify(before.state)) as typeof before.state;
    await after.run('undo_edit');
    expect(after.text('/a')).toBe('a\n');
  });

  test('ignores a write that changes nothing', async () => {
    const editor = await EditorHarness.over({ '/a': 'a\n' });
    await editor.run('write', { path: '/a', content: 'a\n' });
    expect(await editor.run('undo_edit')).toBe('[Nothing to undo.]');
  });
});

describe('undoing in a file that the user changed, too', () => {
  test.each([
    ['before the edit', (text: string) => `new\n${text}`],
    ['after it', (text: string) => `${text}new\n`],
    ['a line further down', (text: string) => text.replace('line 10', 'LINE 10')],
  ])('keeps what they changed %s', async (_, change) => {
    const editor = await EditorHarness.over({ '/a': TEN });
    await replaceLine(editor, 5, 'line 5', 'edited\nedited');
    await editor.files.write('/a', change(editor.text('/a') ?? ''));
    await editor.run('undo_edit');
    expect(editor.text('/a')).toBe(change(TEN));
  });

  test.each([
    ['in the edited lines', (text: string) => text.replace('edited', 'their own')],
    ['right next to them', (text: string) => text.replace('line 6', 'their own')],
    ['on both sides', (text: string) => `new\n${text}new\n`],
  ])('rejects when they changed something %s', async (_, change) => {
    const editor = await EditorHarness.over({ '/a': TEN });
    await replaceLine(editor, 5, 'line 5', 'edited');
    await editor.files.write('/a', change(editor.text('/a') ?? ''));
    expect(await editor.refusal('undo_edit')).toEqual({
      code: 'invalid',
      message:
        '/a was changed again since then, at the place of the edit; undoing the edit would also revert that change. ' +
        'Nothing was undone. Look at the file with Editor.open_file and change what has to be changed with Editor.edit_file_by_replace.',
    });
  });

  test('does not remove a created file that they wrote into, and does not find one they removed', async () => {
    const editor = await EditorHarness.over({});
    await editor.run('create_file', { path: '/a', content: 'a\n' });
    await editor.files.write('/a', 'a\ntheirs\n');
    expect((await editor.refusal('undo_edit')).code).toBe('invalid');
    await editor.files.remove('/a');
    expect((await editor.refusal('undo_edit')).code).toBe('not-found');
  });
});

describe('stored data for undo', () => {
  test('reports an edit that is too large, and does not undo an earlier one instead', async () => {
    const editor = await EditorHarness.over({ '/a': 'x'.repeat(MAX_EDIT), '/b': 'b\n' });
    await editor.run('append_file', { path: '/b', content: 'more' });
    await editor.run('append_file', { path: '/a', content: 'small' });
    await editor.run('write', { path: '/a', content: 'other' });
    expect(await editor.refusal('undo_edit')).toEqual({
      code: 'invalid',
      message:
        'The last edit of /a was too large to be stored for undo, or replaced content that is not text or has another encoding. ' +
        'Change the file with Editor.edit_file_by_replace or Editor.write.',
    });
    await editor.run('undo_edit', { path: '/b' });
    expect(editor.text('/b')).toBe('b\n');
  });

  test('does not include binary data', async () => {
    const editor = await EditorHarness.over({ '/a': new Uint8Array([0xff, 0]) });
    await editor.run('write', { path: '/a', content: 'text' });
    expect((await editor.refusal('undo_edit')).message).toContain('replaced content that is not text');
  });

  test('drops the oldest edits, and the state stays small', async () => {
    const editor = await EditorHarness.over({ '/a': `${'x'.repeat(9_000)}\n` });
    for (let i = 0; i < 200; i += 1) {
      await editor.run('write', {
        path: '/a',
        content: `${String.fromCharCode(65 + (i % 26)).repeat(9_000)}\n`,
      });
    }
    expect(JSON.stringify(editor.state).length).toBeLessThan(MAX_HISTORY + 2_000);
    let undone = 0;
    while ((await editor.run('undo_edit')) !== '[Nothing to undo.]') undone += 1;
    expect(undone).toBe(6);
  });

  test('is ignored when it cannot be read', () => {
    for (const edits of [null, 'x', [{ path: '/a' }], [1]]) expect(pastEdits({ edits })).toEqual([]);
  });
});

/** Few different characters, so that lines repeat and empty ones collide. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 20 });

test('edits undone one after the other restore every earlier text', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (texts) => {
      const different = texts.filter((each, i) => each !== texts[i - 1]);
      const state = {};
      for (const [i, each] of different.entries())
        recordEdit(state, '/a', i === 0 ? null : different[i - 1], each);
      let now = different.at(-1) ?? '';
      for (let i = different.length - 2; i >= -1; i -= 1) {
        const edits = pastEdits(state);
        const edit = edits.pop();
        if (edit === undefined || 'lost' in edit) throw new Error('forgotten');
        keepEdits(state, edits);
        const undone = withoutEdit(now, edit);
        expect(undone?.text).toBe(i < 0 ? null : different[i]);
        now = undone?.text ?? '';
      }
    }),
    { numRuns: 1000 },
  );
});

test('preserves a concurrent change or rejects the undo, and never loses the change', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  const place = fc.nat({ max: 12 });
  fc.assert(
    fc.property(lines, lines, place, place, place, (base, added, from, removed, theirs) => {
      const textOf = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
      const before = textOf(base);
      const after = textOf(base.toSpliced(from, removed, ...added));
      const state = {};
      recordEdit(state, '/a', before, after);
      const edit = pastEdits(state)[0];
      if (edit === undefined || 'lost' in edit) return;
      const changed = after.split('\n').toSpliced(theirs, 0, 'theirs').join('\n');
      const undone = withoutEdit(changed, edit);
      if (undone !== null) expect(undone.text?.replace(/theirs\n|\ntheirs$/u, '')).toBe(before);
    }),
    { numRuns: 2000 },
  );
});
