import { describe, expect, it } from 'vitest';
import type { FileHistoryEntry, StepTrace } from '../../../src/index.js';
import type { Entry } from '../../../demo/state/conversation.js';
import { readable, shellLines } from '../../../demo/state/shell-lines.js';
import { changesOf, stepEntries } from '../../../demo/state/step-entries.js';

const step = (role: string, id: string | null = null): Entry & { kind: 'step' } => ({
  id,
  kind: 'step',
  role,
  thought: '',
  commands: [],
});
const trace = (role: string, callId: string): StepTrace =>
  ({ role, replyId: callId, observationId: 'o', commands: [{ callId }], calls: [] }) as unknown as StepTrace;

describe('the steps of a session', () => {
  it('are those of the conversation, by their replies, without other messages', () => {
    const [one, other, last, live] = [
      step('Mike', 'c1'),
      step('Alex', 'c2'),
      step('Mike', 'c3'),
      step('Mike'),
    ];
    const closing = { ...trace('Mike', 'c0'), replyId: '' };
    const [first, second, third] = [trace('Mike', 'c1'), trace('Alex', 'c2'), trace('Mike', 'c3')];
    const found = stepEntries(
      [one, { id: 'c0', kind: 'request', text: '' }, other, last, live],
      [trace('Mike', 'older'), first, closing, second, third],
    );
    expect([one, other, last, live].map((entry) => found.get(entry))).toEqual([
      first,
      second,
      third,
      undefined,
    ]);
  });

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
    const entry: Entry = {
      ...step('Zero'),
      commands: [
        {
          name: 'Terminal.run_command',
          args: { cmd: 'ls' },
          callId: null,
          state: 'ok',
          output: 'Command Terminal.run_command executed: \n[command]: ls \n[command output] : a\nb\n',
          durationMs: null,
        },
      ],
    };
    const mine = { by: 'user', command: 'pwd', output: '/', running: false } as const;
    expect(shellLines({ entries: [entry], live: null }, [mine])).toEqual([
      mine,
      { by: 'agent', command: 'ls', output: 'a\nb', running: false },
    ]);
    expect(readable('\n[command]: ls \n[command output] : a\n (pay attention to this.)')).toBe('a');
  });
});
