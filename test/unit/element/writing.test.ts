import { describe, expect, it } from 'vitest';
import { commandBeingWritten, tellingArgument } from '../../../src/element/writing.js';

const CONTENT = '<p title="\\u0041">\n\t"one" \\ é 页\n</p>';
const LIST = JSON.stringify(
  [
    { command_name: 'Plan.append_task', args: { task_id: '1', instruction: 'Build it' } },
    { command_name: 'Editor.write', args: { path: '/a "b".html', content: CONTENT } },
  ],
  null,
  2,
);

describe('the command being written', () => {
  it('is the last one with a name, with what can be read of it', () => {
    const at = (text: string) => commandBeingWritten(LIST.slice(0, LIST.indexOf(text) + text.length));
    expect(at('"command_na')).toBeNull();
    expect(at('"Plan.append')).toBeNull();
    expect(at('"Plan.append_task"')).toEqual({ name: 'Plan.append_task', about: '', text: null });
    expect(at('"Build it"')).toEqual({ name: 'Plan.append_task', about: 'Build it', text: null });
    expect(at('"/a \\"b')).toEqual({ name: 'Editor.write', about: '', text: null });
    expect(at('"content": "')).toEqual({ name: 'Editor.write', about: '/a "b".html', text: '' });
    expect(commandBeingWritten(LIST)).toEqual({ name: 'Editor.write', about: '/a "b".html', text: CONTENT });
  });

  it('has a text that grows with the reply to the whole, and never contains half an escape sequence', () => {
    const asciiOnly = LIST.replace(
      /[^ -~\n]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    for (const reply of [LIST, asciiOnly, LIST.replaceAll('\\n', '\n')]) {
      let before = '';
      for (let end = 0; end <= reply.length; end++) {
        const { text = null } = commandBeingWritten(reply.slice(0, end)) ?? {};
        if (text === null) continue;
        expect(CONTENT.startsWith(text)).toBe(true);
        expect(text.startsWith(before)).toBe(true);
        before = text;
      }
      expect(before).toBe(CONTENT);
    }
  });

  it('has no text that JSON does not allow, and never throws', () => {
    expect(commandBeingWritten(LIST.replace('<p', '\\x'))?.text).toBeNull();
    expect(commandBeingWritten('')).toBeNull();
    for (let end = 0; end <= LIST.length; end++)
      expect(() => commandBeingWritten(`${LIST.slice(0, end)}"path": "\\x"`)).not.toThrow();
  });
});

it('the telling argument of a command is its path, command line or address', () => {
  expect(tellingArgument({ content: 'x', path: '/a' })).toBe('/a');
  expect(tellingArgument({ cmd: 'ls -l' })).toBe('ls -l');
  expect(tellingArgument({ n: 1 })).toBe('');
});
