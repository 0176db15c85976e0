import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { JsonValue } from '../../../src/core/json.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { repetitionData, repetitionOf } from '../../../src/agent/commands/repetitions.js';
import { RoleZeroError } from '../../../src/core/error.js';
import { RunCommand, type Message } from '../../../src/core/message.js';
import type { Tool } from '../../../src/core/tool.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { CHINESE_PROMPTS } from '../../../src/agent/prompt/chinese.js';
import { RoleZero, type RoleZeroOptions } from '../../../src/worker/index.js';

type CommandSpec = [string, Record<string, JsonValue>];

const END: CommandSpec = ['end', {}];
const REPLY: CommandSpec = ['RoleZero.reply_to_human', { content: 'Done.' }];
const read: CommandSpec = ['Editor.read', { path: '/a.txt' }];
const edit = (before: string, after: string): CommandSpec => [
  'Editor.replace_text',
  { path: '/a.txt', old: before, new: after },
];
const write = (content: string): CommandSpec => ['Editor.write', { path: '/a.txt', content }];
const open: CommandSpec = ['Editor.open_file', { path: '/a.txt' }];
const append = (content: string): CommandSpec => ['Editor.append_file', { path: '/a.txt', content }];

/** A command whose results the test gives, one after the other; the last one again and again. */
function tool(name: string, results: string[], traits: Partial<Tool> = {}): Tool {
  let calls = 0;
  return defineTool({
    name,
    description: 'Looks or acts.',
    input: z.object({}),
    run: () => results[Math.min(calls++, results.length - 1)] ?? '',
    ...traits,
  } as never);
}

const test: CommandSpec = ['Test.run', {}];
const view: CommandSpec = ['Page.view', {}];
const click: CommandSpec = ['Page.click', {}];

/** Runs replies with these commands, one list each, and returns how often the model was asked to write another one. */
async function regenerations(lists: CommandSpec[][], tools: Tool[] = []): Promise<number> {
  const think = [...lists.map((list) => commands(...list)), commands(REPLY, END)];
  const model = scriptedModel({ think, regenerate: commands(REPLY, END) });
  const role = new RoleZero({ model, tools: [...editor(), ...tools], maxSteps: 40 });
  const { requests } = await runRole(role, 'Create the texts.', { files: { '/a.txt': 'one\n' } });
  return requests.filter(({ purpose }) => purpose === 'regenerate').length;
}

const rounds = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const reading = { effect: 'pure' } as const;

