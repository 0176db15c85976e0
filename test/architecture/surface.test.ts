import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { BUDGET, overBudget } from '../budget.js';
import { publicEntries } from '../../scripts/public-entries.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** Pages that show how to use the library. */
const PAGES = [
  'README.md',
  ...['start', 'guide', 'models', 'names'].map((page) => `docs/${page}.md`),
  ...readdirSync(`${root}docs/how-to`).map((page) => `docs/how-to/${page}`),
];

/** Returns the names that a file exports, of values and of types. */
function exportsOf(path: string): string[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause))
        throw new Error(`${path} must export names, not everything of a module.`);
      return statement.exportClause.elements.map(({ name }) => name.text);
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(source));
    return 'name' in statement ? [(statement.name as ts.Identifier).text] : [];
  });
}

/** Returns the code in a Markdown text: blocks, and words between backticks. */
function codeOf(markdown: string): string {
  const blocks = [...markdown.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, code]) => code);
  const words = markdown.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g);
  return [...blocks, ...[...words].map(([, code]) => code)].join('\n');
}

const names = new Map([...publicEntries()].map(([entry, path]) => [entry, exportsOf(`src/${path}`)]));
const distinct = [...new Set([...names.values()].flat())];

describe('the public names', () => {
  it('stay within their budget', () => {
    const counts = {
      'in all entries': distinct.length,
      'in rolezero/worker': names.get('rolezero/worker')?.length ?? NaN,
    };
    const measured = Object.entries(BUDGET.names).map(([what, limit]) => ({
      what,
      value: counts[what as keyof typeof counts],
      limit,
    }));
    expect(overBudget(measured, 'names')).toEqual([]);
  });

  it('appear in the code of a page that shows how to use the library', () => {
    const code = PAGES.map((path) => codeOf(read(path))).join('\n');
    const words = new Set(code.match(/\w+/g));
    expect(distinct.filter((name) => !words.has(name))).toEqual([]);
  });
});
