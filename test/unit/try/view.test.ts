import type { AgentEvent, WarningCode } from 'rolezero';
import type { TaskData } from '../../../src/core/events.js';
import { describe, expect, it } from 'vitest';
import { View } from '../../../scripts/try/view.js';

const role = 'Zero';
const start: AgentEvent = { type: 'run-start', runId: 'r', request: 'write hello', resumed: false };
const thinks = (text: string): AgentEvent => ({ type: 'thought-delta', role, purpose: 'think', text });
const thought: AgentEvent = { type: 'thought-end', role, purpose: 'think', text: '' };
const reasons = (text: string): AgentEvent => ({ type: 'reasoning-delta', role, purpose: 'think', text });
const says = (text: string): AgentEvent => ({ type: 'human-reply', role, text });

function command(name: string, args: Record<string, string>, output = '', ok = true): AgentEvent {
  return { type: 'command-end', role, callId: 'c', name, args, output, ok, durationMs: 1_234 };
}

function task(taskId: string, instruction: string, isFinished = false): TaskData {
  const rest = { dependentTaskIds: [], taskType: '', assignee: '', code: '', result: '', isSuccess: false };
  return { taskId, instruction, isFinished, ...rest };
}

const plan = (currentTaskId: string, ...tasks: TaskData[]): AgentEvent => ({
  type: 'plan-changed',
  role,
  plan: { goal: '', context: '', currentTaskId, tasks },
});

const end = (more: Partial<AgentEvent<'run-end'>> = {}): AgentEvent => ({
  type: 'run-end',
  runId: 'r',
  status: 'done',
  summary: '',
  error: null,
  ...more,
});

function print(...events: AgentEvent[]): string {
  const view = new View(false);
  return events.map((event) => view.show(event)).join('');
}

describe('a run in the terminal', () => {
  it('reads from request to summary', () => {
    const usage = { promptTokens: 1_200, completionTokens: 30, cachedPromptTokens: 1_000, costUsd: 0.01 };
    const total = { calls: 1, ...usage };
    expect(
      print(
        start,
        thinks('I write'),
        thinks(' it.'),
        { type: 'reply-delta', role, purpose: 'think', text: '```json\n[' },
        thought,
        { type: 'usage', role, purpose: 'think', ...usage, total },
        { type: 'usage', role, purpose: 'think', ...usage, total },
        command('Editor.write', { content: 'hello', path: '/a.txt' }),
        says('Here:\n\n- it is'),
        command('RoleZero.reply_to_human', { content: 'Here' }),
        command('end', {}),
        end({ summary: 'Wrote a.txt.' }),
      ),
    ).toBe(
      `▶ Request: write hello

I write it.
✓ Editor.write /a.txt 1.2 s
● Zero: Here:

  - it is
✓ end 1.2 s
✓ Done. Wrote a.txt.
  2 calls, 2,400 tokens in (2,000 of them cached), 60 out, $0.0200
`,
    );
  });

  it('shows the plan once its commands are done, and again when it has changed', () => {
    const [first, second] = [task('1', 'Write'), task('2', 'Colour')];
    expect(
      print(
        plan('1', first),
        command('Plan.append_task', { task_id: '1' }),
        plan('1', first, second),
        command('Plan.append_task', { task_id: '2' }),
        thinks('Go.'),
        thought,
        plan('1', first, second),
        says('Hi'),
        plan('2', task('1', 'Write', true), second),
        end(),
      ),
    ).toBe(
      `✓ Plan.append_task 1 1.2 s
✓ Plan.append_task 2 1.2 s
  [>] 1. Write
  [ ] 2. Colour

Go.
● Zero: Hi
  [x] 1. Write
  [>] 2. Colour
✓ Done.
`,
    );
  });

  it('separates reasoning and thought', () => {
    expect(print(reasons('Hm'), reasons('m.'), thinks('I write.'), thought)).toBe('\nHmm.\nI write.\n');
  });

  it('shows the output of a failed command, and not all of a long text', () => {
    const output = 'one\n\ntwo\nthree\nfour\nfive';
    expect(print(command('Editor.read', { path: '/x' }, output, false))).toBe(
      '✗ Editor.read /x 1.2 s\n    one\n    two\n    three\n    four\n    …\n',
    );
  });

  it.each([
    ['waiting', '? Waiting for an answer.\n'],
    ['stopped', '■ Stopped. Half of it.\n'],
    ['exhausted', '■ Stopped at a limit. Half of it.\n'],
  ] as const)('ends as %s', (status, text) => {
    expect(print(end({ status, summary: 'Half of it.' }))).toBe(text);
  });

  it('ends an unfinished line before it reports a failure', () => {
    const error = { code: 'model-request', message: 'Refused.' } as const;
    expect(print(thinks('I'), end({ status: 'failed', error }))).toBe(
      '\nI\n✗ Failed (model-request): Refused.\n',
    );
  });

  it('numbers the options of a question', () => {
    const view = new View(false);
    const question = { id: 'q', role, kind: 'question', text: 'Which?', options: ['red', 'blue'] } as const;
    expect(view.question({ ...question, options: [...question.options] }) + view.answer('blue')).toBe(
      '? Which?\n    1. red\n    2. blue\n  → blue\n',
    );
  });

  it('shows the command that needs approval', () => {
    const asked = { name: 'Editor.write', args: { path: '/a' } };
    expect(
      new View(false).question({ id: 'q', role, kind: 'approval', text: 'May it?', command: asked }),
    ).toBe('? May it?\n  Editor.write {"path":"/a"}\n');
  });

  it('uses colors only where wanted, and none from the model', () => {
    const view = new View(true);
    expect(view.show(thinks('\u001b[31mred'))).toBe('\n\u001b[2mred\u001b[22m');
    const evil = '\u001b]0;x\u0007\u001b[2Jy';
    const printed = print(
      { ...start, request: evil },
      thinks(evil),
      reasons(evil),
      thought,
      command(evil, { path: evil }, evil, false),
      plan('1', task(evil, evil)),
      says(evil),
      { type: 'warning', code: evil as WarningCode, message: evil, detail: {} },
      end({ status: 'failed', error: { code: 'internal', message: evil } }),
    );
    expect(printed).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
