import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../../demo/styles/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
/** The styles of the page; the stage and a page in a tab of its own have no tokens. */
const FILES = readdirSync(folder).filter((name) => name !== 'stage.css' && name !== 'view.css');
const TOKENS = read('base.css').matchAll(/^ +(--[\w-]+):/gm);

/** Declarations as `file: property: value`. */
function declarations(properties: string): string[] {
  const declaration = new RegExp(`^\\s*(?:${properties}):[^;]*;`, 'gm');
  return FILES.flatMap((path) =>
    (read(path).match(declaration) ?? []).map((found) => `${path}: ${found.trim()}`),
  );
}

it('takes paddings, margins and gaps of the demo from tokens', () => {
  const all = declarations('(?:padding|margin)(?:-[\\w-]+)?|(?:row-|column-)?gap');
  expect(all.length).toBeGreaterThan(200);
  const widthOfText = /47\.5rem/; // in the margin of the start page
  expect(all.filter((each) => /[\d.]+(?:rem|px|em)\b/.test(each.replace(widthOfText, '')))).toEqual(
    all.filter((each) => /min\(2px, 0\.2%\)|safe-area/.test(each)),
  );
});

it('takes radii and sizes of text of the demo from tokens', () => {
  const all = declarations('border-radius|font-size');
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((each) => /[\d.]+(?:rem|px|em)\b/.test(each))).toEqual([]);
});

it('uses no token of spacing, radius or text size that does not exist', () => {
  const known = new Set([...TOKENS].map(([, name]) => name));
  const used = declarations('[\\w-]+').flatMap(
    (each) => each.match(/--(?:space|radius|round|small|text|large)[\w-]*/g) ?? [],
  );
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
});
