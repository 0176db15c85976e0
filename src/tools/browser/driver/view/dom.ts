/** The parent as it is seen: out of a shadow root to its host, out of a slot's content to the slot. */
export function parentOf(node: Node): Element | null {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot;
  const { parentNode } = node;
  return parentNode instanceof ShadowRoot ? parentNode.host : (parentNode as Element | null);
}

/** True if `inner` is `outer` or inside of it, through shadow roots. */
export function contains(outer: Element, inner: Node | null): boolean {
  for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
  return false;
}

/** The nearest of the element and those around it that fits, through shadow roots. */
export function closest(element: Element | null, fits: (element: Element) => boolean): Element | null {
  for (let node = element; node; node = parentOf(node))
    if (node instanceof Element && fits(node)) return node;
  return null;
}

/** The element that has the focus, inside of shadow roots too. */
export function deepFocus(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/** What lies at a point of the viewport, inside of shadow roots too. */
export function deepElementAt(x: number, y: number): Element | null {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

/** All elements in the order of the document, shadow roots included. */
export function* allElements(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* allElements(element.shadowRoot);
  }
}

export function isInView(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}

/** A container of no height or width that shows nothing of what it holds: a folded accordion. */
export function isFoldedAway(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.overflowX === 'visible' && style.overflowY === 'visible') return false;
  return element instanceof HTMLElement && (element.offsetHeight === 0 || element.offsetWidth === 0);
}
