import { describe, expect, it } from 'vitest';
import { RepetitionWatch, unitAtEnd } from '../../../src/agent/stream/repetition-watch.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { ChatModel } from '../../../src/core/model.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const END = commands(['RoleZero.reply_to_human', { content: 'It is over.' }], ['end', {}]);
const LINES =
  'I will look at the menu.\nThen I will change the price of green tea.\nI must look at the menu first.\n';

/** The length at which the watch stops a text that streams in, whose words are `words` or itself; null when it does not. */
function stoppedAt(
  text: string,
  hasWords: boolean,
  asked = '',
  isSmall = false,
  earlier: string | null = null,
): number | null {
  const watch = new RepetitionWatch((unit) => asked.includes(unit), hasWords, isSmall, earlier);
  for (let at = 0; at < text.length; at += 7) {
    const chunk = text.slice(at, at + 7);
    if (watch.push(chunk, chunk) !== null) return at;
  }
  return null;
}

/** Runs a request with the preset for small models: the randomness of each thought, and the warnings. */
async function runSmall(model: ChatModel) {
  const role = new RoleZero({ model, preset: 'small', tools: editor() });
  const { requests, events } = await runRole(role, 'Write /README.md.');
  const thoughts = requests.filter(({ purpose }) => purpose === 'think');
  return {
    temperatures: thoughts.map(({ temperature }) => temperature),
    warnings: events.filter(({ type }) => type === 'warning'),
  };
}

