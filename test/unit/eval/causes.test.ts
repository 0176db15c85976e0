import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from 'rolezero';
import { runInAiSdk } from '../../../scripts/eval/ai-sdk-loop.js';
import { Collector } from '../../../scripts/eval/collect.js';
import { judge } from '../../../scripts/eval/judge.js';
import { NO_ANSWER, type Task } from '../../../scripts/eval/task.js';
import { TASKS } from '../../../scripts/eval/tasks/index.js';
import { formatCommands } from '../../../src/agent/commands/format-commands.js';
import { PROMPTS } from '../../../src/agent/prompt/prompts.js';
import { whole } from '../../eval/model.js';
import { startFaultServer, type FaultServer } from '../../fault-server/fault-server.js';
import { refusal, stall } from '../../fault-server/replies.js';

const task = (id: string): Task => {
  const found = TASKS.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no task ${id}.`);
  return found;
};
const noSandbox = () => Promise.resolve({ problem: 'No check of this test evaluates anything.' });
const ended = (
  status: 'done' | 'exhausted' | 'failed',
  error: { code: string; message: string } | null = null,
) => ({ type: 'run-end', runId: 'r', status, summary: '', error }) as AgentEvent;
const step = (commands: number) =>
  ({
    type: 'step-end',
    role: 'Zero',
    trace: { replyId: 'm', calls: [], commands: Array.from({ length: commands }, () => ({})) },
  }) as unknown as AgentEvent;
const question = (text: string) => ({ id: 'q', role: 'Zero', kind: 'question', text }) as const;

/** The cause of a failure in the agent's loop, from its events and questions. */
async function causeOf(events: readonly AgentEvent[], questions: readonly string[] = [], id = 'edit/price') {
  const collector = new Collector(task(id));
  for (const text of questions) collector.answer(question(text));
  for (const event of events) collector.add(event);
  const failed = await judge(task(id), collector.attempted(task(id).files ?? {}, 0), noSandbox);
  return failed?.cause;
}

describe('the cause of a failure in the worker', () => {
  const guidance = PROMPTS.askForGuidance.replace('{problem}', 'I read the same file again.');
  const unreadable = `The model's last 3 replies could not be read as commands. How should the work continue?`;
  const answers = (text: string) => ({ type: 'human-reply', role: 'Zero', text }) as const;

  it.each([
    ['not done', [step(1), ended('done')], []],
    ['step limit', [step(1), step(1), ended('exhausted')], []],
    ['invalid replies', [step(0), step(0), step(1), ended('exhausted')], []],
    ['invalid replies', [ended('done')], [unreadable]],
    ['repeated itself', [ended('done')], [guidance]],
    ['asked needlessly', [ended('done')], ['Which price do you mean?']],
    ['refused wrongly', [answers("I'm sorry, but I cannot change prices."), ended('done')], []],
    ['timeout', [ended('failed', { code: 'model-timeout', message: 'Silence.' })], []],
    ['model error', [ended('failed', { code: 'model-unreachable', message: 'No server.' })], []],
    ['agent error', [ended('failed', { code: 'storage-full', message: 'No space.' })], []],
  ])('is "%s"', async (cause, events, questions) => {
    expect(await causeOf(events, questions)).toBe(cause);
  });

  it('is not a question where the task has an answer to it', async () => {
    expect(await causeOf([ended('done')], ['Which one?'], 'ask/file')).toBe('not done');
    expect(await causeOf([ended('done')], [], 'ask/file')).toBe('did not ask');
  });

  it('gets scripted answers in order, and then a request to decide', () => {
    const collector = new Collector(task('ask/color'));
    expect([1, 2].map((number) => collector.answer(question(`Question ${number}?`)))).toEqual([
      'teal',
      NO_ANSWER,
    ]);
    expect(collector.answer(question(PROMPTS.continueQuestion.replace('{steps}', '12')))).toBe('no');
    expect(collector.answer({ ...question('May it read the page?'), kind: 'approval' })).toBe('yes');
    expect(collector.attempted({}, 0).result.questions).toEqual(['Question 1?', 'Question 2?']);
  });
});

