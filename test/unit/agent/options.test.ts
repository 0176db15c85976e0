import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';

it('R-172 every option of a RoleZero is used somewhere', () => {
  let reported = '';
  try {
    new RoleZero({ unknown: 1 } as object);
  } catch (error) {
    reported = String(error);
  }
  const names = /Its options are ([\w, ]+)\./.exec(reported)?.[1]?.split(', ') ?? [];
  const folder = fileURLToPath(new URL('../../../src/', import.meta.url));
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:agent|parts)[\\/].*\.ts$/.test(name))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
    .join('\n');
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !source.includes(`options.${name}`))).toEqual([]);
});
