import { baseName } from '../../files/path.js';

/** Minimum similarity of two names, as a share of common letter pairs, for a suggestion. */
const ALIKE = 0.4;
const MAX_NEAREST = 3;

/** Returns the paths whose base names are most similar to that of a missing path, best first. */
export function nearestFiles(path: string, paths: readonly string[]): string[] {
  return nearest(baseName(path), paths, baseName);
}

/** Returns the items with the most similar names, best first, at most three. Takes linear time. */
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
    .slice(0, MAX_NEAREST)
    .map(({ each }) => each);
}

/** Dice's coefficient: 1 for identical pairs, 0 for no common pairs. */
function likeness(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size);
}

/** Returns the pairs of adjacent letters. The ends of the name count as letters, so that every name has pairs. */
function pairs(name: string): Set<string> {
  const text = `^${name.toLowerCase()}$`;
  const found = new Set<string>();
  for (let i = 0; i + 1 < text.length; i += 1) found.add(text.slice(i, i + 2));
  return found;
}
