import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { editor } from '../../../src/tools/index.js';
import { testPath } from './test-path.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = readFileSync(`${root}docs/coverage.md`, 'utf8');

/** First and last number of each series of requirements. */
const SERIES = [
  [1, 6],
  [10, 14],
  [20, 25],
  [30, 32],
  [40, 41],
  [50, 52],
  [60, 64],
  [100, 161],
  [170, 172],
  [200, 209],
  [220, 227],
  [240, 248],
  [260, 265],
  [280, 282],
  [300, 313],
  [320, 325],
] as const;

const rows = [...document.matchAll(/^\| (R-\d+) \| (.+?) \| (.+) \|$/gm)].map(
  ([, number = '', asks = '', held = '']) => ({ number, asks, held, tests: [...testsIn(held, number)] }),
);

/** A file in backquotes, without its ending, and the titles in quotes after it, or else the number of the requirement. */
function* testsIn(cell: string, number: string): Generator<{ file: string; title: string }> {
  for (const [, file = '', titles = `"${number}"`] of cell.matchAll(
    /`([\w/.-]+)`(?: ("[^"]+"(?:, "[^"]+")*))?/g,
  )) {
    for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g)) yield { file, title };
  }
}

/** Titles of the tests in a file, and the texts of their tables. */
function titlesOf(file: string): string[] {
  const path = testPath(file);
  if (path === undefined) return [];
  const titles: string[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) titles.push(node.text);
    else ts.forEachChild(node, collect);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test)\b/.test(node.expression.getText())) {
      const [title] = node.arguments;
      if (title !== undefined) titles.push(ts.isStringLiteralLike(title) ? title.text : title.getText());
      if (ts.isCallExpression(node.expression)) node.expression.arguments.forEach(collect); // it.each(table)(title, …)
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true));
  return titles;
}

describe('docs/coverage.md', () => {
  it('has every requirement once, in order', () => {
    const expected = SERIES.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => `R-${String(first + index).padStart(3, '0')}`),
    );
    expect(rows.map(({ number }) => number)).toEqual(expected);
    expect(document.match(/^\| R-/gm)).toHaveLength(expected.length); // No row is malformed.
  });

  it('says for each where it is tested, or why not', () => {
    const bare = rows.filter(
      ({ held, tests }) => tests.length === 0 && !/^(?:Not there yet|Does not apply): \S/.test(held),
    );
    expect(bare).toEqual([]);
  });

  it('names only existing tests', () => {
    const titles = new Map<string, string[]>();
    for (const { file } of rows.flatMap(({ tests }) => tests)) {
      if (!titles.has(file)) titles.set(file, titlesOf(file));
    }
    const lost = rows.flatMap(({ number, tests }) =>
      tests
        .filter(({ file, title }) => titles.get(file)?.some((each) => each.includes(title)) !== true)
        .map(({ file, title }) => `${number}: ${file} has no test "${title}"`),
    );
    expect(lost).toEqual([]);
  });

  it('names only missing commands as missing', () => {
    const { registry } = new RoleZero({ tools: editor() });
    const missing = rows.flatMap(({ held }) => [...held.matchAll(/Not there yet: `(\w+\.\w+)`/g)]);
    expect(missing.filter(([, name = '']) => registry.has(name)).map(([text]) => text)).toEqual([]);
  });

  it('names every file with its tests', () => {
    const named = rows.flatMap(({ held }) => held.match(/`[^`]*`/g) ?? []).length;
    const read = rows.flatMap(({ tests }) => [...new Set(tests.map(({ file }) => file))]).length;
    expect(named).toBe(read);
    expect(rows.filter(({ tests }) => tests.length > 0).length).toBeGreaterThan(100);
  });
});