describe('a reply that was given before', () => {
  it.each<[string, CommandSpec[][], Tool[]]>([
    [
      'tests that pass after each of six edits',
      rounds.slice(1).flatMap((word, index) => [[edit(rounds[index] ?? '', word)], [test]]),
      [tool('Test.run', ['ok'], reading)],
    ],
    [
      'reads a file after each edit',
      [[read], [edit('one', 'two')], [read], [edit('two', 'three')], [read]],
      [],
    ],
    [
      'views a page after each click',
      [[view], [click], [view], [click], [view], [click], [view]],
      [tool('Page.view', ['1', '2', '3', '4'], reading), tool('Page.click', ['ok'])],
    ],
    ['scrolls on', [[open], [['Editor.scroll_down', {}]], [['Editor.scroll_down', {}]]], []],
    [
      'is tried again after the user answered',
      [[test], [['RoleZero.ask_human', { question: 'Did you repair it?' }]], [test]],
      [tool('Test.run', ['ok'], reading)],
    ],
  ])('is work when it %s', async (_what, lists, tools) => {
    const size = 300;
    const lines = Array.from({ length: size }, (_, index) => `line ${index}`).join('\n');
    const isScrolling = lists.flat().some(([name]) => name === 'Editor.scroll_down');
    expect(
      await regenerations(
        isScrolling ? [[read], [write(`${lines}\n${lines}\n${lines}`)], ...lists] : lists,
        tools,
      ),
    ).toBe(0);
  });

  it.each<[string, CommandSpec[][], Tool[]]>([
    ['reads a file again', [[read], [read]], []],
    ['fails again', [[edit('nothing', 'x')], [edit('nothing', 'x')]], []],
    ['reads two things in turns', [[read], [test], [read]], [tool('Test.run', ['ok'], reading)]],
    ['appends the same text again', [[append('more')], [append('more')]], []],
    [
      'views a page on which clicks change nothing',
      [[view], [click], [view], [click], [view]],
      [tool('Page.view', ['the same'], reading), tool('Page.click', ['ok'])],
    ],
    [
      'has two exclusive commands',
      [
        [edit('x', 'y'), append('a'), append('b')],
        [edit('x', 'y'), append('a'), append('b')],
      ],
      [],
    ],
    [
      'has dropped commands',
      [
        [append('a'), append('b')],
        [append('a'), append('b')],
      ],
      [],
    ],
  ])('is a repetition when it %s', async (_what, lists, tools) => {
    expect(await regenerations(lists, tools)).toBe(1);
  });

  it('is a repetition also with an end that is not reached', async () => {
    const list = [read, edit('', 'two'), write('two'), END];
    expect(await regenerations([list, list])).toBe(1);
    expect(await regenerations([[REPLY, END]])).toBe(0);
  });

  it('is a repetition when it comes from a repair', async () => {
    const list = commands(read);
    const model = scriptedModel({
      think: [list, 'Next: [Editor.read, /a.txt', commands(REPLY, END)],
      repair: list,
      regenerate: commands(REPLY, END),
    });
    const { requests } = await runRole(new RoleZero({ model, tools: editor() }), 'Create the texts.', {
      files: { '/a.txt': 'one\n' },
    });
    expect(requests.map(({ purpose }) => purpose)).toContain('regenerate');
  });

  it('is never run when the model insists; the model receives the earlier result, then the user is asked', async () => {
    const list = commands(append('more'));
    const model = scriptedModel({
      think: [list, list, list, list, commands(REPLY, END)],
      regenerate: list,
      'duplicate-problem': 'I only append.',
    });
    const role = new RoleZero({ model, tools: editor() });
    const { files, memory, human } = await runRole(role, 'Create the texts.', {
      files: { '/a.txt': 'one\n' },
      answers: ['Stop'],
    });
    expect(files['/a.txt']).toBe('one\nmore\n');
    const refused = memory.filter(({ content }) => content.startsWith('Not run: these are the commands'));
    expect(refused).toHaveLength(2);
    expect(refused[0]?.content).toContain('Command Editor.append_file executed');
    expect(human.questions).toEqual(['I have run into this problem: I only append.\nHow should I continue?']);
  });
});

// It opened the same page until the limit of steps: each time was another page.
it('a page that was opened twice with the same result is the same one', () => {
  const list = [{ name: 'Browser.goto', args: { url: 'https://tea.example/' } }];
  const opened = (page: number, result: string): Message[] => {
    const view = { files: 0, page, window: '' };
    const reply = { role: 'assistant', content: '', metadata: repetitionData(list, view) };
    const observation = { role: 'user', content: result, metadata: { changed: 'surely' } };
    return [reply, observation].map(
      (message) => ({ ...message, causeBy: RunCommand.id }) as unknown as Message,
    );
  };
  const times = (...messages: Message[]): number | undefined =>
    repetitionOf(messages, list, {
      view: () => ({ files: 0, page: 9, window: '' }),
      edits: false,
      hasUserChanges: () => false,
      mayRepeat: () => false,
    })?.times;
  expect(times(...opened(1, 'Tea'), ...opened(2, 'Tea'))).toBe(2);
  expect(times(...opened(1, 'Tea'), ...opened(2, 'More tea'))).toBeUndefined();
  expect(times(...opened(1, 'Tea'))).toBeUndefined();
});

