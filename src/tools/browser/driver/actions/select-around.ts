/** Selects the text under a double or triple click: the word or the paragraph. */
export function selectAround(x: number, y: number, count: number): void {
  // oxlint-disable-next-line typescript/no-deprecated -- some browsers do not support its replacement yet
  const at = document.caretRangeFromPoint(x, y);
  const selection = getSelection();
  if (!at || !selection || at.startContainer.nodeType !== Node.TEXT_NODE) return;
  const { parentElement } = at.startContainer;
  if (!parentElement || getComputedStyle(parentElement).userSelect === 'none') return;
  if (count > 2) {
    selection.selectAllChildren(parentElement);
    return;
  }
  const { node, start, end } = wordAt(at.startContainer as Text, at.startOffset);
  selection.setBaseAndExtent(node, start, node, end);
}

function wordAt(node: Text, offset: number): { node: Text; start: number; end: number } {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(node.data);
  const { index, segment } = words.containing(Math.min(offset, node.data.length - 1)) ?? {
    index: offset,
    segment: '',
  };
  return { node, start: index, end: index + segment.length };
}
