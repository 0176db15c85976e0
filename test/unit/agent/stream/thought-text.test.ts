import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/events.js';
import type { Purpose } from '../../../../src/core/model.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { thoughtOf, ThoughtText } from '../../../../src/agent/stream/thought-text.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/index.js';
import { REPLIES } from '../../../corpus/replies.js';

// cspell:ignore assistantfinal

const END = '[{"command_name": "end", "args": {}}]';

/** The displayed text of a reply that streams in these chunks. */
function streamed(chunks: readonly string[], purpose: Purpose = 'think'): string {
  const words = new ThoughtText(purpose);
  return chunks.map((chunk) => words.push(chunk)).join('') + words.end();
}

const byUnit = (reply: string): string[] => reply.split('');

/** A reply that is constrained to the schema: JSON from its first character to its last. */
const constrained = (thought: string, rest: object = {}): string =>
  JSON.stringify({ thought, ...rest, commands: [{ command_name: 'Editor.read', args: { path: '/a.txt' } }] });

describe('the text of a thought', () => {
  it.each([
    ['I write it.\n\n```json\n[{"command_name": "end"}]\n```', 'I write it.'],
    ['Now.\n[\n{"command_name": "end"}]', 'Now.'],
    ['Now.\n{\n"command_name": "end"}', 'Now.'],
    ['Now. ~~~\n~~~json\n[]', 'Now. ~~~'],
    ['`a` and [b]\n[c] {d}', '`a` and [b]\n[c] {d}'],
    ['1 < 2, a > b, "quoted", ``two``', '1 < 2, a > b, "quoted", ``two``'],
    ['> quoted\nand more', '> quoted\nand more'],
    ['a\n\nb\n\n', 'a\n\nb'],
    ['- [ ] one\n[ ] two\n- [x] three', '- [ ] one\n[ ] two\n- [x] three'],
    ['Nothing.\n[]', 'Nothing.'],
    ['Ends with `code`', 'Ends with `code`'],
    ['Ends with [', 'Ends with'],
    ['I call <tool_call>{"name": "end"}', 'I call'],
    ['I call <invoke\n  name="end">', 'I call'],
    ['[TOOL_CALLS] [{"name": "end"}]', ''],
    ['A <toolbar> is no tool.', 'A <toolbar> is no tool.'],
    ['<think>Hm [{"a": 1}]</think>\n\nI write it.\n' + END, 'I write it.'],
    ['Hm.</think>\nI write it.\n' + END, 'I write it.'],
    ['<think>I am not finished.', ''],
    ['Ok.\n[THINK]Hm.[/THINK]\nNow.\n' + END, 'Ok.\n\nNow.'],
    ['◁think▷Hm.◁/think▷Now.\n' + END, 'Now.'],
    ['<seed:think budget="9">Hm.</seed:think>Now.\n' + END, 'Now.'],
    ['analysisWe write.assistantfinalNow.\n' + END, 'Now.'],
    ['Thinking Process: one\n</think>\nNow.\n' + END, 'Now.'],
    ['Family 👨‍👩‍👧 and 𝒳.\n' + END, 'Family 👨‍👩‍👧 and 𝒳.'],
  ])('of %j', (reply, words) => {
    expect(thoughtOf(reply, 'think')).toBe(words);
  });

  it('come from the key `thought` of a JSON object, wherever it is', () => {
    const words = 'I write "it":\n\\d 👍 [b]';
    expect(thoughtOf(constrained(words), 'think')).toBe(words);
    expect(thoughtOf(constrained(words, { category: 'TASK' }), 'think')).toBe(words);
    expect(thoughtOf(`\`\`\`json\n${constrained(words)}\n\`\`\``, 'think')).toBe(words);
    expect(thoughtOf(`Ok.\n${constrained(words)}`, 'think')).toBe(`Ok.\n\n${words}`);
    const last = { n: -1.5, on: true, no: null, list: [{ thought: 'no' }, '}]'], o: { thought: '"}' } };
    expect(thoughtOf(JSON.stringify({ ...last, thought: words }, null, 2), 'think')).toBe(words);
    expect(thoughtOf('{"thought": {"thought": "no"}, "commands": []}', 'think')).toBe('');
    expect(thoughtOf('{"port": 80} and more', 'think')).toBe('');
  });

  it('is read from invalid JSON', () => {
    expect(thoughtOf(`{'thought': 'I'll write', 'commands': []}`, 'think')).toBe(`I'll write`);
    expect(thoughtOf('{"thought": "I say "hi" now", "commands": []}', 'think')).toBe('I say "hi" now');
    expect(thoughtOf(String.raw`{"thought": "C:\users \u12 \d", "commands": []}`, 'think')).toBe(
      String.raw`C:\users \u12 \d`,
    );
    expect(thoughtOf('{"thought": "I was cut o', 'think')).toBe('I was cut o');
  });

  it('stops at commands that are inside the thought of a JSON object', () => {
    expect(thoughtOf(constrained(`I send ${END} now`), 'think')).toBe('I send');
    expect(thoughtOf(constrained('I send\n```json\n[]\n```'), 'think')).toBe('I send');
    expect(thoughtOf(constrained('I send <tool_call>{}'), 'think')).toBe('I send');
    expect(thoughtOf(constrained(constrained('deep')), 'think')).toBe('');
  });

  it('arrives while the JSON streams in', () => {
    const words = new ThoughtText('think');
    const chunks = [
      '{"thou',
      'ght": "I wri',
      'te ',
      String.raw`it \u00`,
      'e9',
      '\\',
      'n',
      'now.", "com',
      'mands": [{"',
    ];
    expect(chunks.map((chunk) => words.push(chunk))).toEqual([
      '',
      'I wri',
      'te',
      ' it',
      ' é',
      '',
      '',
      '\nnow.',
      '',
    ]);
    expect(words.end()).toBe('');
  });

  it('never ends in half of a surrogate pair', () => {
    const words = new ThoughtText('think');
    const chunks = ['a \ud83d', '\udc4d b', '\ud83d'];
    expect(chunks.map((chunk) => words.push(chunk)).concat(words.end())).toEqual(['a', ' 👍 b', '', '']);
    const escaped = new ThoughtText('think');
    const pieces = byUnit(String.raw`{"thought": "\ud83d\udc4d"}`).map((char) => escaped.push(char));
    expect(pieces.filter((piece) => piece !== '')).toEqual(['👍']);
  });
});