// A model with 1.5 billion parameters repeats an edit that failed, and does not copy the arguments that would be right.
describe('a command that failed, given again as it was', () => {
  const names = { '/a.txt': 'calc(1) + calc(2)\n', '/b.txt': 'press\n' };
  async function after(lists: CommandSpec[][], tools: Tool[] = []) {
    const think = [...lists.map((list) => commands(...list)), commands(REPLY, END)];
    const model = scriptedModel({ think, regenerate: commands(REPLY, END) });
    const role = new RoleZero({ model, tools: [...editor(), ...tools] });
    const { files, memory, requests } = await runRole(role, 'Rename calc.', { files: names });
    const said = requests.map(({ messages }) => String(messages.at(-1)?.content));
    return { files, memory, said, purposes: requests.map(({ purpose }) => purpose) };
  }

  it('is run with the correction that its error names; the rest of its list waits', async () => {
    const list = [edit('calc', 'total'), write('nothing')];
    const { files, memory, said, purposes } = await after([list, list]);
    expect(files).toEqual({ ...names, '/a.txt': 'total(1) + total(2)\n' });
    expect(purposes).not.toContain('regenerate');
    expect(said[1]).toContain('as the same command does when it is given again');
    const args = JSON.stringify({ ...list[0]?.[1], replace_all: true });
    const note = `You gave Editor.replace_text again as it was, so it was run with these arguments: ${args}.`;
    expect(said[2]).toContain(note);
    expect(said[2]).toContain(
      'Not run: Editor.write of "/a.txt", because the result of Editor.replace_text must be seen first.',
    );
    const written = memory.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    expect(written[1]).toContain('"replace_all": true');
    expect(written[1]).not.toContain('nothing');
  });

  it('is run alone in another list, too; what has succeeded is not run again', async () => {
    const other: CommandSpec = ['Editor.write', { path: '/c.txt', content: 'c\n' }];
    const rename = edit('calc', 'total');
    const { files, said } = await after([[append('end'), rename], [append('end'), other, rename], [other]]);
    expect(files).toEqual({ ...names, '/a.txt': 'total(1) + total(2)\nend\n', '/c.txt': 'c\n' });
    expect(said[2]).toContain('What had succeeded before it was not run again.');
    expect(said[2]).toContain('Not run: Editor.write of "/c.txt", because the result of Editor.replace_text');
  });

  it('is run as it is when files have changed since', async () => {
    const lists = [[edit('press', 'click')], [append('press')], [edit('press', 'click')]];
    const { files } = await after(lists);
    expect(files).toEqual({ '/a.txt': 'calc(1) + calc(2)\nclick\n', '/b.txt': 'press\n' });
  });

  it('is run in the only file that has the text', async () => {
    const { files, said } = await after([[edit('press', 'click')], [edit('press', 'click')]]);
    expect(files).toEqual({ ...names, '/b.txt': 'click\n' });
    expect(said[1]).toContain(
      'in another file, to which the same command goes when it is given again: "path": "/b.txt"',
    );
  });

  it('is asked for again when it fails with the correction, too', async () => {
    const run = ({ n }: { n: number }): string => {
      throw new RoleZeroError('invalid', `${n} is wrong.`, { correction: { n: 2 } });
    };
    const count: CommandSpec = ['Test.count', { n: 1 }];
    const counter = { name: 'Test.count', description: 'Counts.', input: z.object({ n: z.number() }), run };
    const { memory, purposes } = await after([[count], [count], [count]], [defineTool(counter)]);
    const results = memory.filter(({ content }) => content.startsWith('Command Test.count'));
    expect(results.map(({ content }) => content.slice(-11))).toEqual(['1 is wrong.', '2 is wrong.']);
    expect(purposes).toContain('regenerate');
  });
});

