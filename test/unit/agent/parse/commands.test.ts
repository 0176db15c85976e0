import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from '../../../../src/core/human.js';
import { parseCommands } from '../../../../src/agent/parse/commands.js';
import { LIMITS } from '../../../../src/agent/parse/limits.js';
import { thoughtOf } from '../../../../src/agent/stream/thought-text.js';
import { formatCommands, keepFirstExclusive } from '../../../../src/agent/commands/format-commands.js';

const MAX_COMMANDS = LIMITS.commands;
const end: Command = { name: 'end', args: {} };
const END = '[{"command_name":"end","args":{}}]';
function read(reply: string) {
  const parsed = parseCommands(reply);
  return parsed.ok ? { ...parsed, thought: thoughtOf(reply, 'think') } : parsed;
}
const ok = (commands: Command[], thought = '', repaired = false) => ({
  ok: true,
  thought,
  commands,
  repaired,
});

describe('from a reply to commands', () => {
  test('A-085 a thought and a fenced array', () => {
    expect(read(`I am done.\n\`\`\`json\n${END}\n\`\`\``)).toEqual(ok([end], 'I am done.'));
  });

  test('A-086 a bare array', () => {
    expect(read(END)).toEqual(ok([end]));
  });

  test('A-087 one object, and an object with a list of commands', () => {
    expect(read('{"command_name":"end"}')).toEqual(ok([end]));
    expect(read(`{"commands":${END}}`)).toEqual(ok([end]));
  });

  test('A-089 accepts the opening bracket on the line of the label, and none at all', () => {
    const objects =
      '\n{"command_name":"Plan.finish_current_task","args":{}},\n{"command_name":"end","args":{}}\n';
    const both = [{ name: 'Plan.finish_current_task', args: {} }, end];
    expect(read(`\`\`\`json[${objects}]\n\`\`\``)).toEqual(ok(both));
    expect(read(`\`\`\`json${objects}]\n\`\`\``)).toEqual(ok(both, '', true));
    expect(read(`${objects}]`)).toEqual(ok(both, '', true));
  });

  test('A-090 reports place, fault and expected shape of an unreadable reply, with the block', () => {
    const block = '[{"command_name": "end",\n "args": {"a": +}}]';
    expect(read(`Hm.\n\`\`\`json\n${block}\n\`\`\``)).toEqual({
      ok: false,
      error:
        'The JSON of your reply cannot be read: value expected at line 2, column 16 (near "+}}]"). ' +
        'Send one ```json block with a list of commands, each an object with "command_name" and "args".',
      text: block,
    });
  });

  test('A-092 a reply without commands is an error, not an exception', () => {
    expect(read('I do not know.')).toEqual({
      ok: false,
      error:
        'Your reply holds no commands. Send one ```json block with a list of commands, each an object with "command_name" and "args".',
      text: 'I do not know.',
    });
  });

  test('A-093 reports a list of strings, null and an item without a name by index', () => {
    const errors = ['["end"]', 'null', `[{"command_name":"end"},{"args":{}}]`].map((reply) => {
      const parsed = read(reply);
      return parsed.ok ? 'no error' : parsed.error.split('. Send one')[0];
    });
    expect(errors).toEqual([
      'Item 0 (counted from 0) is text ("end"), not a command',
      'Your reply is null, not a list of commands',
      'Item 1 (counted from 0) has no "command_name"',
    ]);
  });

  test('A-096 drops everything after the first of several exclusive commands', () => {
    const names = ['Plan.append_task', 'Editor.append_file', 'end', 'Editor.open_file', 'end'];
    const commands = names.map((name) => ({ name, args: { text: '中文' } }));
    const exclusive = (name: string) => ['Editor.append_file', 'Editor.open_file'].includes(name);
    const stored = keepFirstExclusive(commands, exclusive);
    expect(stored).toEqual({ commands: commands.slice(0, 2), dropped: commands.slice(2) });
    expect(formatCommands(stored.commands)).toBe(`\`\`\`json
[
    {
        "command_name": "Plan.append_task",
        "args": {
            "text": "中文"
        }
    },
    {
        "command_name": "Editor.append_file",
        "args": {
            "text": "中文"
        }
    }
]
\`\`\``);
  });

  test('drops nothing after a single exclusive command, nor after a last one', () => {
    const commands = ['a', 'x', 'b'].map((name) => ({ name, args: {} }));
    expect(keepFirstExclusive(commands, (name) => name === 'x')).toEqual({ commands, dropped: [] });
    expect(keepFirstExclusive([], () => true)).toEqual({ commands: [], dropped: [] });
  });

  test('A-097 markdown fences inside a string are content', () => {
    const content = '# Title\n```json\n[{"command_name": "rm"}]\n```\n';
    const write = { name: 'Editor.write', args: { path: '/a.md', content } };
    expect(read(`Ok.\n${formatCommands([write])}`)).toEqual(ok([write], 'Ok.'));
    expect(read(`Ok. ${JSON.stringify([{ command_name: write.name, args: write.args }])}`)).toEqual(
      ok([write], 'Ok.'),
    );
  });

  test('reads the block after a block that was cut off', () => {
    expect(read(`\`\`\`json\n[{"comma\n\`\`\`json\n${END}\n\`\`\``)).toEqual(ok([end]));
  });

  test('A-099 a valid compact array is left alone', () => {
    expect(read(END)).toEqual({ ok: true, thought: '', commands: [end], repaired: false });
  });

  test('A-100 repairs brackets of the wrong kind and extra brackets', () => {
    const replies = ['{"command_name":"end"}]', '[{"command_name":"end"}', '{"command_name":"end"]'];
    expect(replies.map(read)).toEqual(replies.map(() => ok([end], '', true)));
  });

  test('A-102 doubles only illegal escapes', () => {
    const legal = String.raw`"\\ \t \u00e9 \n \" \/ \b \f \r"`;
    const illegal = String.raw`"\d \w+ C:\Users \u12 \$"`;
    const reply = (literal: string) => `[{"command_name":"f","args":{"a":${literal},}}]`; // The comma makes a repair necessary.
    expect(read(reply(legal))).toEqual(
      ok([{ name: 'f', args: { a: JSON.parse(legal) as string } }], '', true),
    );
    expect(read(reply(illegal))).toEqual(ok([{ name: 'f', args: { a: illegal.slice(1, -1) } }], '', true));
  });

  test('reads \\b and \\f before a letter as written in a reply that needs a repair', () => {
    const args = (written: string) => `[{"command_name":"f","args":{"a":"${written}",}}]`;
    const written = String.raw`C:\bin\files \frac \beta \fé`;
    expect(read(args(written))).toEqual(ok([{ name: 'f', args: { a: written } }], '', true));
    expect(read(args(String.raw`\f1 \b`))).toEqual(ok([{ name: 'f', args: { a: '\f1 \b' } }], '', true));
    const strict = args(String.raw`\frac`).replace(',}', '}');
    expect(read(strict)).toEqual(ok([{ name: 'f', args: { a: '\frac' } }]));
  });

  test('A-103 accepts a trailing comma', () => {
    expect(read('[{"command_name":"end","args":{}},]')).toEqual(ok([end], '', true));
  });
});

