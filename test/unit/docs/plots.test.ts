import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { plots } from '../../../docs/.vitepress/plots.js';

const page = readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8');

it('shows every plot on the benchmark page, with figures of rolezero and of peers', () => {
  const shown = [...page.matchAll(/^<!-- plot: (\w+) -->$/gm)].map(([, name]) => name);
  const all = plots();
  expect(shown.toSorted()).toEqual(Object.keys(all).toSorted());
  for (const { title, figures } of Object.values(all)) {
    expect(new Set(figures.map(({ series }) => series)).size, title).toBeGreaterThan(1);
    for (const figure of figures)
      expect([figure.x > 0, figure.y > 0], JSON.stringify(figure)).toEqual([true, true]);
  }
});
