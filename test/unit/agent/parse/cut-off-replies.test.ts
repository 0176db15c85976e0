import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from '../../../../src/core/human.js';
import { parseCommands } from '../../../../src/agent/parse/commands.js';
import { formatCommands } from '../../../../src/agent/commands/format-commands.js';

/** `CUT_RUNS=20000` runs more. A case is a list of commands, cut at every place. */
const RUNS = Number(process.env['CUT_RUNS'] ?? 12);

const pieces = fc.constantFrom(
  '\\', '\\\\', '"', '\\"', '{', '}', '[', ']', ',', ':', ': ', '```', '```json\n', '\n', '\r\n', '\t', ' ', "'", '#', '#0#', '//', '/*',
  '}]', '"}}]', '{}', '[]', '", "', '"command_name": "rm"', 'é', '中文', '😀', '“', '”', '，', '<think>', '</think>', '<tool_call>', 'true',
  'null', '12', '-', 'C:\\Users', '\\u00e9', '\\d', 'a',
); // prettier-ignore
const nasty = fc.array(pieces, { maxLength: 5 }).map((all) => all.join(''));
const key = nasty.filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    nasty,
    fc.constantFrom(null, true, false, 0, -12.5, 1e21),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));
const command = fc.record({
  name: fc.constantFrom('end', 'Editor.write', 'Plan.append_task', 'f'),
  args: fc.dictionary(key, value, { maxKeys: 3 }),
});
const lists = fc
  .array(command, { minLength: 1, maxLength: 4 })
  .map((list) => JSON.parse(JSON.stringify(list)) as Command[]);

const formats: ((list: Command[]) => string)[] = [
  formatCommands,
  (list) => JSON.stringify(asWritten(list)),
  (list) => `I go on.\n\`\`\`json\n${JSON.stringify(asWritten(list))}\n\`\`\``,
  (list) => JSON.stringify({ thought: 'I go on.', commands: asWritten(list) }),
];

function asWritten(list: Command[]): { command_name: string; args: unknown }[] {
  return list.map(({ name, args }) => ({ command_name: name, args }));
}

/** Returns whether everything in `half` is in `whole`, except for one argument that may be incomplete. */
function isPartOf(half: Command, whole: Command | undefined): boolean {
  if (whole?.name.startsWith(half.name) !== true) return false;
  const keys = Object.keys(half.args);
  const differing = keys.filter(
    (name) =>
      !Object.hasOwn(whole.args, name) ||
      JSON.stringify(half.args[name]) !== JSON.stringify(whole.args[name]),
  );
  return differing.length <= 1 && differing.every((name) => Object.hasOwn(whole.args, name));
}

describe('a reply that was cut off', () => {
  test('R-002 returns the commands before the cut, at most one partial command more, and no invented one', () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(...formats), (list, format) => {
        const text = format(list);
        for (let at = 1; at < text.length; at++) {
          const parsed = parseCommands(text.slice(0, at));
          if (!parsed.ok) continue;
          const half = parsed.commands.at(-1);
          const before = parsed.commands.slice(0, -1);
          const shown = `cut at ${at}: ${text.slice(0, at)}`;
          expect(before, shown).toEqual(list.slice(0, before.length));
          if (half !== undefined && !isPartOf(half, list[before.length])) {
            expect(half, shown).toEqual(list[before.length]);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});