describe('the text of an answer', () => {
  it.each([
    'Use:\n\n```python\nfor x in [1, 2]:\n    print({"a": x})\n```\nDone.',
    'Use `useState({ name: "Ada" })`:\n```tsx\nconst [user] = useState({ name: "Ada" });\n```',
    'A config:\n```json\n{ "port": 80, "hosts": ["a", "b"] }\n```\nEdit it.',
    'In C:\n```\nint main(void)\n{\n  return 0;\n}\n```',
    'The list ["a", "b"] and <b>bold</b> and {}.',
  ])('may contain code and data: %j', (answer) => {
    expect(thoughtOf(answer, 'quick')).toBe(answer);
    expect(streamed(byUnit(answer), 'report')).toBe(answer);
  });

  it.each([
    `I do it.\n${END}`,
    `I do it.\n\`\`\`json\n${END}\n\`\`\``,
    `I do it.\n\`\`\`\n${END}\n\`\`\``,
    'I do it.\n```json\n[{"name": "Editor.read", "arguments": {}}]\n```',
    'I do it.\n{"Editor.read": {"path": "/a"}}',
    'I do it. <function=end>{}</function>',
    'I do it.\n```json\n// commands\n[]\n```',
  ])('ends where commands begin: %j', (answer) => {
    expect(thoughtOf(answer, 'quick')).toBe('I do it.');
  });
});