describe('steps in a row without success', () => {
  const failing = (count: number) =>
    Array.from({ length: count }, (_, index) => commands(edit(`nothing ${index}`, 'x')));
  const run = (think: string[], answers: string[], options: RoleZeroOptions = {}) =>
    runRole(
      new RoleZero({ model: scriptedModel({ think }), tools: editor(), ...options }),
      'Create the texts.',
      {
        files: { '/a.txt': 'one\n' },
        answers,
      },
    );
  const question = 'The last 5 steps had no success. How should the work continue?';

  it('become a question with three choices, also when each is another command', async () => {
    const { human, outcome, events } = await run(failing(5), ['Stop']);
    expect([human.questions, outcome.status]).toEqual([[question], 'done']);
    const asked = events.find(({ type }) => type === 'human-question');
    expect(asked).toMatchObject({ question: { options: ['Try again', 'Choose another model', 'Stop'] } });
  });

  it('become a question when replies have no commands', async () => {
    const { human } = await run(Array<string>(5).fill('```json\n[]\n```'), ['Stop']);
    expect(human.questions).toEqual([question]);
  });

  it('continue with the advice of the user, and the user is asked again after five more', async () => {
    const { human, memory } = await run(failing(10), ['Look at the file first.', 'Stop']);
    expect(human.questions).toEqual([question, question]);
    expect(memory.map(({ content }) => content)).toContain('Human response: Look at the file first.');
  });

  it('are no question while any command succeeds', async () => {
    const mixed = failing(8).flatMap((each, index) =>
      index % 4 === 3 ? [each, commands(append(`${index}`))] : [each],
    );
    const { human, outcome } = await run([...mixed, commands(REPLY, END)], []);
    expect([human.questions, outcome.status]).toEqual([[], 'done']);
  });

  it('end the run when the user chooses another model, which can continue', async () => {
    const script = scriptedModel({ think: [...failing(5), commands(REPLY, END)] });
    const role = new RoleZero({ model: script, tools: editor() });
    const files = { '/a.txt': 'one\n' };
    const { outcome, events } = await runRole(role, 'Create the texts.', {
      files,
      answers: ['Choose another model'],
    });
    expect(outcome.status).toBe('failed');
    expect(events.at(-1)).toMatchObject({
      type: 'run-end',
      error: {
        code: 'model-request',
        message: expect.stringContaining('Choose another model, then resume') as string,
      },
    });
    const next = await role.work({ id: 'again', signal: new AbortController().signal });
    expect(next?.status).toBe('done');
  });

  it('ask in Chinese with the Chinese prompts', async () => {
    const { human, outcome } = await run(failing(5), ['停止'], { prompts: CHINESE_PROMPTS });
    expect([human.questions, outcome.status]).toEqual([['最近 5 步都没有成功。接下来怎么办？'], 'done']);
  });
});

describe('a reply beyond its limits', () => {
  it('runs the first 64 commands, and reports the others to the model and the user', async () => {
    const many = Array.from({ length: 200 }, (_, index): CommandSpec => [
      'Editor.write',
      { path: `/${index}.txt`, content: 'x' },
    ]);
    const model = scriptedModel({ think: [commands(...many), commands(REPLY, END)] });
    const { files, memory, events } = await runRole(
      new RoleZero({ model, tools: editor() }),
      'Create the texts.',
    );
    expect(Object.keys(files)).toHaveLength(64);
    expect(memory[2]?.content).toMatch(
      /^Not run: Editor\.write of "\/64\.txt", .*, Editor\.write of "\/73\.txt", 126 more, because a reply may have 64 commands, and yours has 200\./mu,
    );
    expect(events.find(({ type }) => type === 'warning')).toMatchObject({
      message:
        'A reply of the model has 200 commands. Only the first 64 are run; the model is asked for the others again.',
    });
  });
});

describe('a reply in prose', () => {
  it('is the answer when nothing had to be done', async () => {
    const prose = 'Paris is the capital of France.';
    const model = scriptedModel({ think: [prose], repair: prose });
    const { human, outcome } = await runRole(new RoleZero({ model }), 'France and its capital');
    expect([human.replies, human.questions, outcome.status]).toEqual([[prose], [], 'done']);
  });

  it('is no answer when it announces work', async () => {
    const prose = 'Sure, I will create the page now.';
    const model = scriptedModel({ think: [prose, commands(REPLY, END)], repair: prose });
    const { human } = await runRole(new RoleZero({ model }), 'France and its capital');
    expect(human.replies).toEqual(['Done.']);
  });

  it('is a question with three choices when there is work to do', async () => {
    const model = scriptedModel({ think: ['Hm.', 'Hm.', 'Hm.'], repair: 'Hm.' });
    const { human, events, outcome } = await runRole(new RoleZero({ model }), 'Create the texts.', {
      answers: ['Stop'],
    });
    expect(human.questions).toEqual([
      "The model's last 3 replies could not be read as commands. How should the work continue?",
    ]);
    expect(events.find(({ type }) => type === 'human-question')).toMatchObject({
      question: { options: ['Try again', 'Choose another model', 'Stop'] },
    });
    expect(outcome.status).toBe('done');
  });
});