describe('limits and safety', () => {
  test(`separates the commands after the first ${MAX_COMMANDS}`, () => {
    const many = (count: number) =>
      JSON.stringify(Array.from({ length: count }, () => ({ command_name: 'end' })));
    const ends = (count: number) => Array.from({ length: count }, () => ({ name: 'end', args: {} }));
    const within = { ok: true, thought: '', commands: ends(MAX_COMMANDS), repaired: false };
    expect(read(many(MAX_COMMANDS))).toEqual(within);
    expect(read(many(MAX_COMMANDS + 1))).toEqual({ ...within, excess: ends(1) });
  });

  test('rejects brackets nested deeper than 64 levels, valid or not', () => {
    const nested = (depth: number, tail = '') =>
      `[{"command_name":"f","args":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}${tail}}]`;
    expect(read(nested(61))).toMatchObject({ ok: true, repaired: false });
    for (const reply of [nested(62), nested(62, ','), nested(100_000)]) {
      expect(read(reply)).toMatchObject({
        ok: false,
        error: expect.stringContaining('nested deeper than 64 levels') as string,
      });
    }
  });

  test('drops keys that reach into prototypes at any depth', () => {
    const args = '{"__proto__":{"a":1},"constructor":1,"b":[{"prototype":1,"__proto__":2,"c":3}]}';
    for (const reply of [`[{"command_name":"f","args":${args}}]`, `[{"command_name":"f","args":${args},}]`]) {
      const parsed = read(reply);
      expect(parsed).toMatchObject({ ok: true });
      const given = parsed.ok ? parsed.commands[0]?.args : undefined;
      expect(JSON.stringify(given)).toBe('{"b":[{"c":3}]}');
      expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
    }
  });

  const SIZE = 262_144;
  const units = [
    '[', '`', '"', '{"a":', ']', '\\', '\n', ' ', '[{"', '[] ', '{} ', '```json\n', '```json [\n', '\n<think>', '</think>\n',
    '<tool_call>', '<function=a>', '<parameter=a>', '"a" ', '1 ', 'a b:', '" //', '", /*', '", "', '+ "a"', '{"command_name":"a"} ',
  ]; // prettier-ignore
  test.each(units)(
    'parses 256 KB of %j quickly, alone and inside a command',
    (unit) => {
      const flood = unit.repeat(SIZE / unit.length);
      for (const reply of [
        flood,
        `[{"command_name":"f","args":{"a":"${flood}`,
        `[{"command_name":"f","args":{"a":${flood}`,
      ]) {
        const parsed = read(reply); // Quadratic work would run into the time limit of the test.
        expect(parsed).toMatchObject(
          parsed.ok
            ? { commands: expect.any(Array) as unknown }
            : { error: expect.stringMatching(/\.$/) as unknown },
        );
      }
    },
    20_000,
  );
});