/** Syntax of commands. The displayed text of no reply in the corpus contains it. */
const COMMAND_SYNTAX =
  /command_?name|```|~~~|[[［]\s*[{｛]|[{｛]\s*["'“{\\]|"(?:args|arguments|thought|commands)"|<\/?(?:tool|function|invoke|parameter|\|)|TOOL_CALLS|<\/?think/i;
/** The same for an answer, which may contain code and data. */
const COMMAND_SYNTAX_IN_ANSWER =
  /command_?name|[[［]\s*[{｛]|"(?:args|arguments|thought|commands|name)"|<\/?(?:tool|function|invoke|parameter|\|)|TOOL_CALLS|<\/?think/i;

const CONSTRAINED = [
  constrained('I write it.'),
  constrained('I write it.', { category: 'TASK' }),
  JSON.stringify({ thought: 'Easy.', category: 'QUICK', answer: '4.', commands: [] }),
  JSON.stringify({ commands: [{ command_name: 'end', args: {} }], thought: 'Last.' }, null, 2),
  `\`\`\`json\n${constrained('Fenced.')}\n\`\`\``,
  constrained('An escape \u0001 \u2028 "quoted" \\ 👍'),
];
const ALL = [...REPLIES.map(({ reply }) => reply), ...CONSTRAINED];

describe('any reply of a model', () => {
  it('is split the same regardless of its chunks', () => {
    const parts = fc.constantFrom(
      'word', ' ', '\n', '`', '```', '```json', '[', '{', '"', '[x]', '~', '>', '<think>', '</think>', '<tool_call>', ':',
      '\\', '\\u00e9', '\\ud83d', '\ud83d', '\udc4d', ',', '}', ']', '{"thought": "', '"command_name"', '#', '/', 'name',
      '［', '｛', "'", '\r\n', '[TOOL_CALLS]', '<invoke name="',
    ); // prettier-ignore
    const replies = fc.oneof(
      fc.array(parts, { maxLength: 60 }).map((each) => each.join('')),
      fc.constantFrom(...ALL),
    );
    const cuts = fc.array(fc.nat(40), { minLength: 1, maxLength: 40 });
    const purposes = fc.constantFrom<Purpose>('think', 'quick');
    fc.assert(
      fc.property(replies, cuts, purposes, (reply, sizes, purpose) => {
        const whole = streamed([reply], purpose);
        expect(streamed(byUnit(reply), purpose)).toBe(whole);
        const chunks: string[] = [];
        for (let at = 0, index = 0; at < reply.length; index++) {
          const size = (sizes[index % sizes.length] ?? 0) + 1;
          chunks.push(reply.slice(at, (at += size)));
        }
        expect(streamed(chunks, purpose)).toBe(whole);
        expect(whole).toBe(whole.trim());
      }),
      { numRuns: 400 },
    );
  });

  it('shows no command syntax, wherever it is cut off', () => {
    for (const reply of ALL)
      for (let end = 0; end <= reply.length; end++) {
        const cut = reply.slice(0, end);
        expect(streamed(byUnit(cut))).not.toMatch(COMMAND_SYNTAX);
        expect(thoughtOf(cut, 'think')).not.toMatch(COMMAND_SYNTAX);
        expect(streamed(byUnit(cut), 'quick')).not.toMatch(COMMAND_SYNTAX_IN_ANSWER);
      }
  });

  it.each([
    ['brackets', '['.repeat(50_000)],
    ['braces and blanks', '{ \n'.repeat(10_000)],
    ['blanks', ' '.repeat(50_000)],
    ['backticks with words', '`a``'.repeat(15_000)],
    ['brackets with words', '[a{b<c~d>e"'.repeat(10_000)],
    ['lines that nearly begin a tag', '<tool_cal'.repeat(10_000)],
    ['an unterminated string', `{"thought": "${'x'.repeat(50_000)}`],
    ['unterminated quotes within a string', `{"thought": "${'" x '.repeat(15_000)}`],
    ['half escapes', `{"thought": "${'\\u00'.repeat(15_000)}`],
    ['a skipped unterminated value', `{"a": ${'['.repeat(50_000)}`],
    ['endless thinking', `<think>${'</thin'.repeat(10_000)}`],
  ])('is read to its end, also %s', (_, reply) => {
    for (const purpose of ['think', 'quick'] as const) {
      const words = streamed(byUnit(reply), purpose);
      expect(words.length).toBeLessThanOrEqual(reply.length);
      expect(streamed([reply], purpose)).toBe(words);
    }
  });
});

