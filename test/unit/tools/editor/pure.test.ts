import fc from 'fast-check';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { editor } from '../../../../src/tools/index.js';
import { insertLines, replaceLines } from '../../../../src/tools/editor/edit-text.js';
import { matchesGlob } from '../../../../src/core/glob.js';
import { windowAround } from '../../../../src/tools/editor/line-window.js';
import { nearestFiles } from '../../../../src/tools/editor/nearest.js';
import { findLines } from '../../../../src/tools/editor/searching.js';
import { TextLines } from '../../../../src/tools/editor/text-lines.js';

test('windows match a brute-force count', () => {
  const total = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(
      fc.integer({ min: -5, max: 70 }),
      fc.integer({ min: 1, max: 70 }),
      total,
      (target, size, total) => {
        const clamped = target < 1 ? 1 : target > total ? total : target;
        const reach = Math.max(1, Math.floor(size / 2));
        const all = Array.from({ length: total }, (_, i) => i + 1);
        let shown = all.filter((line) => Math.abs(line - clamped) <= reach);
        if (shown[0] === 1) shown = all.slice(0, size);
        if (shown.at(-1) === total)
          shown = [...new Set([...shown, ...all.slice(-size)])].filter((line) => line > total - size);
        expect(windowAround(target, size, total)).toEqual({
          target: clamped,
          start: Math.min(...shown),
          end: Math.max(...shown),
        });
      },
    ),
    { numRuns: 2000 },
  );
});

/** Text of few different characters, so that lines, spaces and breaks collide. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 40 });

test('splits text at line breaks without losing a character', () => {
  fc.assert(
    fc.property(text, (text) => {
      const lines = new TextLines(text);
      const numbers = Array.from({ length: lines.count }, (_, i) => i + 1);
      expect(numbers.map((number) => lines.line(number))).toEqual(text.replace(/\n$/u, '').split('\n'));
      expect(numbers.map((number) => lines.raw(number)).join('')).toBe(text);
      const places = Array.from({ length: text.length }, (_, i) => i);
      expect(places.map((place) => lines.numberAt(place))).toEqual(
        places.map((place) => text.slice(0, place).split('\n').length),
      );
    }),
  );
});

test('replaces and inserts lines like splicing a list of lines', () => {
  const content = text.filter((text) => text !== '');
  fc.assert(
    fc.property(text, content, fc.nat(), fc.nat(), (text, content, a, b) => {
      const lines = text.replace(/\n$/u, '').split('\n');
      const added = content.replace(/\n$/u, '').split('\n');
      const first = (a % lines.length) + 1;
      const last = first + (b % (lines.length - first + 1));
      const at = (number: number) => lines[number - 1]?.trimEnd() ?? '';
      const linesOf = (text: string) => text.replace(/\n$/u, '').split('\n');

      const named = { firstNumber: first, firstContent: at(first), lastNumber: last, lastContent: at(last) };
      const replaced = replaceLines(text, { ...named, newContent: content });
      expect(replaced.line).toBe(first);
      expect(linesOf(replaced.text)).toEqual(lines.toSpliced(first - 1, last - first + 1, ...added));

      const removed = replaceLines(text, { ...named, newContent: '' });
      const rest = lines.toSpliced(first - 1, last - first + 1);
      expect(linesOf(removed.text)).toEqual(rest.length === 0 ? [''] : rest);

      const inserted = insertLines(text, first, content);
      const isBlank = lines.length === 1 && text.trim() === '';
      expect(linesOf(inserted.text)).toEqual(isBlank ? added : lines.toSpliced(first - 1, 0, ...added));
    }),
    { numRuns: 1000 },
  );
});

test('finds the lines that include the term', () => {
  const term = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(text, term, fc.integer({ min: 0, max: 5 }), (text, term, keep) => {
      const expected = text
        .split('\n')
        .map((line, i) => ({ line: i + 1, text: line }))
        .filter((hit) => hit.text.includes(term))
        .map((hit) => ({ ...hit, text: hit.text.trim() }));
      expect(findLines(text, term, keep)).toEqual({ hits: expected.slice(0, keep), total: expected.length });
    }),
    { numRuns: 1000 },
  );
});

test('globs match what the same regular expression matches', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 });
  fc.assert(
    fc.property(name, pattern, (name, pattern) => {
      const expression = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
      expect(matchesGlob(name, pattern)).toBe(new RegExp(`^${expression}$`, 'u').test(name));
    }),
    { numRuns: 2000 },
  );
});

test('is fast on an adversarial pattern', () => {
  expect(matchesGlob('a'.repeat(255), `${'a*'.repeat(100)}b`)).toBe(false);
});

test('lists similar names first, and no others', () => {
  const paths = ['/x/readme.md', '/src/main.ts', '/src/Main.tsx', '/z'];
  expect(nearestFiles('/main.ts', paths)).toEqual(['/src/main.ts', '/src/Main.tsx']);
  expect(nearestFiles('/q', paths)).toEqual([]);
});

test('describes the commands to the model in their order, numbers as integers, four of them exclusive', () => {
  const tools = editor();
  expect(tools.filter((tool) => tool.exclusive === true).map(({ name }) => name)).toEqual([
    'Editor.open_file',
    'Editor.edit_file_by_replace',
    'Editor.insert_content_at_line',
    'Editor.append_file',
  ]);
  const schemas = tools.map((tool) =>
    tool.input.toJSONSchema({ io: 'input', target: 'draft-7', unrepresentable: 'throw' }),
  );
  const types = z.record(z.string(), z.object({ type: z.string() }));
  const shape = z.object({ properties: types, required: z.array(z.string()).default([]) });
  const signatures = schemas.map((schema, i) => {
    const { properties, required } = shape.parse(schema);
    const args = Object.entries(properties).map(
      ([name, { type }]) => `${name}${required.includes(name) ? '' : '?'}: ${type}`,
    );
    return `${tools[i]?.name ?? ''}(${args.join(', ')})`;
  });
  const ofMetaGpt = [
    'Editor.read(path: string)',
    'Editor.open_file(path: string, line_number?: integer, context_lines?: integer)',
    'Editor.goto_line(line_number: integer)',
    'Editor.scroll_down()',
    'Editor.scroll_up()',
    'Editor.write(path: string, content: string)',
    'Editor.create_file(path: string, content?: string)',
    'Editor.edit_file_by_replace(path: string, first_replaced_line_number: integer, first_replaced_line_content: string, ' +
      'last_replaced_line_number: integer, last_replaced_line_content: string, new_content: string)',
    'Editor.insert_content_at_line(path: string, line_number: integer, insert_content: string)',
    'Editor.append_file(path: string, content: string)',
    'Editor.replace_text(path: string, old: string, new: string, replace_all?: boolean)',
    'Editor.undo_edit(path?: string)',
    'Editor.search_dir(search_term: string, path?: string)',
    'Editor.search_file(search_term: string, path?: string)',
    'Editor.find_file(file_name: string, path?: string)',
    'Editor.similarity_search(query: string, path?: string)',
  ];
  // In this order; other commands may stand between them.
  expect(signatures.filter((signature) => ofMetaGpt.includes(signature))).toEqual(ofMetaGpt);
});
