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

it('lists every code of warnings and errors in the documentation, and no other', () => {
  const warnings = membersOf('src/core/warning.ts', 'WarningCode');
  expect(warnings.filter(({ comment }) => comment === '')).toEqual([]);
  expect(warnings.at(-1)?.text).toBe('ErrorCode');
  const [, section = ''] = /## Codes\n([^]*?)\n## /.exec(read('docs/faq.md')) ?? [];
  const rows = [...section.matchAll(/^\| `([a-z-]+)` \| \S.*\.( \||$)/gm)].map(([, code]) => code);
  expect(rows).toEqual([
    ...codes(warnings.slice(0, -1)),
    ...codes(membersOf('src/core/error.ts', 'ErrorCode')),
  ]);
  expect(section).toContain(`The first eight are warnings only.`);
  expect(warnings.slice(0, -1)).toHaveLength(8);
});

it('exports a named type of every event', () => {
  const named = [...read('src/core/events.ts').matchAll(/^export interface (\w+Event) /gm)].map(
    ([, name]) => name,
  );
  expect(codes(membersOf('src/core/events.ts', 'AgentEvent'))).toEqual(named);
  const exported: string[] = read('src/index.ts').match(/\w+Event\b/g) ?? [];
  expect(named.filter((name = '') => !exported.includes(name))).toEqual([]);
});