describe('for any input', () => {
  const command = fc.record({
    name: fc.stringMatching(/^[A-Za-z][\w.]{0,30}$/),
    args: fc.dictionary(
      fc.string().filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
      fc
        .jsonValue({ maxDepth: 3 })
        .filter((value) => !/__proto__|constructor|prototype/.test(JSON.stringify(value))),
    ),
  }) as fc.Arbitrary<Command>;
  const commands = fc
    .array(command, { maxLength: 8 })
    .map((list) => JSON.parse(JSON.stringify(list)) as Command[]);

  test('reads formatted commands back unchanged, whatever text surrounds them', () => {
    fc.assert(
      fc.property(
        commands,
        fc.stringMatching(/^[\w ,.]*$/),
        fc.stringMatching(/^[\w ,.[\]{}"]*$/),
        (list, before, after) => {
          expect(read(`${before}\n${formatCommands(list)}\n${after}`)).toEqual(ok(list, before.trim()));
        },
      ),
    );
  });

  test('reads an empty text before a list of numbers, also where the end of the reply is missing', () => {
    const list = [{ name: 'a', args: { '': ['', [0], [[1]]] } }];
    expect(read(formatCommands(list).slice(0, -6))).toMatchObject({ ok: true, commands: list });
  });

  test('returns every complete command of a reply that was cut off', () => {
    fc.assert(
      fc.property(commands, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const text = formatCommands(list);
        const cut = text.slice(0, Math.floor(text.length * share));
        const complete = list.filter(
          (_, index) => cut.length >= formatCommands(list.slice(0, index + 1)).length - 6,
        );
        const parsed = read(cut);
        expect(parsed.ok ? parsed.commands.slice(0, complete.length) : []).toEqual(parsed.ok ? complete : []);
        if (complete.length > 0 && !parsed.ok) expect(parsed.error).toMatch(/command_name/);
      }),
    );
  });

  test('never throws, and its error is advice', () => {
    const pieces = fc.constantFrom(
      '[', ']', '{', '}', '"', "'", '`', '```', '```json', '\n', ',', ':', '\\', '\\u', '/*', '//', '#', '#0#', '<think>', '</think>',
      '<tool_call>', '<function=a>', '"command_name"', '"args"', 'end', 'True', '+', '(', '，', '“', '...', '&quot;', '\u0000', '\ud800',
    ); // prettier-ignore
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')),
        ),
        (reply) => {
          const parsed = read(reply);
          if (!parsed.ok) expect(parsed.error).toMatch(/^(?:Your|The|Item) .+\.$/s);
          else
            expect(parsed.commands.every(({ name, args }) => name !== '' && typeof args === 'object')).toBe(
              true,
            );
        },
      ),
      { numRuns: 700 },
    );
  });
});
