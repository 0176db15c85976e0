import { createContext, domToCanvas } from 'modern-screenshot';
import { MESSAGE_LIMITS } from '../limits.js';
import type { ScreenshotResult } from '../protocol.js';
import { bringIntoView } from './actions/reach.js';
import { later, now, sleep } from './natives.js';
import { Refusal } from './port.js';

/** Maximum number of elements in a screenshot, for acceptable time: each element is copied with its computed style. */
const MAX_DRAWN_ELEMENTS = 2_000;
/** Time limits in ms for one image or font, and for the whole screenshot. */
const TIMEOUTS_MS = { resource: 2_000, picture: 20_000 };
/** Milliseconds of work before yielding to other tasks. */
const TURN = 100;
/** Elements that are not drawn; the largest script is the driver itself. */
const NOT_DRAWN = new Set([
  'HEAD',
  'SCRIPT',
  'NOSCRIPT',
  'TEMPLATE',
  'STYLE',
  'LINK',
  'META',
  'TITLE',
  'VIDEO',
]);

/**
 * Draws the visible part of the page, or of `element` in it, from a copy of the document with its computed styles. A page cannot capture itself. Child frames and
 * videos therefore stay blank, as does content of other origins without CORS permission.
 *
 * @throws Refusal if the page is too large or drawing fails.
 */
export async function takeScreenshot(element: Element | null): Promise<ScreenshotResult> {
  if (element) bringIntoView(element);
  const { innerWidth, innerHeight } = window;
  const { left, top, right, bottom } = (element ?? document.documentElement).getBoundingClientRect();
  const box = element
    ? new DOMRect(left, top, Math.min(right, innerWidth) - left, Math.min(bottom, innerHeight) - top)
    : new DOMRect(0, 0, innerWidth, innerHeight);
  const [width, height] = [Math.round(box.width), Math.round(box.height)];
  if (width < 1 || height < 1)
    throw new Refusal('hidden', 'This element cannot be seen: it takes no room in the window.');
  const image = await drawPage(innerWidth, innerHeight, box).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      'failed',
      `No picture could be taken: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (image.length > MESSAGE_LIMITS.image) throw pictureTooLarge();
  return { image, width, height };
}

function pictureTooLarge(): Refusal {
  return new Refusal('unsupported', 'The page is too large for a picture. Its view shows what it contains.');
}

async function drawPage(width: number, height: number, box: DOMRect): Promise<string> {
  const isDrawn = (node: Node): boolean =>
    !NOT_DRAWN.has(node.nodeName) && !(node instanceof Element && isBelow(node, height));
  if ([...document.querySelectorAll('body *')].filter(isDrawn).length > MAX_DRAWN_ELEMENTS)
    throw pictureTooLarge();
  let count = 0; // counts again, because the first count omits the content of components
  let turn = now();
  const context = await createContext(document.documentElement, {
    width,
    height,
    scale: 1,
    backgroundColor: '#fff',
    timeout: TIMEOUTS_MS.resource,
    features: { restoreScrollPosition: true },
    filter: isDrawn,
    onCloneEachNode: async (copy) => {
      if (++count > MAX_DRAWN_ELEMENTS) throw pictureTooLarge();
      keepFixed(copy);
      if (now() - turn < TURN) return;
      await sleep(0); // the host closes a page that is unresponsive for seconds
      turn = now();
    },
  });
  const defaults = plainWindow();
  // The library reads default styles in its own frame, which it cannot access from an opaque origin.
  context.sandbox = defaults.sandbox;
  const drawn = domToCanvas(context).finally(defaults.remove);
  const late = new Promise<never>((_, reject) =>
    later(
      () => reject(new Refusal('timeout', 'The picture of this page took too long.')),
      TIMEOUTS_MS.picture,
    ),
  );
  return croppedTo(await Promise.race([drawn, late]), box).toDataURL();
}

/** Returns a part of a picture. What is left of the window or above it stays blank. */
function croppedTo(whole: HTMLCanvasElement, { x, y, width, height }: DOMRect): HTMLCanvasElement {
  const part = document.createElement('canvas');
  [part.width, part.height] = [Math.round(width), Math.round(height)];
  part.getContext('2d')?.drawImage(whole, -Math.round(x), -Math.round(y));
  return part;
}

/** Returns whether an element is below the window. Such an element is invisible, and omitting it moves nothing above it. */
function isBelow(element: Element, height: number): boolean {
  const { top, width, height: own } = element.getBoundingClientRect();
  return top >= height && width > 0 && own > 0;
}

/** Compensates for scrolling: it is drawn by moving the body, so elements fixed to the window are moved back. */
function keepFixed(copy: Node): void {
  if (!(copy instanceof HTMLElement) || copy.style.position !== 'fixed' || (scrollX === 0 && scrollY === 0))
    return;
  const { offsetLeft, offsetTop } = document.body;
  copy.style.translate = `${scrollX - offsetLeft}px ${scrollY - offsetTop}px`;
}

/**
 * Creates a part of the document that the page's styles do not affect. It replaces the window in which the library looks up default styles.
 */
function plainWindow(): { sandbox: HTMLIFrameElement; remove: () => void } {
  const host = document.createElement('rolezero-plain');
  host.style.cssText = 'all:initial;position:fixed;visibility:hidden;width:0;height:0;overflow:hidden';
  const body = host.attachShadow({ mode: 'closed' });
  document.documentElement.append(host);
  const plain = {
    document: {
      // Creating a custom element would run the page's code. A custom element has the default style of a span.
      createElement: (name: string) => document.createElement(name.includes('-') ? 'span' : name),
      createElementNS: (space: string, name: string) => document.createElementNS(space, name),
      body,
    },
    getComputedStyle: (element: Element, pseudo: string | null) => getComputedStyle(element, pseudo),
  };
  const remove = (): void => host.remove();
  return { sandbox: { contentWindow: plain, remove } as unknown as HTMLIFrameElement, remove };
}
