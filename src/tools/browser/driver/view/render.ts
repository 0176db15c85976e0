import { estimateTokenCount } from 'tokenx';
import { quote } from './quote.js';
import type { TreeNode } from './tree-node.js';

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

export function tokensOf(text: string): number {
  return estimateTokenCount(text);
}
