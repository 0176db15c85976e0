import { baseName } from '../../files/path.js';

/** What share of letter pairs two names have in common before one may have been meant by the other. */
const ALIKE = 0.4;
const MOST = 3;

/** The paths whose base name is most like that of a path nobody has, best first. */
export function nearestFiles(path: string, paths: readonly string[]): string[] {
  return nearest(baseName(path), paths, baseName);
}

/** What is called most like something that is not there, best first, at most three. Linear in their number. */
export function nearest<Named>(
  name: string,
  all: readonly Named[],
  nameOf: (each: Named) => string,
): Named[] {
  const sought = pairs(name);
  return all
    .map((each) => ({ each, likeness: likeness(sought, pairs(nameOf(each))) }))
    .filter(({ likeness }) => likeness >= ALIKE)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST)
    .map(({ each }) => each);
}

/** Dice's coefficient: 1 for the same pairs, 0 for none in common. */
function likeness(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size);
}

/** Neighbouring letters, with the ends of the name as letters of their own, so that every name has some. */
function pairs(name: string): Set<string> {
  const text = `^${name.toLowerCase()}$`;
  const found = new Set<string>();
  for (let i = 0; i + 1 < text.length; i += 1) found.add(text.slice(i, i + 2));
  return found;
}
