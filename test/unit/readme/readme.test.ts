import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { documents, problemsOf, read, snippetsOf } from '../docs/snippets.js';

const readme = read('README.md');

describe('the README', () => {
  it('shows code that compiles, as the pages of docs do', () => {
    const snippets = documents.map((document) => ({ document, snippets: snippetsOf(document) }));
    const enough = { 'README.md': 8, 'docs/guide.md': 6, 'docs/recipes.md': 12 };
    for (const [document, least] of Object.entries(enough)) {
      const shown = snippets.find((one) => one.document === document)?.snippets.length;
      expect(shown, document).toBeGreaterThan(least);
    }
    // In the same program: a second one takes as long as the first.
    const wrong = { where: 'here:1', language: 'tsx', code: 'const number: number = <p>one</p>;' } as const;
    expect(problemsOf([...snippets.flatMap((one) => one.snippets), wrong])).toEqual([
      expect.stringMatching(/^here:1 \+0: .* is not assignable/),
    ]);
  }, 240_000);

  it('names only errors that exist', () => {
    const codes = readFileSync(fileURLToPath(new URL('../../../src/core/error.ts', import.meta.url)), 'utf8');
    const table = readme.slice(readme.indexOf('| code | meaning |'), readme.indexOf('## What is there'));
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, code]) => code),
    );
    expect(named.filter((code) => !codes.includes(`'${code}'`))).toEqual([]);
    expect(named.length).toBeGreaterThan(15);
  });
});
