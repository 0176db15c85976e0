/** True for what scrolls by itself and has something to scroll. */
export function scrolls(element: Element, style = getComputedStyle(element)): boolean {
  return (
    (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 2) ||
    (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 2)
  );
}

/** `scroll: 120 of 900`: pixels from above, and how many there are. Empty when nothing scrolls. */
export function describeScroll(element: Element, style: CSSStyleDeclaration): string {
  if (!scrolls(element, style)) return '';
  const all = element.scrollHeight - element.clientHeight;
  if (all > 2) return `scroll: ${Math.round(element.scrollTop)} of ${all}`;
  return `scroll sideways: ${Math.round(element.scrollLeft)} of ${element.scrollWidth - element.clientWidth}`;
}
