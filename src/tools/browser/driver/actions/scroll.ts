import { later } from '../natives.js';
import { closest } from '../view/dom.js';
import { scrolls } from '../view/scrolling.js';
import { bringIntoView, describeElement } from './reach.js';

/** Maximum time in ms to wait for the scroll event. */
const HEARD_WITHIN = 2_000;

type ScrollDirection = 'up' | 'down' | 'left' | 'right' | 'into';

/**
 * Scrolls by one height of the scroller. The scroller is the element, its scrolling ancestor, or the page. If the page itself does not
 * scroll, it is the page's largest scrolling part.
 */
export function scroll(element: Element | null, direction: ScrollDirection): string {
  if (direction === 'into') {
    if (element) bringIntoView(element);
    return element ? `${describeElement(element)} is in view.` : 'Nothing to bring into view.';
  }
  const page = document.scrollingElement ?? document.documentElement;
  const scroller = element
    ? (closest(element, (node) => node === page || scrolls(node)) ?? page)
    : mainScroller(page);
  const isPage = scroller === page;
  const height = isPage ? innerHeight : scroller.clientHeight;
  const width = isPage ? innerWidth : scroller.clientWidth;
  const [dx, dy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[direction] as [number, number];
  const before = [scroller.scrollTop, scroller.scrollLeft];
  const target = isPage ? document.body : scroller;
  const wheel = new WheelEvent('wheel', {
    bubbles: true,
    cancelable: true,
    composed: true,
    deltaX: dx * width,
    deltaY: dy * height,
  });
  if (target.dispatchEvent(wheel))
    scroller.scrollBy({ left: dx * width, top: dy * height, behavior: 'instant' });
  const what = isPage ? 'The page' : describeElement(scroller);
  const moved = scroller.scrollTop !== before[0] || scroller.scrollLeft !== before[1];
  if (!moved) return `${what} does not scroll any further ${direction}.`;
  const all = dy === 0 ? scroller.scrollWidth - width : scroller.scrollHeight - height;
  const at = dy === 0 ? scroller.scrollLeft : scroller.scrollTop;
  return `Scrolled ${direction}: ${what} is at ${Math.round(at)} of ${Math.round(all)} pixels.`;
}

/**
 * Resolves when the page receives a scroll event. The event arrives with the next frame, which may take a second in a page that is rarely
 * drawn. Resolves after 2 seconds without an event.
 */
export function scrollHeard(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('scroll', () => resolve(), { capture: true, once: true, passive: true });
    later(resolve, HEARD_WITHIN);
  });
}

function mainScroller(page: Element): Element {
  if (page.scrollHeight > innerHeight + 2) return page;
  let largest = page;
  let size = 0;
  for (const element of document.querySelectorAll('*')) {
    const area = element.clientWidth * element.clientHeight;
    if (area > size && scrolls(element) && element.localName !== 'textarea')
      [largest, size] = [element, area];
  }
  return largest;
}
