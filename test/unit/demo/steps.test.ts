import { describe, expect, it } from 'vitest';
import type { FileHistoryEntry, StepTrace } from '../../../src/index.js';
import type { ConversationView } from '../../../src/element/index.js';
import { readable, shellLines } from '../../../demo/state/shell-lines.js';
import { changesOf } from '../../../demo/state/file-changes.js';

describe('the steps of a session', () => {
  it('know their file changes, and whether all of them are undone', () => {
    const change = (id: string, path: string, undone: boolean): FileHistoryEntry => ({
      id,
      step: 's',
      by: 'agent',
      name: 'Editor.write',
      role: 'Zero',
      at: 0,
      paths: [path],
      undone,
      undonePaths: undone ? [path] : [],
    });
    const both = { role: 'Zero', commands: [{ callId: 'a' }, { callId: 'b' }] } as unknown as StepTrace;
    expect(
      changesOf(both, [change('a', '/y', true), change('b', '/x', false), change('z', '/z', false)]),
    ).toEqual({
      step: 's',
      paths: ['/x', '/y'],
      undone: false,
    });
    expect(changesOf(both, [])).toBe(null);
  });
});

describe('the shell', () => {
  it('keeps the commands of agent and user in order', () => {
    const entry: ConversationView['entries'][number] = {
      id: null,
      kind: 'step',
      role: 'Zero',
      thought: '',
      commands: [
        {
          name: 'Terminal.run_command',
          args: { cmd: 'ls' },
          callId: null,
          state: 'ok',
          about: 'ls',
          output: '[command]: ls \n[command output] : a\nb\n',
          durationMs: null,
        },
      ],
    };
    const mine = { by: 'user', command: 'pwd', output: '/', running: false } as const;
    expect(shellLines([entry], [mine])).toEqual([
      mine,
      { by: 'agent', command: 'ls', output: 'a\nb', running: false },
    ]);
    expect(readable('\n[command]: ls \n[command output] : a\n (pay attention to this.)')).toBe('a');
  });
});