describe('a reply that repeats itself', () => {
  // As llama.cpp wrote it after a call in text, with `tool_choice: "required"`.
  const CALL = '{{"name": "Editor_write", "arguments": {"path": "/hello.txt", "content": "Hello, world!"}}}';

  it('is stopped in short lines of words when there are very many, and not in rows of values', () => {
    const list = (line: string): string => `{"args": {"content": "${line.repeat(2_000)}`;
    expect(stoppedAt(list('Buy bread\\n'), false)).toBeGreaterThan(5_900);
    expect(stoppedAt(list('Buy bread\\n'), false)).toBeLessThan(6_300);
    for (const row of ['word ', '0, 0, 1, 0, ', 'true,false,', '<td></td>', 'AAAA', '----|'])
      expect(stoppedAt(list(row), false), row).toBeNull();
  });

  // A model with 1.5 billion parameters wrote such items into a list of three until the limit of time.
  it('is stopped soon in equal lines of words that a small model writes into a file, unless the user wants them', () => {
    const list = `{"args": {"content": "## Limits\\n${'* Limited to 1000 bits\\n'.repeat(200)}`;
    const at = stoppedAt(list, false, '', true) ?? Infinity;
    expect([at > 280, at < 500]).toEqual([true, true]);
    expect(stoppedAt(list.slice(0, 190), false, '', true)).toBeNull();
    expect(stoppedAt(list, false, 'Write 200 lines "* Limited to 1000 bits".', true)).toBeNull();
    expect(stoppedAt(list, false)).toBeNull(); // a larger one may have a reason
    // And the names of steps in a circle, one in each line.
    expect(
      stoppedAt(`{"content": "${'walls\\nplaster\\nwires\\nroof\\n'.repeat(90)}`, false, '', true),
    ).not.toBeNull();
    // And asterisks in one line, although the request has one.
    const symbols = `{"args": {"content": "## Limits\\n${'* '.repeat(400)}`;
    expect(stoppedAt(symbols, false, 'Each item begins with "* ".', true)).toBeLessThan(700);
    expect(stoppedAt(symbols, false)).toBeNull();
    expect(stoppedAt(`{"args": {"content": "${'-'.repeat(80)}\\n`.repeat(9), false, '', true)).toBeNull();
    const board = `{"args": {"content": "${'<div class=\\"cell\\"></div>\\n'.repeat(100)}`;
    expect(stoppedAt(board, false, '', true)).toBeNull();
    expect(stoppedAt('我先查看菜单，然后修改价格。\\n'.repeat(60), false, '', true)).not.toBeNull();
  });

  // As llama.cpp wrote it where it must call a tool, and did not recognize the calls.
  // The same model: "water once per day", per week, … per quintillion years, until the limit of time.
  it('is stopped in lines of a small model that differ only in their last words, sooner when it does so again', async () => {
    const spans = Array.from({ length: 60 }, (_, n) => `${'x'.repeat(1 + (n % 9))}million${n} years`);
    const list = (line: string, sign = '* '): string =>
      `{"args": {"content": "## Limits\\n${spans.map((span, n) => `${sign.replace('1', String(n))}${line} ${span}.\\n`).join('')}`;
    const endless = list('The program can only heat water once per');
    const at = stoppedAt(endless, false, '', true) ?? Infinity;
    expect([at > 600, at < 1_000]).toEqual([true, true]);
    expect(
      stoppedAt(list('The program can only heat water once per', '1. '), false, '', true),
    ).not.toBeNull();
    expect(stoppedAt(list('这个程序每次只能加热一升水，时间是'), false, '', true)).not.toBeNull();
    expect(stoppedAt(endless, false, 'Write: The program can only heat water once per …', true)).toBeNull();
    expect(stoppedAt(endless, false)).toBeNull(); // a larger one may have a reason
    for (const line of [
      'Kettle heats',
      '<li>It is one of the many kinds of',
      'expect(it is one of many kinds) =',
    ])
      expect(stoppedAt(list(line), false, '', true), line).toBeNull();

    const call = endless.replace('{"args"', '[{"command_name": "Editor.write", "args"');
    const model = { ...scriptedModel({ think: [call, call, END, END] }), parameters: 1.5e9 };
    const { temperatures, warnings } = await runSmall(model);
    expect(temperatures).toEqual([0.2, 1, 1, 0.2]);
    expect(warnings).toMatchObject([
      { message: expect.stringMatching(/only heat water once per" 1\d times/) as string },
      { message: expect.stringMatching(/only heat water once per" [34] times/) as string },
    ]);
  });

  it('is stopped in code blocks with the same calls, and not in a list of equal commands', () => {
    const end = 'I will end the work.\n```json\n{"name": "end", "arguments": {}}\n```\nIt is complete.\n';
    expect(stoppedAt(CALL + end.repeat(30), false)).toBeLessThan(900);
    const press = '{"command_name": "Browser.press", "args": {"key": "ArrowRight"}},\n';
    expect(stoppedAt(`\`\`\`json\n[${press.repeat(40)}]`, false)).toBeNull();
    const guide = JSON.stringify(end).slice(1, -1);
    expect(stoppedAt(`{"args": {"content": "${guide.repeat(30)}`, false)).toBeNull();
  });

  it('is stopped in blanks without an end, and what is complete before them is run', async () => {
    const model = scriptedModel({ think: [CALL + '\n'.repeat(9_000), END] });
    const { events, files } = await runRole(new RoleZero({ model, tools: editor() }), 'Write /hello.txt');
    expect(files).toEqual({ '/hello.txt': 'Hello, world!' });
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
      { code: 'model-request', message: expect.stringMatching(/repeated blanks \d{3} times/) as string },
    ]);
    expect(stoppedAt(`${CALL}${' '.repeat(480)}.`, true)).toBeNull();
    // A slow model takes a minute for a hundred of them.
    expect(stoppedAt(`${CALL}${'\n'.repeat(300)}`, true)).toBeLessThan(250);
    expect(stoppedAt(`${CALL}${'\n'.repeat(30)}.`, true)).toBeNull();
  });

  it('is stopped, cut to two repetitions, and reported to the model and the user', async () => {
    const model = scriptedModel({ think: [LINES.repeat(400), END] });
    let sent = 0;
    let isClosed = false;
    const counting: ChatModel = {
      ...model,
      async *chat(request) {
        try {
          for await (const chunk of model.chat(request)) {
            if (chunk.type === 'text-delta' && request.purpose === 'think') sent += chunk.text.length;
            yield chunk;
          }
        } finally {
          isClosed ||= sent > 0;
        }
      },
    };
    const { events, memory, outcome, requests } = await runRole(
      new RoleZero({ model: counting, tools: editor() }),
      'Set the price of green tea in /menu.md.',
    );
    expect(outcome.status).toBe('done');
    expect(sent).toBeLessThan(1_500);
    expect(isClosed).toBe(true);
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
      { code: 'model-request', message: expect.stringContaining('I will look at the menu.') as string },
    ]);
    expect(memory.find(({ content }) => content.startsWith('Your reply'))?.content).toContain(
      'Your reply was stopped because it repeated the same text again and again.',
    );
    const second = requests.find(({ messages }) => messages.some(({ role }) => role === 'assistant'));
    const before = second?.messages.find(({ role }) => role === 'assistant')?.content;
    expect(String(before).match(/look at the menu first/g)).toHaveLength(2);
    expect(events.findLast(({ type }) => type === 'usage')).toMatchObject({ total: { calls: 2 } });
    const usage = events.find(({ type }) => type === 'usage');
    expect(usage?.type === 'usage' && usage.promptTokens > 100 && usage.completionTokens > 10).toBe(true);
  });

  // A small model began its next reply with the same circle of lines, until the limit of time.
  it('is stopped soon when it repeats what the reply before was stopped for, and is more random', async () => {
    const lines = '* 1000 microseconds\\n* 1000 nanoseconds\\n';
    const call = '[{"command_name": "Editor.write", "args": {"path": "/README.md", "content": "';
    const list = `${call}## Limits\\n${lines.repeat(90)}`;
    const unit = unitAtEnd(list.slice(0, 500)) ?? '';
    expect((unit + unit).includes(lines)).toBe(true);
    const [first, second] = [stoppedAt(list, false), stoppedAt(list, false, '', false, unit)];
    expect([first, (second ?? Infinity) < 350]).toEqual([null, true]);
    expect(stoppedAt(`Done.\n${'## A heading of its own\n'.repeat(20)}`, false, '', false, unit)).toBeNull();
    expect(unitAtEnd('{"commands": [{"command_name": "end", "args": {}}]}')).toBeNull();

    const model = scriptedModel({ think: [list + lines.repeat(90), list, END, END] });
    const { temperatures, warnings } = await runSmall(model);
    expect(temperatures).toEqual([0.2, 1, 1, 0.2]);
    expect(warnings).toMatchObject([
      { message: expect.stringMatching(/microseconds.* \d{3} times/) as string },
      { message: expect.stringMatching(/microseconds.* [234] times/) as string },
    ]);
  });

  it('has its complete commands run', async () => {
    const write = commands(['Editor.write', { path: '/a.txt', content: 'one' }]).replace(/\s*\]\s*```$/, ',');
    const model = scriptedModel({
      think: [
        `${write} {"command_name": "Editor.write", "args": {"path": "/b.txt", "content": "${'I add the same line again. '.repeat(400)}`,
        END,
      ],
    });
    const { files, requests } = await runRole(new RoleZero({ model, tools: editor() }), 'Write it.');
    expect(Object.keys(files)).toEqual(['/a.txt']);
    expect(String(requests.at(-1)?.messages.at(-1)?.content)).toContain(
      'repeated the same text again and again',
    );
  });

  it.each<[string, string, boolean]>([
    ['lines in turns', LINES.repeat(40), true],
    ['one sentence', 'The price is now 3.50. '.repeat(40), true],
    ['Chinese sentences', '我先查看菜单，然后修改价格。'.repeat(40), true],
    ['paragraphs in a file', `{"content": "${'The tea is green, and the cup is white. '.repeat(300)}`, false],
  ])('is stopped at %s', (_what, text, hasWords) => {
    expect(stoppedAt(text, hasWords)).not.toBeNull();
  });

  it.each<[string, string, boolean]>([
    ['four times the same', `${'I will look at the menu and then change it. '.repeat(4)}Now I do.`, true],
    ['the names of commands', `I will run ${'Editor.write, '.repeat(60)}`, true],
    ['a rule', `Result:\n${'-'.repeat(400)}\nDone.`, true],
    [
      'a table',
      `| a | b |\n|---|---|\n${Array.from({ length: 50 }, (_, row) => `| row ${row} | yes |\n`).join('')}`,
      true,
    ],
    [
      'equal rows of a table in a file',
      `{"content": "<table>${'<tr><td>0</td><td>0</td></tr>\\n'.repeat(150)}</table>"}`,
      false,
    ],
    ['the map of a game in a file', `{"content": "${`${'#'.repeat(60)}\\n`.repeat(40)}"}`, false],
    ['closing braces in code', `{"content": "${'    }\\n'.repeat(60)}"}`, false],
    [
      'equal commands',
      `[${'{"command_name": "Browser.press", "args": {"key": "ArrowDown"}}, '.repeat(60)}`,
      false,
    ],
    [
      'tests of one form in a file',
      Array.from(
        { length: 300 },
        (_, n) => `test('adds ${n}', () => expect(add(${n}, 1)).toBe(${n + 1}));\\n`,
      ).join(''),
      false,
    ],
  ])('is not stopped at %s', (_what, text, hasWords) => {
    expect(stoppedAt(text, hasWords)).toBeNull();
  });

  it('is not stopped at a text that the user wants repeated', () => {
    const text = 'I will not be late again.\n'.repeat(100);
    expect(stoppedAt(text, true, 'Write "I will not be late again." a hundred times.')).toBeNull();
    expect(stoppedAt(text, true, 'Write an apology.')).not.toBeNull();
  });
});
