import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCommands } from '../../../../src/agent/parse/commands.js';
import { readJson } from '../../../../src/agent/json/scanner.js';
import { formatCommands } from '../../../../src/agent/commands/format-commands.js';
import { repairJson } from './repair-json.js';

/** JSONTestSuite and the Big List of Naughty Strings are not part of the repository; skipped without them. */
const data = process.env['ROLEZERO_DATA'] ?? '';
const suite = join(data, 'json-suite');
const strings = join(data, 'naughty-strings.json');
const hasSuite = data !== '' && existsSync(suite);
const hasStrings = data !== '' && existsSync(strings);

describe.skipIf(!hasSuite)(
  'JSONTestSuite (set ROLEZERO_DATA to the folder that contains json-suite/)',
  () => {
    const files = hasSuite ? readdirSync(suite).filter((name) => name.endsWith('.json')) : [];
    const read = (name: string) => readFileSync(join(suite, name), 'utf8');

    test('accepts unchanged what must be accepted', () => {
      const accepted = files.filter((name) => name.startsWith('y_')).map(read);
      expect(accepted.length).toBeGreaterThan(50);
      expect(accepted.map(repairJson)).toEqual(accepted);
      expect(accepted.map((text) => readJson(text))).toEqual(
        accepted.map((text) => ({ ok: true, value: JSON.parse(text) as unknown, repaired: false })),
      );
    });

    test('never throws', () => {
      expect(files.length).toBeGreaterThan(300);
      for (const name of files) {
        expect(typeof readJson(read(name)).ok, name).toBe('boolean');
        expect(typeof parseCommands(read(name)).ok, name).toBe('boolean');
      }
    });
  },
);

describe.skipIf(!hasStrings)('naughty strings (set ROLEZERO_DATA to the folder that contains them)', () => {
  const naughty = hasStrings ? (JSON.parse(readFileSync(strings, 'utf8')) as string[]) : [];

  test('pass through a command unchanged', () => {
    const commands = naughty.map((text) => ({
      name: 'Editor.write',
      args: { path: '/a.txt', content: text },
    }));
    const parsed = commands.map((command) => parseCommands(`Ok.\n${formatCommands([command])}`));
    expect(parsed).toEqual(commands.map((command) => ({ ok: true, commands: [command], repaired: false })));
  });

  test('pass through a repaired command unchanged', () => {
    // In JSON with mistakes, `\b` and `\f` before a letter are meant as written.
    const texts = naughty.filter((text) => !/[\b\f]\p{L}/u.test(text));
    expect(texts.length).toBeGreaterThan(500);
    const replies = texts.map((text) => `[{"command_name": "f", "args": {"a": ${JSON.stringify(text)},}}]`);
    expect(replies.map((reply) => parseCommands(reply))).toEqual(
      texts.map((a) => ({ ok: true, commands: [{ name: 'f', args: { a } }], repaired: true })),
    );
  });

  test('do not make the parser throw', () => {
    for (const text of naughty) expect(typeof parseCommands(text).ok).toBe('boolean');
  });
});
