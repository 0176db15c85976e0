import type { Line } from './render.js';
import { toText } from './render.js';

const MOST_REMOVED = 12;

/**
 * Returns the difference between two views. `+` marks a new line, `~` a changed line, `>` a moved line, `-` a removed line. The parents of
 * new lines are included without a sign. Empty if there is no difference.
 */
export function viewDifference(before: readonly Line[], after: readonly Line[]): string {
  const old = new Map(before.map((line, index) => [line.key, { ...line, index }]));
  const now = new Set(after.map(({ key }) => key));
  const unmoved = new Set(longestRise(after.map(({ key }) => old.get(key)?.index ?? -1)));
  const shown: Line[] = [];
  const shownParents = new Set<string>();
  const path: Line[] = [];
  for (const [index, line] of after.entries()) {
    path.length = Math.min(path.length, line.depth);
    const known = old.get(line.key);
    const sign = known === undefined ? '+' : known.text !== line.text ? '~' : unmoved.has(index) ? '' : '>';
    if (sign) {
      const parent = path.at(-1);
      if (parent && !shownParents.has(parent.key)) {
        shown.push({ ...parent, text: `  ${'\t'.repeat(parent.depth)}${parent.text}`, depth: 0 });
        shownParents.add(parent.key);
      }
      shown.push({ ...line, text: `${sign} ${'\t'.repeat(line.depth)}${line.text}`, depth: 0 });
      shownParents.add(line.key);
    }
    path[line.depth] = line;
  }
  const gone = before.filter(({ key }) => !now.has(key));
  const removed = gone.slice(0, MOST_REMOVED).map((line) => ({ ...line, text: `- ${line.text}`, depth: 0 }));
  if (gone.length > MOST_REMOVED)
    removed.push({ key: '', depth: 0, inView: true, text: `- and ${gone.length - MOST_REMOVED} more lines` });
  return toText([...shown, ...removed]);
}

/** Returns the indexes of a longest increasing subsequence. Ignores negative numbers. */
function longestRise(values: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    if (value < 0) continue;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  }
  const found: number[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) found.unshift(index);
  return found;
}
