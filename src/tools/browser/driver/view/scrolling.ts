/** Returns whether an element is a scroll container with overflowing content. */
export function scrolls(element: Element, style = getComputedStyle(element)): boolean {
  return (
    (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 2) ||
    (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 2)
  );
}

/** Returns `scroll: 120 of 900`: the scroll position and its maximum, in pixels. Empty if the element does not scroll. */
export function describeScroll(element: Element, style: CSSStyleDeclaration): string {
  if (!scrolls(element, style)) return '';
  const all = element.scrollHeight - element.clientHeight;
  if (all > 2) return `scroll: ${Math.round(element.scrollTop)} of ${all}`;
  return `scroll sideways: ${Math.round(element.scrollLeft)} of ${element.scrollWidth - element.clientWidth}`;
}
