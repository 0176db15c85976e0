import { describe, expect, it } from 'vitest';
import { tellingArgument, writingOf } from '../../../src/element/writing.js';

const LIST = JSON.stringify(
  [
    { command_name: 'Plan.append_task', args: { task_id: '1', instruction: 'Build it' } },
    { command_name: 'Editor.write', args: { path: '/a "b".html', content: '<p>\n"one"\n</p>' } },
  ],
  null,
  2,
);

describe('the command being written', () => {
  it('is the last one with a name, with what can be read of it', () => {
    const at = (text: string) => writingOf(LIST.slice(0, LIST.indexOf(text) + text.length));
    expect(at('"command_na')).toBeNull();
    expect(at('"Plan.append')).toBeNull();
    expect(at('"Plan.append_task"')).toEqual({ name: 'Plan.append_task', about: '', lines: 0 });
    expect(at('"Build it"')).toEqual({ name: 'Plan.append_task', about: 'Build it', lines: 0 });
    expect(at('"/a \\"b')).toEqual({ name: 'Editor.write', about: '', lines: 0 });
    expect(at('\\"one\\"')).toEqual({ name: 'Editor.write', about: '/a "b".html', lines: 2 });
    expect(writingOf(LIST)).toEqual({ name: 'Editor.write', about: '/a "b".html', lines: 3 });
  });

  it('never throws, whatever the model writes', () => {
    for (let end = 0; end <= LIST.length; end++)
      expect(() => writingOf(`${LIST.slice(0, end)}"path": "\\x"`)).not.toThrow();
  });
});

it('the telling argument of a command is its path, command line or address', () => {
  expect(tellingArgument({ content: 'x', path: '/a' })).toBe('/a');
  expect(tellingArgument({ cmd: 'ls -l' })).toBe('ls -l');
  expect(tellingArgument({ n: 1 })).toBe('');
});
