import { quote } from './quote.js';
import type { TreeNode } from './tree-node.js';

const MAX_REMOVED_LINES = 12;

/** A line of a view: `text`, indented with `depth` tabs. */
export interface Line {
  key: string;
  depth: number;
  text: string;
  inView: boolean;
}

export function toLines(nodes: readonly TreeNode[], depth = 0): Line[] {
  return nodes.flatMap((node) => [
    {
      key: node.key,
      depth,
      text: node.kind === 'text' ? quote(node.text) : node.text,
      inView: node.inView,
    },
    ...toLines(node.children, depth + 1),
  ]);
}

export function toText(lines: readonly Line[]): string {
  return lines.map(({ depth, text }) => '\t'.repeat(depth) + text).join('\n');
}

/**
 * Splits the lines into pages of at most `limit` characters. Content in the viewport comes first, then content below it, then content
 * above. A page that starts inside an element begins with the lines of its ancestors.
 */
export function toPages(lines: readonly Line[], limit: number): Line[][] {
  if (toText(lines).length <= limit) return [[...lines]];
  const first = firstInView(lines);
  const order = [...lines.keys()];
  const rotated = [...order.slice(first), ...order.slice(0, first)];
  const pages: Line[][] = [];
  let page: Line[] = [];
  let size = Infinity;
  for (const index of rotated) {
    const line = lines[index];
    if (!line) continue;
    const length = line.depth + line.text.length + 1;
    if (size + length > limit || index === 0) {
      page = lineAncestors(lines, index);
      size = toText(page).length;
      pages.push(page);
    }
    page.push(line);
    size += length;
  }
  return pages;
}

/** Returns the first visible line without children, or the outermost ancestor that starts with it. */
function firstInView(lines: readonly Line[]): number {
  const depthOf = (index: number) => lines[index]?.depth ?? 0;
  let first = lines.findIndex(({ inView }, index) => inView && depthOf(index + 1) <= depthOf(index));
  while (first > 0 && depthOf(first - 1) < depthOf(first)) first--;
  return Math.max(0, first);
}

/** Returns the ancestors of a line. */
function lineAncestors(lines: readonly Line[], index: number): Line[] {
  const found: Line[] = [];
  let depth = lines[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0 && depth > 0; above--) {
    const line = lines[above];
    if (line && line.depth < depth) {
      found.unshift(line);
      depth = line.depth;
    }
  }
  return found;
}

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
  const removed = gone
    .slice(0, MAX_REMOVED_LINES)
    .map((line) => ({ ...line, text: `- ${line.text}`, depth: 0 }));
  if (gone.length > MAX_REMOVED_LINES)
    removed.push({
      key: '',
      depth: 0,
      inView: true,
      text: `- and ${gone.length - MAX_REMOVED_LINES} more lines`,
    });
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
