import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CARRIERS } from '../../attacks/carriers.js';
import { attacks } from '../../attacks/attacks.js';
import { GOALS } from '../../attacks/goals.js';
import { WORDINGS } from '../../attacks/wordings.js';

const root = new URL('../../../', import.meta.url);
const page = await readFile(new URL('docs/threat-model.md', root), 'utf8');

it('names tests and sources that exist', () => {
  const paths = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

it('names a test for each guarantee', () => {
  const [, guaranteed = ''] = page.split('## Guaranteed by default');
  const [tables = ''] = guaranteed.split('## Not protected');
  const rows = tables.split('\n').filter((line) => /^\| (?!guarantee)[^-]/.test(line));
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.filter((row) => !/\.test\.ts`/.test(row))).toEqual([]);
});

it('states the size and the result of the attack series', () => {
  expect(page).toMatch(/\d+ attacks, [\d,]+ obeyed, 0 effects without approval/);
  expect(page).not.toContain('@@');
  const [channels, goals] = [Object.keys(CARRIERS).length, Object.keys(GOALS).length];
  expect(page).toContain(`${channels} channels × ${goals} goals × ${WORDINGS.length} wordings`);
  expect(page).toContain(`${attacks().length.toLocaleString('en')} attacks`);
});
