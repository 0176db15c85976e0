import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

/** The members of a union in a file, each with its trailing comment. */
function membersOf(path: string, name: string): { text: string; comment: string }[] {
  const text = read(path);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const union = source.statements.find(
    (each): each is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(each) && each.name.text === name,
  );
  if (union === undefined || !ts.isUnionTypeNode(union.type))
    throw new Error(`${path} has no union ${name}.`);
  return union.type.types.map((type) => {
    const line = text.slice(type.end).split('\n', 1)[0] ?? '';
    return { text: type.getText(source), comment: /\/\/ (.+)$/.exec(line)?.[1] ?? '' };
  });
}

const codes = (members: { text: string }[]): string[] => members.map(({ text }) => text.replace(/'/g, ''));

it('has a section with cause and remedy for every code of warnings and errors, and no other', () => {
  const warnings = membersOf('src/core/error.ts', 'WarningCode');
  expect(warnings.filter(({ comment }) => comment === '')).toEqual([]);
  expect(warnings.at(-1)?.text).toBe('ErrorCode');
  const [, ...groups] = read('docs/errors.md').split(/^## /m);
  const sections = groups.map((group) => group.split(/^### /m).slice(1));
  const codesOf = (texts: string[]) => texts.map((text) => /^`([a-z-]+)`\n/.exec(text)?.[1]);
  const onlyWarnings = codes(warnings.slice(0, -1));
  expect(groups[0]).toMatch(/^Only warnings\n/);
  expect(codesOf(sections[0] ?? [])).toEqual(onlyWarnings);
  expect(codesOf(sections.flat())).toEqual([
    ...onlyWarnings,
    ...codes(membersOf('src/core/error.ts', 'ErrorCode')),
  ]);
  const form = /^`[a-z-]+`\n\n[A-Z][^]*?\.\n\n\* Cause: \S[^]*?\.\n\* Remedy: \S/;
  expect(sections.flat().filter((section) => !form.test(section))).toEqual([]);
});

it('has every type of event in the table of events, and no other', () => {
  const types = [...read('src/core/events.ts').matchAll(/^interface \w+Event \{[^]*?^  type: '([\w-]+)';/gm)];
  expect(types.length).toBe(membersOf('src/core/events.ts', 'AnyEvent').length);
  const table = read('docs/how-to/events.md');
  const cells = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.slice(1).flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, type]) => type));
  expect(named.toSorted()).toEqual(types.map(([, type]) => type).toSorted());
});
