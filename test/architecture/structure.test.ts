import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { staticRows, stepRows } from '../../scripts/structure/main.js';
import { circles, readSources, repeatedNames, withOneImporter } from '../../scripts/structure/sources.js';
import { measureStep } from '../../scripts/structure/step.js';

/** A figure on the page may differ by this share before it must be measured again. */
const TOLERANCE = 0.05;

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm)].map(
  ([, what, value, goal]) => [what, Number(value), Number(goal)] as const,
);

/** Checks a row of the page against what is measured now. */
function expectShown(what: string, value: number, goal: number): void {
  const shown = rows.find(([name]) => name === what);
  expect(shown?.[2], what).toBe(goal);
  const message = `${what}: ${value} now. Run npm run structure -- --write.`;
  expect(Math.abs((shown?.[1] ?? 0) - value), message).toBeLessThanOrEqual(Math.max(1, value * TOLERANCE));
}

it('is what docs/architecture.md says, within 5 %', () => {
  for (const [what, value, goal] of staticRows()) expectShown(what, value, goal);
});

it('is measured in a step that writes a file', async () => {
  const { files, calls, frames, functions } = await measureStep();
  expect(files).toBeGreaterThan(20);
  expect(calls).toBeGreaterThan(files);
  expect(frames).toBeGreaterThan(3);
  expect(functions.some(({ module }) => module.startsWith('tools/editor/'))).toBe(true);
  for (const [what, value, goal] of stepRows({ files, calls, frames })) expectShown(what, value, goal);
});

it('counts importers, circles, and repeated names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'structure-'));
  const texts = {
    'a.ts': "import { b } from './b.js';\nexport const a = b;\nconst same = 1;\n",
    'b.ts': "import type { A } from './c.js';\nexport const b = 1 as A;\nfunction same() {}\n",
    'c.ts': "export type A = number;\nexport const later = () => import('./b.js');\n",
    'd.ts': "import './a.js';\nimport './b.js';\nimport 'lit';\n",
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  const sources = readSources(folder);
  expect(sources.map(({ path, lines }) => [path, lines])).toEqual([
    ['a.ts', 3],
    ['b.ts', 3],
    ['c.ts', 2],
    ['d.ts', 3],
  ]);
  expect(withOneImporter(sources)).toBe(2); // a and c
  expect(circles(sources)).toEqual([['b.ts', 'c.ts']]);
  expect(repeatedNames(sources)).toEqual([['same', 2]]);
  await rm(folder, { recursive: true });
});
