import { createContext, domToDataUrl } from 'modern-screenshot';
import { LIMITS } from '../limits.js';
import type { ScreenshotResult } from '../protocol.js';
import { later, now, sleep } from './natives.js';
import { Refusal } from './port.js';

/** Elements that can be drawn in a bearable time: each is copied with its computed style. */
const MOST_ELEMENTS = 2_000;
/** Milliseconds an image or a font may take, and the whole picture. */
const PATIENCE = { resource: 2_000, picture: 20_000 };
/** Milliseconds of work until others have their turn. */
const TURN = 100;
/** Nothing of these is seen; the driver itself is the largest of the scripts. */
const UNSEEN = new Set(['HEAD', 'SCRIPT', 'NOSCRIPT', 'TEMPLATE', 'STYLE', 'LINK', 'META', 'TITLE', 'VIDEO']);

/**
 * What the window shows of the page, drawn from a copy of the document with its computed styles. A page cannot be photographed from inside:
 * child frames and videos stay blank, as does what came from elsewhere without leave to be read.
 */
export async function takeScreenshot(): Promise<ScreenshotResult> {
  const { innerWidth: width, innerHeight: height } = window;
  const image = await draw(width, height).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      'failed',
      `No picture could be taken: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (image.length > LIMITS.image) throw tooLarge();
  return { image, width, height };
}

function tooLarge(): Refusal {
  return new Refusal('unsupported', 'The page is too large for a picture. Its view tells what it holds.');
}

async function draw(width: number, height: number): Promise<string> {
  const isDrawn = (node: Node): boolean =>
    !UNSEEN.has(node.nodeName) && !(node instanceof Element && isBelow(node, height));
  if ([...document.querySelectorAll('body *')].filter(isDrawn).length > MOST_ELEMENTS) throw tooLarge();
  let count = 0; // again, as what is inside of components was not counted
  let turn = now();
  const context = await createContext(document.documentElement, {
    width,
    height,
    scale: 1,
    backgroundColor: '#fff',
    timeout: PATIENCE.resource,
    features: { restoreScrollPosition: true },
    filter: isDrawn,
    onCloneEachNode: async (copy) => {
      if (++count > MOST_ELEMENTS) throw tooLarge();
      keepFixed(copy);
      if (now() - turn < TURN) return;
      await sleep(0); // the host takes a page that answers nothing for seconds to be stuck
      turn = now();
    },
  });
  const defaults = plainWindow();
  // The library reads default styles in a frame of its own, which it may not look into from an opaque origin.
  context.sandbox = defaults.sandbox;
  const drawn = domToDataUrl(context).finally(defaults.remove);
  const late = new Promise<never>((_, reject) =>
    later(() => reject(new Refusal('timeout', 'The picture of this page took too long.')), PATIENCE.picture),
  );
  return Promise.race([drawn, late]);
}

/** Below the window nothing is seen, and nothing above it is moved when it is left out. */
function isBelow(element: Element, height: number): boolean {
  const { top, width, height: own } = element.getBoundingClientRect();
  return top >= height && width > 0 && own > 0;
}

/** Scrolling is drawn by moving the body; what is fixed to the window moves with it, and is moved back. */
function keepFixed(copy: Node): void {
  if (!(copy instanceof HTMLElement) || copy.style.position !== 'fixed' || (scrollX === 0 && scrollY === 0))
    return;
  const { offsetLeft, offsetTop } = document.body;
  copy.style.translate = `${scrollX - offsetLeft}px ${scrollY - offsetTop}px`;
}

/** A place in the document that its styles do not reach, as the window the library would look for default styles in. */
function plainWindow(): { sandbox: HTMLIFrameElement; remove: () => void } {
  const host = document.createElement('rolezero-plain');
  host.style.cssText = 'all:initial;position:fixed;visibility:hidden;width:0;height:0;overflow:hidden';
  const body = host.attachShadow({ mode: 'closed' });
  document.documentElement.append(host);
  const plain = {
    document: {
      // An element of the page's own making would run its code when made, and has the default style of a span.
      createElement: (name: string) => document.createElement(name.includes('-') ? 'span' : name),
      createElementNS: (space: string, name: string) => document.createElementNS(space, name),
      body,
    },
    getComputedStyle: (element: Element, pseudo: string | null) => getComputedStyle(element, pseudo),
  };
  const remove = (): void => host.remove();
  return { sandbox: { contentWindow: plain, remove } as unknown as HTMLIFrameElement, remove };
}
