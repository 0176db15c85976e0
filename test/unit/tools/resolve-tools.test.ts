import fc from 'fast-check';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { defineTool } from '../../../src/core/define-tool.js';
import { resolveTools } from '../../../src/tools/resolve-tools.js';

const tool = (name: string, tags?: string[]) =>
  defineTool({
    name,
    description: `${name}.`,
    input: z.object({}),
    ...(tags && { tags }),
    run: () => undefined,
  });

const ALL = [
  tool('Editor.read'),
  tool('Editor.write'),
  tool('Browser.goto', ['web', 'reading']),
  tool('Browser.click', ['web']),
  tool('Search.run', ['web', 'reading']),
  tool('end'),
];
const resolve = (...wanted: string[]) => {
  const { tools, unknown } = resolveTools(ALL, wanted);
  return { names: tools.map(({ name }) => name), unknown };
};

test('A-156 skips unknown names, expands a tag to its tools, and keeps the order of first mention', () => {
  expect(resolve('Nope', 'reading', 'Editor', 'web', 'constructor')).toEqual({
    names: ['Browser.goto', 'Search.run', 'Editor.read', 'Editor.write', 'Browser.click'],
    unknown: ['Nope', 'constructor'],
  });
});

test('A-157 limits a class to its listed methods, and skips unknown ones', () => {
  expect(resolve('Editor:read,zzz')).toEqual({ names: ['Editor.read'], unknown: ['Editor:zzz'] });
  expect(resolve(' Editor : write , read ')).toEqual({ names: ['Editor.write', 'Editor.read'], unknown: [] });
  expect(resolve('Nope:read,write')).toEqual({ names: [], unknown: ['Nope:read,write'] });
});

test('joins the methods of a class that is listed twice', () => {
  expect(resolve('Editor:write', 'Editor:read').names).toEqual(['Editor.write', 'Editor.read']);
  expect(resolve('Editor', 'Editor:read').names).toEqual(['Editor.read', 'Editor.write']);
});

test('accepts the name of a tool, with or without a class', () => {
  expect(resolve('end', 'Browser.click')).toEqual({ names: ['end', 'Browser.click'], unknown: [] });
});

test('includes everything only for <all>', () => {
  expect(resolve('<all>')).toEqual({ names: ALL.map(({ name }) => name), unknown: [] });
  expect(resolve('<all>', 'end')).toEqual({ names: ['end'], unknown: ['<all>'] });
  expect(resolve()).toEqual({ names: [], unknown: [] });
});

test('returns only given tools, each once', () => {
  const word = fc.constantFrom('Editor', 'Browser', 'web', 'end', 'read', 'goto', ':', ',', '.', '<all>', '');
  const entry = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 5 }).map((words) => words.join('')),
  );
  fc.assert(
    fc.property(fc.array(entry), (wanted) => {
      const { tools } = resolveTools(ALL, wanted);
      expect(new Set(tools).size).toBe(tools.length);
      expect(ALL).toEqual(expect.arrayContaining(tools));
    }),
  );
});
