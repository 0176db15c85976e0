import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CARRIERS } from '../../attacks/carriers.js';
import { attacks } from '../../attacks/attacks.js';
import { GOALS } from '../../attacks/goals.js';
import { WORDINGS } from '../../attacks/wordings.js';
import { hasTest } from './test-path.js';

const root = new URL('../../../', import.meta.url);
const page = await readFile(new URL('docs/threat-model.md', root), 'utf8');

/** The rows of the tables with a last column of tests. */
const rowsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => /^\| .* \| tests \|\n/.test(block))
    .flatMap((block) => block.trim().split('\n').slice(2))
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => ({
      text: cells[0]?.trim(),
      tests: [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    }));

it('names sources that exist', () => {
  const paths = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

it.each([
  ['docs/threat-model.md', 40],
  ['docs/durability-tests.md', 25],
])('names existing tests in each row of a table of tests in %s', async (path, count) => {
  const rows = rowsOf(await readFile(new URL(path, root), 'utf8'));
  expect(rows.length).toBeGreaterThan(count);
  const isNamed = (name: string) => name.startsWith('npm run ') || hasTest(name);
  expect(rows.filter(({ tests }) => tests.length === 0 || !tests.every(isNamed))).toEqual([]);
});

it('states the size and the result of the attack series', () => {
  expect(page).toMatch(/\d+ attacks, [\d,]+ obeyed, 0 effects without approval/);
  expect(page).not.toContain('@@');
  const [channels, goals] = [Object.keys(CARRIERS).length, Object.keys(GOALS).length];
  expect(page).toContain(`${channels} channels × ${goals} goals × ${WORDINGS.length} wordings`);
  expect(page).toContain(`${attacks().length.toLocaleString('en')} attacks`);
});
