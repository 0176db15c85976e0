import { listen, unlisten } from '../natives.js';
import { watchListeners } from '../page/listeners.js';
import { driveSite } from './drive-site.js';
import { type DriverHere, readDrive } from './handshake.js';
/** Options for which applications may drive a site's pages. */
interface DrivingOptions {
  /**
   * Complete origins of the applications that may see these pages and act with the user's rights: `https://agent.example`. Wildcards are
   * not supported. In a frame of any other origin, nothing happens.
   */
  origins: readonly string[];
}

/**
 * Allows agents of certain applications to drive the pages of a site. An application opens a page in a frame with `frame()` of
 * `rolezero/tools/frame`. This driver, which is part of the site, reads the page and acts in it on behalf of the application.
 *
 * Call it before all other scripts, in every page and in the documents of its frames. It does nothing in a page outside a frame, or in a
 * frame of an origin that is not listed. A request of an unlisted application causes a console warning.
 *
 * The application acts with the rights of the signed-in user. List only applications that you trust with your users' accounts, and restrict
 * `frame-ancestors` to them.
 *
 * @example allowDriving({ origins: ['https://agent.example'] })
 * @throws TypeError if an origin is invalid.
 */
export function allowDriving({ origins }: DrivingOptions): void {
  const named = origins.map(readOrigin);
  if (window.parent === window || !mayBeAround(named)) return;
  watchListeners();
  const drive = driveSite();
  const accept = (event: MessageEvent<unknown>): void => {
    const begin = readDrive(event.data);
    const [port] = event.ports;
    if (begin === null || port === undefined || !isAround(event.source)) return;
    event.stopImmediatePropagation();
    if (!named.includes(event.origin) && event.origin !== location.origin) {
      console.warn(
        `rolezero: ${event.origin} asked to drive this page, and is not among the origins that may: ${named.join(', ')}.`,
      );
      port.close();
      return;
    }
    unlisten(window, 'message', accept as EventListener, true);
    drive(port, begin);
  };
  listen(window, 'message', accept as EventListener, true);
  const here: DriverHere = {
    rolezero: 'driver',
    url: location.href,
    loaded: document.readyState === 'complete',
  };
  for (const around of windowsAround())
    for (const origin of new Set([...named, location.origin])) around.postMessage(here, origin);
}

function readOrigin(text: string): string {
  const { origin } = new URL(text);
  if (origin === 'null')
    throw new TypeError(`allowDriving takes origins such as https://agent.example, not "${text}".`);
  return origin;
}

/** Returns false if the browser reports the ancestor origins and none of them may drive the page. */
function mayBeAround(named: readonly string[]): boolean {
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList };
  return ancestorOrigins === undefined || [...ancestorOrigins].some((origin) => named.includes(origin));
}

function windowsAround(): Window[] {
  const around: Window[] = [];
  for (let each: Window = window; each.parent !== each; each = each.parent) around.push(each.parent);
  return around;
}

function isAround(source: MessageEventSource | null): boolean {
  return windowsAround().some((each) => each === source);
}
