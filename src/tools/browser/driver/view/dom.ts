/** Returns the parent in the rendered tree: from a shadow root to its host, from slotted content to the slot. */
export function composedParent(node: Node): Element | null {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot;
  const { parentNode } = node;
  return parentNode instanceof ShadowRoot ? parentNode.host : (parentNode as Element | null);
}

/** Returns whether `inner` is `outer` or inside it, across shadow roots. */
export function contains(outer: Element, inner: Node | null): boolean {
  for (let node = inner; node; node = composedParent(node)) if (node === outer) return true;
  return false;
}

/** Returns the nearest match among the element and its ancestors, across shadow roots. */
export function closest(element: Element | null, fits: (element: Element) => boolean): Element | null {
  for (let node = element; node; node = composedParent(node))
    if (node instanceof Element && fits(node)) return node;
  return null;
}

/** Returns the focused element, including inside shadow roots. */
export function deepFocus(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/** Returns the element at a point of the viewport, including inside shadow roots. */
export function deepElementAt(x: number, y: number): Element | null {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

/** Yields all elements in document order, including those in shadow roots. */
export function* allElements(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* allElements(element.shadowRoot);
  }
}

/** Returns the areas of the image map of an image. */
export function areasOf(image: Element): HTMLAreaElement[] {
  if (!(image instanceof HTMLImageElement) || image.useMap === '') return [];
  const name = CSS.escape(image.useMap.replace('#', ''));
  return [...(image.getRootNode() as Document).querySelectorAll<HTMLAreaElement>(`map[name="${name}"] area`)];
}

export function isInView(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}

/** Returns whether an element is a container without height or width that hides its content, such as a collapsed accordion. */
export function isFoldedAway(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.overflowX === 'visible' && style.overflowY === 'visible') return false;
  return element instanceof HTMLElement && (element.offsetHeight === 0 || element.offsetWidth === 0);
}
