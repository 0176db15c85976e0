import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { read } from '../docs/snippets.js';

const readme = read('README.md');

describe('the README', () => {
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