describe('what is counted in the worker', () => {
  const reply = (...names: string[]) =>
    formatCommands(names.map((name) => ({ name, args: { path: '/a.txt' } })));
  const traced = (calls: [purpose: string, reply: string][], commands: string[]) =>
    ({
      type: 'step-end',
      role: 'Zero',
      trace: {
        replyId: 'm',
        calls: calls.map(([purpose, text]) => ({ purpose, reply: text })),
        commands: commands.map((name) => ({ name, args: { path: '/a.txt' } })),
      },
    }) as unknown as AgentEvent;
  const counted = (...events: AgentEvent[]) => {
    const collector = new Collector(task('edit/price'));
    for (const event of events) collector.add(event);
    const { invented, dropped, repeated } = collector.attempted({}, 0).measures;
    return { invented, dropped, repeated };
  };

  it.each([
    [
      'nothing where all is run as written',
      [['think', reply('Editor.read', 'end')]],
      ['Editor.read', 'end'],
      {},
    ],
    [
      'commands that are not run',
      [['think', reply('Editor.read', 'Editor.write')]],
      ['Editor.read'],
      { dropped: 1 },
    ],
    [
      'commands that only the repair has',
      [
        ['think', 'Next: RoleZero.ask_human(…)'],
        ['repair', reply('Editor.read')],
      ],
      ['Editor.read'],
      { invented: 1 },
    ],
    [
      'no command of a reply that was written again',
      [
        ['think', reply('Editor.read', 'Editor.write')],
        ['regenerate', reply('Editor.read')],
      ],
      ['Editor.read'],
      {},
    ],
  ] as const)('is %s', (_, calls, commands, expected) => {
    expect(
      counted(
        traced(
          calls.map(([purpose, text]) => [purpose, text]),
          [...commands],
        ),
      ),
    ).toEqual({
      invented: 0,
      dropped: 0,
      repeated: 0,
      ...expected,
    });
  });

  it('is a command that was run before, in any step', () => {
    const read = traced([['think', reply('Editor.read')]], ['Editor.read']);
    expect(counted(read, read, read).repeated).toBe(2);
  });

  it('is a command that does not exist', () => {
    const failed = { type: 'command-end', ok: false, output: 'There is no command "Editor.save".' };
    expect(counted(failed as AgentEvent).invented).toBe(1);
  });
});

describe('the cause of a failure in a loop of the AI SDK', () => {
  let server: FaultServer;
  beforeEach(async () => (server = await startFaultServer()));
  afterEach(() => server.close());
  const attempt = async (minutes = 10) => {
    const endpoint = { baseURL: server.url, model: 'scripted', apiKey: undefined };
    const limits = { minutes, signal: new AbortController().signal };
    return judge(task('edit/price'), await runInAiSdk(task('edit/price'), endpoint, limits), noSandbox);
  };

  it.each([
    ['not done', whole('Done.', [])],
    ['step limit', whole('', [{ name: 'read_file', args: { path: '/menu.md' } }])],
    ['refused wrongly', whole("I'm sorry, I can't help with that.", [])],
    ['model error', refusal(401, 'The key is wrong.')],
  ])('is "%s"', async (cause, reply) => {
    server.script([reply], 'repeat');
    expect((await attempt())?.cause).toBe(cause);
  });

  it('is "timeout" for a server that does not reply', async () => {
    server.script([[stall]], 'repeat');
    expect((await attempt(0.01))?.cause).toBe('timeout');
  });

  it('is "asked needlessly" for a question, which is answered', async () => {
    const ask = whole('', [{ name: 'ask_user', args: { question: 'Which price?' } }]);
    server.script([ask, whole('Done.', [])]);
    expect((await attempt())?.cause).toBe('asked needlessly');
    expect(JSON.stringify(server.requests[1]?.body)).toContain(NO_ANSWER);
  });
});