/** The events of a run that users see, and the raw replies. */
function seen(events: readonly AgentEvent[]): { shown: string[]; deltas: string; raw: string } {
  const of = (type: 'thought-delta' | 'thought-end' | 'reply-delta', purpose?: Purpose): string[] =>
    events.flatMap((event) =>
      event.type === type && (purpose === undefined || event.purpose === purpose) ? [event.text] : [],
    );
  return {
    shown: [of('thought-delta').join(''), ...of('thought-delta'), ...of('thought-end')],
    deltas: of('thought-delta', 'think').join(''),
    raw: of('reply-delta', 'think').join(''),
  };
}

describe('the events of a run', () => {
  const close = commands(['end', {}]);

  async function events(
    reply: string,
    chunkSize: number,
    callPlan: 'classic' | 'merged',
  ): Promise<AgentEvent[]> {
    // Unreadable replies are requested again; a reply without commands is followed by another step.
    const model = scriptedModel(
      { think: [reply, close], regenerate: close, repair: 'No.', 'duplicate-problem': 'Stuck.' },
      { chunkSize, supports: { jsonSchema: true } },
    );
    const role = new RoleZero({ name: 'Zero', model, tools: [...editor()], callPlan, maxSteps: 2 });
    return (await runRole(role, 'Build /a.txt')).events;
  }

  it.each(['classic', 'merged'] as const)(
    'show text and no command syntax, plan %s',
    async (callPlan) => {
      for (const [index, reply] of ALL.entries()) {
        if (index % 2 === (callPlan === 'classic' ? 0 : 1)) continue; // the other plan shows the other half
        const chunkSize = callPlan === 'classic' ? 1 : 2 + (index % 9);
        const { shown, raw } = seen(await events(reply, chunkSize, callPlan));
        expect(shown.filter((text) => COMMAND_SYNTAX.test(text))).toEqual([]);
        expect(raw.startsWith(reply)).toBe(true);
      }
    },
    110_000,
  );

  it('stream the thought of constrained JSON word by word', async () => {
    const all = await events(constrained('I write it.'), 4, 'classic');
    expect(seen(all).deltas).toMatch(/^I write it\./);
    const pieces = all.flatMap((event) => (event.type === 'thought-delta' ? [event.text] : []));
    expect(pieces.slice(0, 4)).toEqual(['I wr', 'ite', ' it.', expect.any(String)]);
    expect(all.find((event) => event.type === 'thought-end' && event.purpose === 'think')).toMatchObject({
      text: 'I write it.',
    });
  });

  it('show no command syntax of a quick answer or a report that turns out to be commands', async () => {
    for (const reply of ALL) {
      const quick = scriptedModel(
        { classify: 'Response Category: QUICK', quick: reply, think: close, report: reply },
        { chunkSize: 3 },
      );
      const role = new RoleZero({ name: 'Zero', model: quick, tools: [...editor()] });
      const { shown } = seen((await runRole(role, 'What is 2 + 2?')).events);
      expect(shown.filter((text) => COMMAND_SYNTAX_IN_ANSWER.test(text))).toEqual([]);
    }
  }, 110_000);

  it('contain no commands in the final reply and the summary either', async () => {
    const think = commands(['Editor.write', { path: '/a.txt', content: 'hi' }], ['end', {}]);
    const model = scriptedModel({ think, report: `I wrote it.\n${END}`, summary: END });
    const { human, outcome, files } = await runRole(
      new RoleZero({ name: 'Zero', model, tools: editor(), summarize: true }),
      'Write hi.',
    );
    expect(files).toEqual({ '/a.txt': 'hi' });
    expect(human.replies).toEqual(['I wrote it.']);
    expect(outcome.status).toBe('done');
    expect(outcome.summary).toMatch(/^Records of this request: files created: "\/a.txt";/);
  });

  it('leave the reply unchanged in the prompt, in the steps and in the stored message', async () => {
    const reply = constrained('I look.');
    const model = scriptedModel({ think: [reply, close] }, { supports: { jsonSchema: true } });
    const role = new RoleZero({ name: 'Zero', model, tools: [...editor()] });
    const result = await runRole(role, 'Build /a.txt');
    expect(result.requests.at(-1)?.messages.map(({ content }) => content)).toContain(reply);
    expect(result.memory.map(({ content }) => content)).toContain(reply);
    const calls = result.events.flatMap((event) => (event.type === 'step-end' ? event.trace.calls : []));
    expect(calls.map((call) => call.reply)).toContain(reply);
  });
});
